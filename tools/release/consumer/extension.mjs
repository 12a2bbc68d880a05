// Checks an unpacked VS Code extension, and starts the language server as it does.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const [dir, version] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(dir, 'package.json')));
assert.equal(manifest.version, version);
const script = readFileSync(join(dir, manifest.main), 'utf8');
assert.match(script, /"lsp"/);

const server = spawn(process.env.PROGRAM, ['lsp'], {stdio: ['pipe', 'pipe', 'inherit']});
const send = (message) => {
  const text = JSON.stringify({jsonrpc: '2.0', ...message});
  server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};
let out = '';
server.stdout.on('data', (data) => {
  out += data;
  if (!out.includes('"datachain.preview"')) return; // a command that the extension needs
  assert.ok(out.includes(`v${version}`) || out.includes(version));
  send({id: 2, method: 'shutdown'});
  send({method: 'exit'});
  server.stdin.end();
});
server.on('exit', (code) => process.exit(out.includes('"datachain.preview"') ? code : 1));
send({id: 1, method: 'initialize', params: {processId: null, rootUri: null, capabilities: {}}});
