// The language server in Node. Its findings are those of `datachain lsp`.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {test} from 'node:test';
import {api, DatachainError, files, startLanguageServer} from '../lsp.js';
import {serve as serveOver} from '../lsp-worker.js';
import {connect, judge} from './client.mjs';
import {build, caseDocuments, host, sampleDocuments, samples, serve, trail} from './world.mjs';

// stdio is a transport to `datachain lsp`, which frames messages.
function stdio(...args) {
  const child = spawn(join(build, 'datachain'), ['lsp', ...args], {stdio: ['pipe', 'pipe', 'ignore']});
  process.once('exit', () => child.kill('SIGKILL'));
  let rest = Buffer.alloc(0);
  return {
    send: (text) => child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
    subscribe: (handler) => child.stdout.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = rest.indexOf('\r\n\r\n');
        if (head < 0) return;
        const end = head + 4 + Number(/Content-Length: (\d+)/.exec(rest.subarray(0, head).toString())[1]);
        if (rest.length < end) return;
        handler(rest.subarray(head + 4, end).toString());
        rest = rest.subarray(end);
      }
    }),
  };
}

// started starts the server over a MessageChannel in place of a Worker, which Node lacks.
async function started(t, options) {
  const {port1, port2} = new MessageChannel();
  serveOver(port2);
  t.after(() => port1.close());
  const server = await startLanguageServer({worker: port1, ...options});
  t.after(server.stop);
  return server;
}

for (const [name, publish, read] of [['samples', samples, sampleDocuments], ['cases', trail, caseDocuments]]) {
  test(`diagnostics of ${name}`, async (t) => {
    const store = await publish();
    const documents = await read();
    const static_ = await host(store);
    t.after(static_.stop);
    const native = connect(stdio('--store', store));
    await native.initialize();
    const client = connect((await started(t, {store: files(static_.url)})).transport);
    await client.initialize();
    const want = await judge(native, documents);
    assert.ok(Object.values(want).flat().length > 20);
    assert.deepEqual(await judge(client, documents), want);
    await native.end();
    await client.end();
  });
}

test('features', async (t) => {
  const server = await serve(await samples());
  t.after(server.stop);
  const {transport, refresh} = await started(t, {store: api(server.url), origin: 'a test', baseURL: 'https://example.org'});
  const client = connect(transport);
  const {serverInfo, capabilities} = await client.initialize({locale: 'fr'});
  assert.match(serverInfo.version, /with schema versions from a test/);
  assert.equal(capabilities.renameProvider, undefined, 'there is no authoring source');
  const uri = 'inmemory:///x.json';
  const text = '{"id": "x", "schema_version": "ai@2026-11-15-stable", "elements": [{"element_id": "purpose.triage"}, {"element_id": "purpose.triag"}]}';
  client.open(uri, text);
  const found = await client.diagnostics(uri, 1);
  assert.equal(found.find((d) => d.code === 'INSTANCE_ELEMENT_UNKNOWN').codeDescription.href, 'https://example.org/codes/INSTANCE_ELEMENT_UNKNOWN');
  const at = {textDocument: {uri}, position: {line: 0, character: text.indexOf('purpose.triage') + 3}};
  const {contents} = await client.request('textDocument/hover', at);
  assert.match(contents.value, /^!\[icon\]\(data:image\/svg\+xml;base64,/);
  assert.match(contents.value, /from a test/);
  const {items} = await client.request('textDocument/completion', at);
  assert.ok(items.some((i) => /purpose\.triage/.test(i.label)));
  const actions = await client.request('textDocument/codeAction', {textDocument: {uri}, range: found.find((d) => d.code === 'INSTANCE_ELEMENT_UNKNOWN').range, context: {diagnostics: []}});
  assert.ok(actions.some((a) => a.kind === 'quickfix' && JSON.stringify(a.edit).includes('purpose.triage')));
  await refresh();
  await client.end();
});

test('messages as objects', async (t) => {
  const static_ = await host(await samples());
  t.after(static_.stop);
  const {worker} = await started(t, {store: files(static_.url)});
  const answer = new Promise((resolve) => { worker.addEventListener('message', ({data}) => resolve(data), {once: true}); });
  worker.postMessage({jsonrpc: '2.0', id: 1, method: 'initialize', params: {capabilities: {}}});
  assert.equal((await answer).result.serverInfo.name, 'datachain');
});

test('a store that fails', async (t) => {
  const gone = {index: async () => { throw new Error('offline'); }, release: async () => {}};
  await assert.rejects(started(t, {store: gone}), (e) => e instanceof DatachainError && e.code === 'upstream_error' && /offline/.test(e.message));
  await assert.rejects(started(t, {store: {...gone, index: async () => '{'}}), /malformed/);
  await assert.rejects(started(t, {store: gone, wasm: new Uint8Array([1, 2, 3])}), /could not be started/);
});
