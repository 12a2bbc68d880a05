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
      if (scripts) await page.keyboard.press('Enter'); // without a request
      else await act(page, scripts, () => page.keyboard.press('Enter'));
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
  await page.click('[value="open risk"]');
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

// requests counts the requests of a page to the server.
function requests(page) {
  const list = [];
  page.on('request', (r) => r.url().startsWith('http') && list.push(`${r.method()} ${r.url()}`));
  return list;
}
const choices = (page) => page.$$eval('.choice', (list) => list.map((c) => c.querySelector('h3').firstChild.textContent.trim()));

test('typing in a list filters it, and Enter never adds what the words do not match', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  await act(page, true, () => page.click('[value=begin]'));
  await page.click('[value="open device"]');
  const all = await choices(page);
  assert.ok(all.length > 3);
  assert.equal(all[0], 'Camera');
  await page.keyboard.type('number plate');
  assert.deepEqual(await choices(page), ['Number-plate reader']);
  await page.keyboard.press('ArrowDown');
  await act(page, true, () => page.keyboard.press('Enter'));
  assert.deepEqual(JSON.parse(await text(page)).elements.map((e) => e.element_id), ['device.plate_reader']);
  // A word of an element finds it, in the page, and it is added.
  await page.click('[value="open device"]');
  await page.keyboard.type('microph');
  assert.equal((await choices(page))[0], 'Microphone or noise meter');
  await page.keyboard.press('ArrowDown');
  await act(page, true, () => page.keyboard.press('Enter'));
  assert.equal(JSON.parse(await text(page)).elements.at(-1).element_id, 'device.sound_meter');
  // One that is found by its name comes before one that is found by its description.
  await page.click('[value="open device"]');
  await page.keyboard.type('reader');
  assert.equal((await choices(page))[0], 'Number-plate reader');
  // Words that only the server knows are asked for there.
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.type('xylophone');
  await page.waitForSelector('.choices .notice');
  assert.deepEqual(await choices(page), []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a list is filtered by its button without scripts', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', false);
  await act(page, false, () => page.click('[value=begin]'));
  await act(page, false, () => page.click('[value="open device"]'));
  await page.type('[name=q]', 'camera');
  await act(page, false, () => page.click('[value="find device"]'));
  assert.ok((await choices(page)).includes('Camera'));
  assert.ok((await choices(page)).length < 4);
  await page.$eval('[name=q]', (q) => { q.value = 'xylophone'; });
  await page.focus('[name=q]');
  await act(page, false, () => page.keyboard.press('Enter'));
  assert.deepEqual(await choices(page), []);
  assert.deepEqual(JSON.parse(await text(page)).elements, []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('answering a question costs one request', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  await act(page, true, () => page.click('[value=begin]'));
  const sent = requests(page);
  for (const [category, element, fields] of [['responsible', 'responsible.in_charge', ['v:en:0:organisation', 'v:en:0:contact']], ['device', 'device.camera', ['v:en:1:area']]]) {
    sent.length = 0;
    await page.click(`[value="open ${category}"]`);
    await act(page, true, () => page.click(`[value="place ${element}"]`));
    for (const name of fields) {
      await page.type(`[name="${name}"]`, 'something');
      await page.keyboard.press('Tab');
    }
    await new Promise((done) => setTimeout(done, 6500)); // longer than the form waits
    assert.equal(sent.length, 1, sent.join('\n'));
    for (const name of fields) assert.equal(await page.$eval(`[name="${name}"]`, (input) => input.value), 'something');
  }
  // What was filled in is sent with the next request.
  await act(page, true, () => page.click('[value=check]'));
  assert.equal(JSON.parse(await text(page)).elements[0].variables.length, 2);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what was typed and can not be used is not lost', async () => {
  const {page, wrong} = await open('/compose', true);
  page.removeAllListeners('dialog').on('dialog', (d) => d.accept()); // whether to leave
  const half = {'n:elements[0].priority': 'first', 't:register.since': '2026-1', 'v:en:0:service': 'half a sent'};
  const shown = (on) => on.evaluate((names) => Object.fromEntries(names.map((name) => [name, document.querySelector(`[name="${CSS.escape(name)}"]`)?.value])), Object.keys(half));
  const again = async (on) => {
    await on.waitForSelector('#composer[data-ready] #recent li button');
    await act(on, true, () => on.click('#recent li button'));
    assert.deepEqual(await shown(on), half);
  };
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  for (const [name, value] of Object.entries(half)) {
    await page.$eval(`[name="${name}"]`, (input) => input.select());
    await page.type(`[name="${name}"]`, value);
  }
  await page.reload();
  await again(page);
  await page.waitForSelector('[id^="r-f-"]');
  await page.goto(`${server.url}/docs`);
  await page.goBack();
  if (!await page.$('[name="t:id"]')) await again(page);
  assert.deepEqual(await shown(page), half);
  // Another tab has the same document, and one with the same name.
  const other = (await open('/compose', true)).page;
  await again(other);
  await other.$eval('[name="n:elements[0].priority"]', (input) => input.select());
  await other.type('[name="n:elements[0].priority"]', 'second');
  await other.close({runBeforeUnload: false});
  const third = (await open('/compose', true)).page;
  await act(third, true, async () => (await third.$('#file')).uploadFile(join(documents, 'benefits.json')));
  await third.close();
  assert.deepEqual(await shown(page), half);
  await page.reload();
  await page.waitForSelector('#composer[data-ready] #recent li button');
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('datachain.recent')).map((d) => d.fields?.find(([name]) => name === 'n:elements[0].priority')?.[1]));
  assert.ok(kept.includes('first') && kept.includes('second'), JSON.stringify(kept));
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what is typed while the server answers stays', async () => {
  const {page, wrong} = await open('/compose', true);
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  await page.evaluate(() => {
    const own = window.fetch;
    window.fetch = async (...args) => {
      const response = await own(...args);
      await new Promise((done) => setTimeout(done, 500));
      return response;
    };
  });
  await act(page, true, async () => {
    await page.click('[value="new sources"]');
    await page.$eval('[name="t:id"]', (input) => input.select());
    await page.type('[name="t:id"]', 'typed-late');
  });
  assert.equal(await page.$eval('[name="t:id"]', (input) => input.value), 'typed-late');
  assert.deepEqual(wrong, []);
  await page.close();
});
