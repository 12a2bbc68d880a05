// The package in a page: headless Chromium gives the findings of the command.
import assert from 'node:assert/strict';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, patient} from '../../../tools/browser/browser.mjs';
import {asCommand, build, caseDocuments, host, judged, root, trail, written} from './world.mjs';

let browser, site, store;
before(async () => {
  store = await trail(join(build, 'store/trail')); // where the page looks for it
  site = await host(root);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.stop();
});

test('findings in Chromium', async () => {
  const documents = await caseDocuments();
  const want = await judged(await written('chromium', documents), store);
  await mkdir(build, {recursive: true});
  await writeFile(join(build, 'page.html'), '<!doctype html><meta charset="utf-8"><title>datachain</title>');
  const page = await patient(browser);
  const errors = [];
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  await page.goto(`${site.url}editors/wasm/build/page.html`);
  const {verdicts, html, times} = await page.evaluate(async (all) => {
    const {files, load} = await import('../index.js');
    const module = await (await fetch('../dist/datachain.wasm')).arrayBuffer();
    const begun = performance.now();
    const datachain = await load({store: files('store/trail/'), wasm: module});
    const ready = performance.now() - begun;
    await datachain.open('trail@2026-03-01-stable');
    const loaded = performance.now() - begun;
    const found = {};
    const each = [];
    for (const [name, text] of Object.entries(all)) {
      const at = performance.now();
      found[name] = await datachain.validate(text);
      each.push(performance.now() - at);
    }
    each.sort((a, b) => a - b);
    const valid = Object.keys(found).find((name) => found[name].ok && found[name].kind === 'thin' && found[name].issues.length === 0);
    const rendered = await datachain.render(all[valid]);
    return {verdicts: found, html: rendered.html, times: {ready, loaded, median: each[each.length >> 1]}};
  }, documents);
  for (const [name, verdict] of Object.entries(verdicts)) assert.deepEqual(asCommand(verdict), want[name], name);
  assert.match(html, /^<!doctype html>/i);
  assert.deepEqual(errors, []);
  console.log(`Chromium: ready ${times.ready.toFixed(0)} ms after download, first release ${times.loaded.toFixed(0)} ms, validate ${times.median.toFixed(2)} ms (median)`);
});
