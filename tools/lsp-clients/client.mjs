// Talks to `datachain lsp` with vscode-jsonrpc, the library of VS Code: types a
// mistake, fixes it with the code action, completes and hovers, and measures the time
// from a change to its diagnostics.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {StreamMessageReader, StreamMessageWriter, createMessageConnection} from 'vscode-jsonrpc/node';

const server = spawn('build/datachain', ['lsp', '--samples'], {stdio: ['pipe', 'pipe', 'inherit']});
const exited = new Promise((resolve) => server.on('exit', resolve));
const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const waiting = new Map();
connection.onNotification('textDocument/publishDiagnostics', (p) => waiting.get(p.version)?.(p.diagnostics));
connection.onNotification('window/logMessage', (p) => assert.ok(p.type > 1, p.message));
connection.onRequest('client/registerCapability', () => null);
const shown = [], applied = [];
connection.onRequest('window/showDocument', (p) => ({success: shown.push(p) > 0}));
connection.onRequest('workspace/applyEdit', (p) => ({applied: applied.push(p) > 0}));
connection.listen();

const uri = 'file:///w/air-station.json';
const textDocument = {uri};
const valid = readFileSync('../../examples/documents/air-station.json', 'utf8');
let version = 0;

// Sends a text and waits for its diagnostics.
function type(text) {
  version++;
  const found = new Promise((resolve) => waiting.set(version, resolve));
  if (version === 1) connection.sendNotification('textDocument/didOpen', {textDocument: {uri, languageId: 'json', version, text}});
  else connection.sendNotification('textDocument/didChange', {textDocument: {uri, version}, contentChanges: [{text}]});
  return found;
}

function place(text, part, after = 1) {
  const before = text.slice(0, text.indexOf(part) + after);
  return {line: before.split('\n').length - 1, character: before.length - before.lastIndexOf('\n') - 1};
}

const offset = (text, {line, character}) => text.split('\n').slice(0, line).reduce((n, l) => n + l.length + 1, character);

const {capabilities, serverInfo} = await connection.sendRequest('initialize', {
  processId: process.pid, rootUri: null, locale: 'fr',
  capabilities: {
    general: {markdown: {parser: 'marked'}},
    window: {showDocument: {support: true}},
    workspace: {applyEdit: true, didChangeWatchedFiles: {dynamicRegistration: true}, workspaceEdit: {documentChanges: true, resourceOperations: ['create']}},
    textDocument: {
      codeLens: {}, diagnostic: {}, // findings are pushed all the same
      hover: {contentFormat: ['markdown']}, codeAction: {codeActionLiteralSupport: {codeActionKind: {valueSet: []}}},
      completion: {completionItem: {snippetSupport: true, labelDetailsSupport: true}},
    },
  },
});
assert.match(serverInfo.version, /built-in sample taxonomies/);
await connection.sendNotification('initialized', {});
assert.deepEqual(await type(valid), []);

const wrong = valid.replace('purpose.environment', 'purpose.enviroment').replace('Air on', '😀 漢字 on');
const found = await type(wrong);
assert.equal(found[0].code, 'INSTANCE_ELEMENT_UNKNOWN');
const [fix] = await connection.sendRequest('textDocument/codeAction', {textDocument, range: found[0].range, context: {diagnostics: found}});
let fixed = wrong;
for (const {range, newText} of fix.edit.documentChanges[0].edits.toReversed()) {
  fixed = fixed.slice(0, offset(wrong, range.start)) + newText + fixed.slice(offset(wrong, range.end));
}
assert.deepEqual(await type(fixed), []);

const hover = await connection.sendRequest('textDocument/hover', {textDocument, position: place(fixed, 'purpose.environment')});
assert.match(hover.contents.value, /data:image\/svg\+xml;base64,[^]*Air, bruit et météo/);
const half = fixed.replace('"purpose.environment"', '"mété');
await type(half);
const {items} = await connection.sendRequest('textDocument/completion', {textDocument, position: place(half, '"mété', 5)});
assert.ok(items.some((i) => i.label === 'Air, bruit et météo'), JSON.stringify(items.slice(0, 3)));

// Commands: their answers, and what code lenses let the client show.
const execute = (command, ...args) => connection.sendRequest('workspace/executeCommand', {command, arguments: args});
await assert.rejects(execute('datachain.resolve', uri), /can't be resolved: it has \d+ error/);
assert.deepEqual(await type(fixed), []);
assert.ok(JSON.parse((await execute('datachain.resolve', uri)).text).schema_snapshot);
const page = await execute('datachain.preview', uri);
assert.match(page.html, /^<!doctype html>[^]*Air, bruit et météo/);
await type(half);
const stale = await execute('datachain.preview', {uri});
assert.deepEqual([stale.html, stale.version], [page.html, page.version]);
assert.match(stale.note, /This is the last valid version/);
await type(fixed);
assert.deepEqual(capabilities.executeCommandProvider.commands, ['datachain.preview', 'datachain.resolve', 'datachain.upgrade']);
const lenses = await connection.sendRequest('textDocument/codeLens', {textDocument});
for (const {command} of lenses) await execute(command.command, ...command.arguments);
assert.ok(readFileSync(new URL(shown[0].uri), 'utf8').includes('Air, bruit et météo'));
assert.equal(applied[0].edit.documentChanges[0].uri, 'file:///w/air-station.resolved.json');

// Requests for all capabilities answer, and one that is canceled says so or answers.
const position = {line: 0, character: 0};
const range = {start: position, end: {line: 999, character: 0}};
for (const [provider, method] of Object.entries({
  documentSymbolProvider: 'documentSymbol',
  inlayHintProvider: 'inlayHint',
})) {
  if (!capabilities[provider]) continue;
  await connection.sendRequest(`textDocument/${method}`, {textDocument, position, range});
}

const times = [];
for (let i = 0; i < 200; i++) {
  const begun = performance.now();
  await type(i % 2 ? valid : wrong);
  times.push(performance.now() - begun);
}
times.sort((a, b) => a - b);
console.log(`change to diagnostics, ${valid.length} bytes: median ${times[100].toFixed(2)} ms, 95 % below ${times[190].toFixed(2)} ms`);

assert.equal(await connection.sendRequest('shutdown'), null);
await connection.sendNotification('exit');
assert.equal(await exited, 0);
console.log('passed');
process.exit(0);
