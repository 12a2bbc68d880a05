// The form that writes documents: from nothing to a valid document with the keyboard alone, with
// and without scripts, and everything that keeps the document off the server.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {attacked, attacks} from './attacks.mjs';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {documents, output, serve} from './datachain.mjs';

let browser, server, axe, valid;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  valid = await readFile(join(documents, 'benefits.json'), 'utf8');
  server = await serve('--samples', '--rate-limit', 'off');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// open opens the form at an address, and returns the page with what goes wrong on it.
async function open(address, scripts) {
  // The icon of a field for dates is Chromium's own.
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`) && !url.includes('doc=') || url.startsWith('data:image/svg+xml;base64,'));
  await page.setJavaScriptEnabled(scripts);
  await open(server.url + address);
  if (scripts) await page.waitForSelector('#composer[data-ready]');
  return {page, wrong};
}

// act does something that returns the form, and waits for it.
async function act(page, scripts, does) {
  if (!scripts) {
    await Promise.all([page.waitForNavigation(), does()]);
    return;
  }
  await page.evaluate(() => { document.querySelector('#compose').dataset.old = ''; });
  await does();
  await page.waitForSelector('#compose:not([data-old])');
}

const text = (page) => page.$eval('[name=document]', (input) => input.value.replaceAll('\x1f', '\r'));
const problems = (page) => page.$$eval('.summary li', (list) => list.map((li) => li.textContent.trim()));

// to moves the focus to what a selector matches, with the Tab key or another one, and counts how
// often it is pressed.
let presses = 0;
async function to(page, selector, key = 'Tab') {
  for (let i = 0; i < 400; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
    await page.keyboard.press(key);
    presses++;
  }
  assert.fail(`${selector} can't be reached with the keyboard`);
}

// next goes through the open questions by their key, which scripts have, to one with what a
// selector matches.
async function next(page, scripts, selector) {
  for (let i = 0; scripts && i < 20; i++) {
    await page.keyboard.down('Alt');
    await page.keyboard.press('n');
    await page.keyboard.up('Alt');
    presses++;
    if (await page.evaluate((s) => document.activeElement.matches(s) || document.activeElement.querySelector(s), selector)) return;
  }
  assert.ok(!scripts, `${selector} is not an open question`);
}

for (const scripts of [true, false]) {
  test(`a document is written from nothing with the keyboard, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', scripts);
    await to(page, '#name');
    await page.keyboard.type('Camera gate');
    await to(page, '[value=begin]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.match(await page.$eval('.progress', (p) => p.textContent), /0 of 4/);
    if (scripts) assert.equal(await page.evaluate(() => document.activeElement.id), 'problems', 'what is left to do is read first');
    presses = 0;
    for (const [category, element] of [['purpose', 'purpose.safety'], ['device', 'device.camera'], ['data', 'data.images'], ['responsible', 'responsible.in_charge']]) {
      await next(page, scripts, `[value="open ${category}"]`);
      await to(page, `[value="open ${category}"]`);
      await act(page, scripts, () => page.keyboard.press('Enter'));
      assert.ok(await page.$(`#list-${category}`), 'the list is open');
      await to(page, `[value="place ${element}"]`, scripts ? 'ArrowDown' : 'Tab');
      await act(page, scripts, () => page.keyboard.press('Enter'));
    }
    assert.match(await page.$eval('.progress', (p) => p.textContent), /4 of 4/);
    assert.ok((await problems(page)).includes('Area in view: Fill this in.'));
    await next(page, scripts, '[name="t:elements[1].context_type_id"]');
    await to(page, '[name="t:elements[1].context_type_id"]');
    await page.keyboard.press('ArrowDown');
    await to(page, '[name="v:en:1:area"]');
    await page.keyboard.type('the gate');
    await next(page, scripts, '[name="t:elements[2].context_type_id"]');
    await to(page, '[name="t:elements[2].context_type_id"]');
    await page.keyboard.press('ArrowDown');
    await next(page, scripts, '[name="v:en:3:organisation"]');
    await to(page, '[name="v:en:3:organisation"]');
    await page.keyboard.type('City Library');
    await to(page, '[name="v:en:3:contact"]');
    await page.keyboard.type('desk@library.example');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    await page.waitForSelector('#problems.good');
    if (scripts) assert.ok(presses < 50, `${presses} keys were pressed to move`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame.waitForSelector('h1');
    assert.equal(await frame.$eval('h1', (h) => h.textContent.trim()), 'Camera gate');
    for (const [width, beside] of [[1280, true], [1700, true], [768, false]]) {
      await page.setViewport({width, height: 900});
      assert.equal(await page.evaluate(() => {
        const [form, shown] = ['#compose', '#page'].map((id) => document.querySelector(id).getBoundingClientRect());
        return shown.left >= form.right && shown.top < innerHeight && shown.bottom > 0;
      }), beside, `the page is beside the form, ${width} px`);
      assert.equal(await tooWide(page), '', `${width} px`);
    }
    // Its sign opens in a tab of its own.
    await to(page, '[value=sign]');
    const [target] = await Promise.all([browser.waitForTarget((t) => t.opener() === page.target()), page.keyboard.press('Enter')]);
    const sign = await target.page();
    await sign.waitForSelector('main.sign .code svg');
    assert.match(await sign.$eval('main', (e) => e.innerText), /Camera[^]*\/d\/camera-gate/);
    await sign.close();
    const doc = JSON.parse(await text(page));
    assert.equal(doc.id, 'camera-gate');
    assert.equal(doc.elements[1].variables[0].value[0].value, 'the gate');
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('a document is opened, changed and kept, and every view is accessible', async () => {
  const {page, wrong} = await open('/compose', true);
  const check = async (name) => {
    await page.evaluate(axe);
    assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document, {iframes: false})).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), [], name);
    for (const width of [320, 768, 1280]) {
      await page.setViewport({width, height: 900});
      await settled(page);
      assert.equal(await tooWide(page), '', `${name}, ${width} px`);
    }
  };
  await check('start');
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  assert.equal(await text(page), valid);
  await check('form');
  const before = await page.$eval('[name="v:en:0:service"]', (input) => input.value);
  await page.click('[name="v:en:0:service"]');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await act(page, true, () => page.keyboard.press('Tab')); // it is checked while it is filled in
  assert.equal(await text(page), valid.replace(before, `${before}!`));
  assert.equal(await page.evaluate(() => document.activeElement.name), 'v:fr:0:service', 'the focus stays');
  await act(page, true, () => page.click('[value="open risk"]'));
  assert.equal(await page.evaluate(() => document.activeElement.name), 'q');
  await page.keyboard.type('discrimination');
  await act(page, true, () => page.keyboard.press('Enter'));
  assert.ok((await page.$$('.choice')).length > 0);
  await check('list');
  await act(page, true, () => page.click('[value="remove elements[0]"]'));
  assert.ok((await problems(page)).length > 0);
  assert.ok(await page.$('iframe'), 'the last good page stays');
  await check('problems');
  await page.click('.summary a');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a link holds the document, which is sent nowhere until a button is pressed', async () => {
  const first = await open('/compose', true);
  await act(first.page, true, async () => (await first.page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  await first.page.click('[data-share]');
  await first.page.waitForSelector('.share:not([hidden])');
  const link = await first.page.$eval('#link', (input) => input.value);
  assert.match(link, /\/compose#doc=[\w-]+$/);
  await first.page.close();
  const {page, wrong} = await open(link.slice(server.url.length), true);
  const posts = [];
  page.on('request', (r) => r.method() === 'POST' && posts.push(r.url()));
  assert.match(await page.$eval('#note', (n) => n.textContent), /has not been sent anywhere/);
  assert.deepEqual(posts, []);
  await act(page, true, () => page.keyboard.press('Enter'));
  assert.equal(await text(page), valid);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('one leads from one form of the text to the other', async () => {
  const {page, wrong} = await open('/compose', true);
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  await Promise.all([page.waitForNavigation(), page.click('[value=json]')]);
  await page.waitForSelector('#play[data-ready]');
  assert.equal(await page.$eval('#document', (area) => area.value), valid);
  await Promise.all([page.waitForNavigation(), page.click('[formaction$="/compose"]')]);
  await page.waitForSelector('#composer[data-ready]');
  assert.equal(await text(page), valid);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('nothing in a hostile document runs, with many things to look at', async () => {
  const file = join(await output('compose'), 'hostile.json');
  for (let turn = 0; turn < 7; turn++) {
    const hostile = JSON.stringify(attacked({...JSON.parse(valid), of_others: attacks}, turn), null, 1);
    await writeFile(file, hostile);
    for (const scripts of turn === 0 ? [true, false] : [true]) {
      const {page, wrong} = await open('/compose', scripts);
      await act(page, scripts, async () => {
        await (await page.$('#file')).uploadFile(file);
        if (!scripts) await page.click('form:has(#file) [value=check]');
      });
      assert.equal(await text(page), hostile, 'it is kept as it is');
      assert.ok(await page.$eval('#problems', (e) => e.offsetHeight < 500), 'the questions follow soon');
      await act(page, scripts, () => page.click('[value=check]'));
      assert.deepEqual(wrong, []);
      await page.close();
    }
  }
});

test('the form is laid out from right to left', async () => {
  const {page, wrong} = await open('/compose', true);
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'crossing-camera.json')));
  await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
  for (const width of [320, 1280]) {
    await page.setViewport({width, height: 900});
    await settled(page);
    assert.equal(await tooWide(page), '', `${width} px`);
  }
  assert.deepEqual(wrong, []);
  await page.close();
});
