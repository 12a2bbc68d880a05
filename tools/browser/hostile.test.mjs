// Pages of a hostile taxonomy and a hostile document, with an attack in every text. Nothing
// in them may run or load anything.
import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {attacks, attacked, retired} from './attacks.mjs';
import {eventually, launch, picture, settled, tooWide, watched} from './browser.mjs';
import {output} from './datachain.mjs';
import {page as render, source} from './rewrite.mjs';

let browser, folder;
before(async () => {
  folder = await output('hostile');
  browser = await launch();
});
after(() => browser?.close());

// provoke does everything to a page that could trigger an attack. Links to other pages are
// clicked, but open none: only their URL decides what that would do.
async function provoke(page) {
  const links = await page.evaluate(() => {
    for (const d of document.querySelectorAll('details')) d.open = true;
    const events = ['mouseover', 'mouseenter', 'focus', 'focusin', 'click', 'load', 'error', 'toggle', 'animationend', 'pointerdown', 'keydown'];
    for (const e of document.querySelectorAll('*')) {
      if (e.closest('a')) continue;
      for (const name of events) e.dispatchEvent(new Event(name));
    }
    return [...document.querySelectorAll('a')].map((a) => a.href);
  });
  for (const href of links) assert.match(href, /^(https?:|mailto:|tel:|file:.*#)/, 'the URL of a link');
  await page.evaluate(() => {
    addEventListener('click', (e) => e.target.closest('a')?.target === '_blank' && e.preventDefault());
    for (const a of document.querySelectorAll('a')) a.click();
  });
  await settled(page);
  return links.length;
}

// harmless opens a page, provokes it and returns what went wrong.
async function harmless(file) {
  const {page, wrong, open} = await watched(browser, (url) => /^(mailto|tel):/.test(url));
  await page.setViewport({width: 360, height: 800});
  await open(file);
  assert.equal(await tooWide(page), '');
  const links = await provoke(page);
  assert.equal(await page.evaluate(() => document.scripts.length), 1, 'scripts');
  assert.equal(await page.$('iframe, img, object, embed, form, link, base'), null);
  await picture(page, file.replace(/html$/, 'png'));
  await page.close();
  return {wrong, links};
}

test('the trap works', async () => {
  const file = join(folder, 'trap.html');
  for (const attack of ['<script>trap()</script>', '<svg onload=trap()>', '<p onclick=alert(1)>x', '<a href=javascript:trap()>x</a>', '<img src=https://evil.example/x>']) {
    await writeFile(file, `<!doctype html>${attack}`);
    const {page, wrong, open} = await watched(browser);
    await open(file);
    await page.evaluate(() => {
      for (const e of document.querySelectorAll('a, p')) e.click();
    });
    await eventually(() => wrong.length > 0, attack);
    await page.close();
  }
});

test('nothing in a hostile document or taxonomy runs', async () => {
  let links = 0;
  for (let turn = 0; turn < 4; turn++) {
    const schemas = await source('hostile', ['en', 'fr', 'es'], (list) => list.map((t) => ({...t, value: attacked(t.value, turn, true)})));
    for (const locale of ['en', 'fr']) {
      const change = (v) => attacked(v, turn, false);
      const found = await harmless(await render(folder, 'benefits.json', {locale, schemas, change}));
      assert.deepEqual(found.wrong, [], `turn ${turn} in ${locale}`);
      links += found.links;
    }
  }
  assert.ok(links > 50, `${links} links`);
});

// The snapshot of a version that is no longer published is not validated.
test('nothing in a document with its own snapshot runs', async () => {
  for (let turn = 0; turn < attacks.length; turn += 7) {
    const found = await harmless(await render(folder, 'benefits.resolved.json', {locale: 'en', change: (v) => retired(attacked(v, turn, false))}));
    assert.deepEqual(found.wrong, [], `turn ${turn}`);
  }
});
