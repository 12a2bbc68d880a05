// A catalog of 10,000 elements stays usable: pages, not one list.
import assert from 'node:assert/strict';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {build, datachain, serve} from './datachain.mjs';
import {large} from './large.mjs';

const old = 'large@2026-09-01-stable', version = 'large@2026-10-01-stable';
let browser, server;
before(async () => {
  const store = join(build, 'store-large');
  await rm(store, {recursive: true, force: true});
  await datachain('schema', 'publish', await large(10_000), '--store', store);
  server = await serve('--store', store);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

async function visit(address) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setViewport({width: 1280, height: 900});
  await open(server.url + address);
  return {page, wrong};
}

// Sizes in bytes as they are sent, and in nodes of the page. They are several times what pages
// have, and a fraction of what a list of all elements has.
for (const [name, address, bytes, nodes] of [
  ['catalog', `/t/${version}`, 80_000, 12_000],
  ['list of a category', `/t/${version}?category=c3`, 30_000, 4_000],
  ['category', `/t/${version}/c/c3`, 30_000, 4_000],
  ['element', `/t/${version}/e/c3.e3000`, 15_000, 2_000],
  ['search', `/t/${version}?q=corlu`, 30_000, 4_000],
  ['comparison', `/compare?old=${old}&new=${version}`, 30_000, 4_000],
]) {
  test(`the ${name} is a page, not a list of all`, async () => {
    const {page, wrong} = await visit(address);
    const {sent, time, count} = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation');
      return {sent: navigation.encodedBodySize, time: navigation.loadEventEnd, count: document.querySelectorAll('*').length};
    });
    console.log(`${name}: ${sent} bytes, ${count} nodes, loaded after ${time.toFixed(0)} ms`);
    assert.ok(sent < bytes, `${sent} bytes`);
    assert.ok(count < nodes, `${count} nodes`);
    assert.equal(await tooWide(page), '');
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('results follow each key', async () => {
  const {page, wrong} = await visit(`/t/${version}`);
  const times = await page.evaluate(async () => {
    const input = document.getElementById('q'), results = document.getElementById('results');
    const list = [];
    const query = 'corlu marne politavers'.slice(0, 20);
    for (let n = 1; n <= query.length; n++) {
      const begun = performance.now();
      const changed = new Promise((done) => new MutationObserver((_, o) => { o.disconnect(); done(); }).observe(results, {childList: true}));
      input.value = query.slice(0, n);
      input.dispatchEvent(new Event('input', {bubbles: true}));
      await changed;
      results.getBoundingClientRect(); // laid out
      list.push(performance.now() - begun);
    }
    return list.sort((a, b) => a - b);
  });
  await settled(page);
  console.log(`From a key to its results: ${times[times.length >> 1].toFixed(1)} ms (median of ${times.length}).`);
  assert.ok((await page.$$('li.element')).length <= 60);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the last page of results works', async () => {
  const {page, wrong} = await visit(`/t/${version}?category=c9`);
  const last = await page.$$eval('nav.pages a', (list) => list.at(-1).href);
  await page.goto(last);
  assert.ok((await page.$$('li.element')).length > 0);
  assert.deepEqual(wrong, []);
  await page.close();
});
