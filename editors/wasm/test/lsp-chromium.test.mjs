// The language server in a Worker of headless Chromium, on a page with a strict
// Content-Security-Policy.
import assert from 'node:assert/strict';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, patient, watched} from '../../../tools/browser/browser.mjs';
import {build, host, root, samples} from './world.mjs';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; worker-src 'self'; base-uri 'none'";

let browser, site;
before(async () => {
  await samples(join(build, 'store/lsp-chromium'));
  await mkdir(build, {recursive: true});
  await writeFile(join(build, 'worker.html'), '<!doctype html><meta charset="utf-8"><title>datachain</title><link rel="icon" href="data:,">');
  site = await host(root, {'Content-Security-Policy': policy});
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.stop();
});

// large returns a document of 20 KB.
async function large() {
  const text = await readFile(join(root, 'examples/documents/benefits.json'), 'utf8');
  const source = '{"type": "document", "title": "A source of the document", "url": "https://example.org/a/b/c"},\n    ';
  return text.replace('"sources": [', `"sources": [${source.repeat((20 * 1024 - text.length) / source.length)}`);
}

test('the language server in a Worker', async () => {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(site.url));
  await open(`${site.url}editors/wasm/build/worker.html`);
  const {times, last, hover} = await page.evaluate(async (text) => {
    const {files, startLanguageServer} = await import('../lsp.js');
    const {connect} = await import('../test/client.mjs');
    const wasm = await (await fetch('../dist/lsp.wasm')).arrayBuffer();
    const begun = performance.now();
    const server = await startLanguageServer({store: files('store/lsp-chromium/'), wasm});
    const client = connect(server.transport);
    await client.initialize();
    const ready = performance.now() - begun;
    const uri = 'inmemory:///x.datachain.json';
    client.open(uri, text);
    await client.diagnostics(uri, 1);
    const first = performance.now() - begun;
    const texts = [text, text.replace('purpose.benefits', 'purpose.benefit')];
    const each = [];
    let found;
    for (let version = 2; version < 102; version++) {
      const at = performance.now();
      client.change(uri, version, texts[version % 2]);
      found = await client.diagnostics(uri, version);
      each.push(performance.now() - at);
    }
    each.sort((a, b) => a - b);
    // Of quick changes the last one is judged, with its own text.
    for (let version = 102; version < 302; version++) client.change(uri, version, texts[version % 2]);
    found = await client.diagnostics(uri, 301);
    const before = text.slice(0, text.indexOf('decision.')).split('\n');
    const shown = await client.request('textDocument/hover', {textDocument: {uri}, position: {line: before.length - 1, character: before.at(-1).length + 1}});
    await client.end();
    server.stop();
    return {times: {ready, first, median: each[50], slowest: each[99]}, last: found.map((d) => d.code), hover: shown.contents.value};
  }, await large());
  assert.deepEqual(wrong, []);
  assert.ok(last.includes('INSTANCE_ELEMENT_UNKNOWN'), `${last}`);
  assert.match(hover, /data:image\/svg\+xml;base64,/);
  console.log(`Chromium: language server ready ${times.ready.toFixed(0)} ms after download, first diagnostics ${times.first.toFixed(0)} ms; ` +
    `change of a document of 20 KB to diagnostics ${times.median.toFixed(1)} ms (median), ${times.slowest.toFixed(1)} ms (slowest of 100)`);
});

test('a Worker that can not be started', async () => {
  const page = await patient(browser);
  await page.goto(`${site.url}editors/wasm/build/worker.html`);
  const messages = await page.evaluate(async () => {
    const {files, startLanguageServer} = await import('../lsp.js');
    const said = [];
    const broken = [() => ({wasm: 'nowhere.wasm'}), () => ({store: files('nowhere/')}), () => ({worker: new Worker('nowhere.js')})];
    for (const options of broken) {
      await startLanguageServer({store: files('store/lsp-chromium/'), ...options()}).catch((e) => said.push(`${e.code}: ${e.message}`));
    }
    return said;
  });
  assert.equal(messages.length, 3);
  for (const message of messages) assert.match(message, /^upstream_error: The language server could not be started: /);
  assert.match(messages[0], /nowhere\.wasm answered 404/);
});
