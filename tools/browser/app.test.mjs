// The view as an MCP App in a browser, with the official bridge as its host and the results
// of a real server.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {build} from 'esbuild';
import {attacks} from './attacks.mjs';
import {eventually, launch, picture, settled, watched} from './browser.mjs';
import {documents, here, output, serve} from './datachain.mjs';

const fragmentKey = 'io.github.datachain-go/fragment';

// Expected messages of the host: zod checks whether it may compile code, and the client
// checks whether the server streams, which answers 405.
const noise = ['policy: script-src eval ', 'console: Failed to load resource: the server responded with a status of 405 (Method Not Allowed)'];

let browser, server, site, origin, datachain, folder;
before(async () => {
  folder = await output('app');
  const script = (await build({entryPoints: [join(here, 'host.mjs')], bundle: true, write: false, format: 'iife', logLevel: 'error'})).outputFiles[0].contents;
  const html = await readFile(join(here, 'host.html'));
  server = await serve();
  // This policy also applies to the content of srcdoc. It is the default policy of the
  // specification.
  const policy = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src ${server.url}`;
  site = createServer((request, response) => {
    const js = request.url === '/host.js';
    response.writeHead(200, {'Content-Type': js ? 'text/javascript' : 'text/html', 'Content-Security-Policy': policy});
    response.end(js ? script : html);
  });
  await new Promise((done) => site.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${site.address().port}`;
  datachain = JSON.parse(await readFile(join(documents, 'benefits.json'), 'utf8'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.close();
  server?.stop();
});

// host opens the page of the host and returns helpers to inspect its frame.
async function host() {
  const {page, wrong, open} = await watched(browser, (url) => [`${origin}/host.js`, `${origin}/favicon.ico`, `${server.url}/mcp`, 'about:srcdoc'].includes(url));
  await page.setViewport({width: 900, height: 900});
  await open(`${origin}/`);
  const {uri, view} = await page.evaluate((url) => window.host.connect(url), `${server.url}/mcp`);
  const inside = async (f, ...args) => (await (await page.$('#app')).contentFrame()).evaluate(f, ...args);
  const shows = async (text) => {
    let shown;
    await eventually(async () => (shown = await inside(() => document.body.innerText)).includes(text), () => `the frame shows "${text}"; it shows "${shown.slice(0, 200)}"`);
  };
  return {page, uri, view, inside, shows, trouble: () => wrong.filter((w) => !noise.includes(w))};
}

test('the view waits, shows what is posted, and follows its host', async () => {
  const {page, trouble, uri, view, inside, shows} = await host();
  assert.equal(uri, 'ui://service/datachain/view.html');
  assert.equal(view.mimeType, 'text/html;profile=mcp-app');
  assert.ok(view._meta.ui.csp, 'the read content names its policy');

  const {app} = await page.evaluate((html) => window.host.embed(html, 'light'), view.text);
  assert.equal(app.name, 'datachain');
  assert.equal(await inside(() => document.title), 'datachain (awaiting tool call)');
  assert.equal(await inside(() => document.documentElement.dataset.theme), 'light');
  const light = await inside(() => getComputedStyle(document.body).backgroundColor);

  const result = await page.evaluate((d) => window.host.call({version: d.schema_version, datachain: d}), datachain);
  assert.equal(result.structuredContent.ok, true);
  assert.equal(result._meta.ui.resourceUri, uri);
  await shows('Checking requests for housing benefit');
  assert.equal(await inside(() => document.title), 'Checking requests for housing benefit');
  assert.equal(await inside(() => document.querySelectorAll('main:not(.other) .placement').length), datachain.elements.length);
  await settled(page);
  await picture(page, join(folder, 'light.png'), true);
  for (const lang of ['fr', 'en']) { // in a frame whose address is that of the host
    await inside((l) => document.querySelector(`main:not(.other) .languages a[lang=${l}]`).click(), lang);
    await eventually(() => inside((l) => [...document.querySelectorAll('main')].every((m) => m.checkVisibility() === (m.lang === l)), lang), `the page is in ${lang}`);
  }

  await page.evaluate(() => window.host.theme('dark'));
  await eventually(() => inside(() => document.documentElement.dataset.theme === 'dark'), 'the frame is dark');
  assert.notEqual(await inside(() => getComputedStyle(document.body).backgroundColor), light);
  await picture(page, join(folder, 'dark.png'), true);

  let sizes, height;
  await eventually(async () => {
    sizes = await page.evaluate(() => window.host.sizes);
    height = await inside(() => document.documentElement.getBoundingClientRect().height);
    return sizes.length >= 2 && Math.abs(sizes.at(-1).height - height) <= 1;
  }, () => `it reports its size when it is ready and when it shows a result; it reported ${JSON.stringify(sizes)} and is ${height}`);
  assert.ok(sizes.length < 10, `it reported its size ${sizes.length} times`);

  await inside(() => document.querySelector('a[href^="https:"]').click());
  await page.waitForFunction(() => window.host.links.length > 0);
  assert.match((await page.evaluate(() => window.host.links))[0], /^https:/);
  assert.equal((await browser.pages()).filter((p) => p.url().startsWith('https:')).length, 0, 'the frame opened it itself');

  // A host that reads the resource after the call gets the page.
  assert.match((await page.evaluate((u) => window.host.read(u), uri)).text, /<title>Checking requests for housing benefit<\/title>/);
  assert.deepEqual(await page.evaluate(() => window.host.teardown()), {});
  assert.deepEqual(trouble(), []);
  await page.close();
});

test('the view shows errors', async () => {
  const {page, trouble, view, shows} = await host();
  await page.evaluate((html) => window.host.embed(html, 'dark'), view.text);
  const result = await page.evaluate((d) => window.host.call({version: d.schema_version, datachain: {...d, elements: d.elements.slice(1)}}), datachain);
  assert.equal(result.structuredContent.ok, false);
  await shows(result.structuredContent.errors[0].message);
  await settled(page);
  await picture(page, join(folder, 'trouble.png'), true);
  await page.evaluate((d) => window.host.call({version: d.schema_version, datachain: d}), datachain);
  await shows('Checking requests for housing benefit');
  await page.evaluate(() => window.host.post({content: []}));
  await shows('Nothing to show');
  assert.deepEqual(trouble(), []);
  await page.close();
});

test('a page that was read after the call stays if the result has no fragment', async () => {
  const {page, trouble, uri, inside, shows} = await host();
  await page.evaluate((d) => window.host.render({version: d.schema_version, datachain: d}), datachain);
  const read = await page.evaluate((u) => window.host.read(u), uri);
  await page.evaluate((html) => window.host.embed(html, 'light'), read.text);
  await page.evaluate(() => window.host.post({content: [], structuredContent: {ok: true}}));
  await settled(page);
  assert.equal(await inside(() => document.querySelectorAll('main:not(.other) .placement').length), datachain.elements.length);
  await page.evaluate(() => window.host.post({content: [], structuredContent: {ok: false, errors: [{code: 'x', message: 'It is wrong.'}]}}));
  await shows('It is wrong.');
  await page.evaluate(() => window.host.post({content: [], structuredContent: {ok: true}}));
  await shows('Nothing to show');
  assert.deepEqual(trouble(), []);
  await page.close();
});

test('the view shows that its call was cancelled', async () => {
  const {page, trouble, view, shows} = await host();
  await page.evaluate((html) => window.host.embed(html, 'light'), view.text);
  await page.evaluate(() => window.host.cancel());
  await shows('cancelled');
  assert.deepEqual(trouble(), []);
  await page.close();
});

test('invalid messages of the host or of others do no harm', async () => {
  const {page, trouble, view, inside, shows} = await host();
  await page.evaluate((html) => new Promise((ready) => {
    // Without a bridge: each message of the page is answered twice, and wrongly.
    const frame = document.getElementById('app');
    window.said = [];
    window.tell = (m) => frame.contentWindow.postMessage(m, '*');
    addEventListener('message', ({data}) => {
      window.said.push(data);
      if (data.method !== 'ui/initialize') return;
      for (const result of [{hostCapabilities: 7, hostContext: {theme: 'plaid', styles: {variables: null}}}, null]) window.tell({jsonrpc: '2.0', id: data.id, result});
      ready();
    });
    frame.srcdoc = html;
  }), view.text);
  await page.evaluate((k) => {
    const odd = {toString: 1, valueOf: 1};
    const result = (params) => window.tell({jsonrpc: '2.0', method: 'ui/notifications/tool-result', params});
    for (const m of [null, 7, 'x', [], {}, {jsonrpc: '2.0'}, {jsonrpc: '2.0', id: odd, result: 1}, {jsonrpc: '2.0', method: odd}, {jsonrpc: '2.0', method: 'toString'}]) window.tell(m);
    for (const params of [undefined, null, 7, 'x', [], {_meta: 7}, {_meta: {[k]: odd}}, {_meta: {[k]: '<p>no main</p>'}}, {structuredContent: 'x'}]) result(params);
    for (const params of [null, 7, {styles: {variables: {'--font-sans': odd}}}]) window.tell({jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params});
    result({structuredContent: {ok: false, errors: [null, 7, {message: odd, path: odd}, ...Array(1e5).fill({message: 'x'.repeat(1e4)})]}});
    window.tell({jsonrpc: '2.0', id: 'q', method: 'no/such'});
  }, fragmentKey);
  await page.waitForFunction(() => window.said.some((m) => m.id === 'q'));
  assert.equal(await page.evaluate(() => window.said.find((m) => m.id === 'q').error.code), -32601);
  assert.equal(await page.evaluate(() => window.said.filter((m) => m.method === 'ui/notifications/initialized').length), 1);
  assert.equal(await inside(() => document.querySelectorAll('li').length), 50, 'some of the errors are shown');
  assert.ok(await inside(() => document.body.innerText.length) < 60_000);
  // Messages of another window are ignored.
  await inside((k) => new Promise((done) => {
    window.postMessage({jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {_meta: {[k]: '<main>Forged</main>'}}}, '*');
    addEventListener('message', done, {once: true});
  }), fragmentKey);
  assert.equal(await inside(() => document.body.innerText.includes('Forged')), false);
  await page.evaluate((k) => window.tell({jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {_meta: {[k]: '<main>Real</main>'}}}), fragmentKey);
  await shows('Real');
  assert.deepEqual(trouble(), []);
  await page.close();
});

test('nothing in a hostile result runs', async () => {
  const {page, trouble, view, inside} = await host();
  await page.evaluate((html) => window.host.embed(html, 'light'), view.text);
  for (const attack of attacks) {
    for (const text of [`<main>${attack}</main>`, `<main id="datachain" ${attack}>x</main>`, `<main><a href='${attack}'>x</a></main>`]) {
      await page.evaluate((k, html) => window.host.post({content: [], _meta: {[k]: html}}), fragmentKey, text);
    }
    await page.evaluate((a) => window.host.post({content: [], structuredContent: {ok: false, errors: [{code: 'x', message: a, path: a}]}}), attack);
  }
  await settled(page);
  await inside(() => {
    for (const a of document.querySelectorAll('a')) a.click();
  });
  await settled(page);
  // Violations of the policy are reported although the page removes attacks itself.
  assert.deepEqual(trouble().filter((w) => !/^(policy|console):/.test(w)), []);
  await page.close();
});
