// The documentation of the API in a browser: requests that are tried out, copied commands, the
// keyboard, and what is left without scripts.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, picture, settled, tooWide, watched} from './browser.mjs';
import {documents, output, serve} from './datachain.mjs';

const version = 'ai@2026-11-15-stable';
let browser, server, axe, valid;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  valid = await readFile(join(documents, 'benefits.json'), 'utf8');
  server = await serve('--samples');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// reference opens the documentation, and returns the operations by method and path.
async function reference({scripts = true} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({width: 1000, height: 800});
  await open(`${server.url}/docs`);
  const operation = async (method, path) => {
    const id = await page.$$eval('details.route', (list, m, p) => list.find((d) => d.querySelector('.method')?.textContent === m && d.querySelector('summary code').textContent === `/api/v2${p}`)?.id, method, path);
    assert.ok(id, `${method} ${path} is described`);
    return `#${id}`;
  };
  return {page, wrong, operation};
}

// send fills in the fields of an operation, sends it, and returns the answer that is shown.
async function send(page, route, fields) {
  await page.$eval(route, (d) => { d.open = true; });
  for (const [name, value] of Object.entries(fields)) {
    await page.$eval(`${route} form [name="${name}"]`, (field, text) => { field.value = text; }, value);
  }
  await page.locator(`${route} form [type=submit]`).click();
  return answer(page, route);
}

async function answer(page, route) {
  await page.waitForSelector(`${route} .outcome-box > pre`);
  return page.$eval(`${route} .outcome-box`, (box) => ({
    status: box.querySelector('[role=status]').textContent, headers: box.querySelector('details pre').textContent,
    body: box.querySelector(':scope > pre').textContent, picture: box.querySelector('img')?.src,
  }));
}

test('a GET shows status, headers and body', async () => {
  const {page, wrong, operation} = await reference();
  const route = await operation('GET', '/schemas/{version}/elements');
  const {status, headers, body} = await send(page, route, {version, query: 'data', limit: '2'});
  assert.match(status, /^200 OK · application\/json/);
  assert.match(headers, /^etag: "/m);
  assert.equal(JSON.parse(body).elements.length, 2);
  const icon = await send(page, await operation('GET', '/schemas/{version}/elements/{element_id}/icon.svg'), {version, element_id: 'purpose.triage'});
  assert.match(icon.picture, /purpose\.triage\/icon\.svg$/);
  assert.match(icon.body, /<svg/);
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document)).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), []);
  for (const width of [320, 1280]) {
    await page.setViewport({width, height: 800});
    await settled(page);
    assert.equal(await tooWide(page), '', `${width} px`);
  }
  await picture(page, join(await output('explorer'), 'docs-answer.png'), true);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a POST sends the body, and errors are shown like other answers', async () => {
  const {page, wrong, operation} = await reference();
  const route = await operation('POST', '/schemas/{version}/validate');
  const posts = [];
  page.on('request', (r) => r.method() === 'POST' && posts.push(r.postData()));
  const good = await send(page, route, {version, body: valid});
  assert.match(good.status, /^200/);
  assert.equal(JSON.parse(good.body).ok, true);
  assert.deepEqual(posts, [valid]);
  assert.deepEqual(wrong, []);

  const attack = '{<img src=x onerror=trap()>';
  const bad = await send(page, route, {version, body: attack});
  assert.match(bad.status, /^400/);
  assert.match(bad.body, /bad_request/);
  const missing = await send(page, await operation('GET', '/schemas/{version}/manifest'), {version: '../..?x=<b>'});
  assert.match(missing.status, /^40[04]/);
  // A browser reports failed requests of a page. There must be nothing else.
  assert.deepEqual(wrong.filter((w) => !w.includes('the server responded with a status of 40')), []);
  await page.close();
});

test('a request that fails says so, and can be sent again', async () => {
  const {page, operation} = await reference();
  const route = await operation('GET', '/schemas');
  await page.setOfflineMode(true);
  await page.$eval(route, (d) => { d.open = true; });
  await page.locator(`${route} form [type=submit]`).click();
  await page.waitForFunction((r) => document.querySelector(`${r} [role=status]`).textContent === 'The request failed.', {}, route);
  await page.setOfflineMode(false);
  assert.match((await send(page, route, {})).status, /^200/);
  await page.close();
});

test('the keyboard opens an operation, sends it and copies its command', async () => {
  const {page, wrong, operation} = await reference();
  await browser.defaultBrowserContext().overridePermissions(server.url, ['clipboard-read', 'clipboard-sanitized-write', 'clipboard-write']);
  const route = await operation('GET', '/schemas');
  await page.focus(`${route} summary`);
  await page.keyboard.press('Enter');
  assert.equal(await page.$eval(route, (d) => d.open), true);
  const reached = [];
  for (let i = 0; i < 12 && reached.at(-1) !== 'submit'; i++) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate((r) => {
      const e = document.activeElement;
      return e.closest(r) ? e.type || e.tagName : 'outside';
    }, route));
  }
  assert.equal(reached.at(-1), 'submit', reached.join(', '));
  await page.keyboard.press('Enter');
  assert.match((await answer(page, route)).status, /^200/);

  await page.focus(`${route} [data-copy]`);
  await page.keyboard.press('Space');
  await page.waitForFunction((r) => document.querySelector(`${r} [data-copy]`).textContent === 'Copied', {}, route);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith('curl') && copied.includes(`${server.url}/api/v2/schemas`), copied);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a link opens the operation that it names', async () => {
  const {page, wrong, operation} = await reference();
  const route = await operation('POST', '/schemas/{version}/resolve');
  await page.goto(`${server.url}/docs${route}`);
  await page.waitForSelector(`${route}[open]`);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('without scripts everything can be read, and nothing looks as if it could be sent', async () => {
  const {page, wrong, operation} = await reference({scripts: false});
  const route = await operation('POST', '/schemas/{version}/validate');
  await page.click(`${route} summary`);
  assert.match(await page.$eval(`${route} .sample`, (s) => s.innerText), /^curl/);
  for (const hidden of ['form.try', '[data-copy]']) {
    assert.equal(await (await page.$(`${route} ${hidden}`)).isVisible(), false, hidden);
  }
  assert.deepEqual(wrong, []);
  await page.close();
});
