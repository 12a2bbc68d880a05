// The form that writes documents: from nothing to a valid document with the keyboard alone, with
// and without scripts, and everything that keeps the document off the server.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {attacked, attacks} from './attacks.mjs';
import {eventually, launch, settled, tooWide, watched} from './browser.mjs';
import {datachain, documents, output, serve} from './datachain.mjs';

let browser, server, register, axe, valid;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  valid = await readFile(join(documents, 'benefits.json'), 'utf8');
  server = await serve('--samples', '--rate-limit', 'off');
  register = await serve('--documents', join(documents, '../register'), '--samples', '--rate-limit', 'off');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
  register?.stop();
});

// from allows requests of a server, without documents in them. The icon of a field for dates is
// Chromium's own.
const from = (at) => (url) => url.startsWith(`${at.url}/`) && !url.includes('doc=') || url.startsWith('data:image/svg+xml;base64,');

// open opens the form at an address, and returns the page with what goes wrong on it.
async function open(address, scripts, at = server) {
  const {page, wrong, open} = await watched(browser, from(at));
  await page.setJavaScriptEnabled(scripts);
  await open(at.url + address);
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
const opened = (page) => page.$$eval('.question[open]', (list) => list.map((q) => q.id).join());
const progress = (page) => page.$eval('#progress', (p) => p.textContent.trim());

// to moves the focus to what a selector matches, with the Tab key or another one.
async function to(page, selector, key = 'Tab') {
  for (let i = 0; i < 400; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${selector} can't be reached with the keyboard`);
}

test('every question of a taxonomy is answered and the file is saved, in 15 clicks and 5 texts', async () => {
  const {page, wrong, open: go} = await watched(browser, from(register));
  await page.setViewport({width: 1366, height: 900});
  const folder = await output('compose-saved');
  await rm(folder, {recursive: true, force: true});
  await (await browser.target().createCDPSession()).send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder, eventsEnabled: true});
  const posts = [];
  page.on('request', (r) => r.method() === 'POST' && posts.push(r.url()));
  let clicks = 0, texts = 0;
  const click = (selector) => {
    clicks++;
    return page.locator(selector).click();
  };
  const type = (words) => {
    texts++;
    return page.keyboard.type(words);
  };
  const answer = async (element) => click(`.question[open] button[name=place][value="${element}"]`);
  const turned = (id) => page.waitForSelector(`#${id}[open]`);
  await go(`${register.url}/`);
  await Promise.all([page.waitForNavigation(), page.click('a[href="/compose"]')]);
  await page.waitForSelector('#composer[data-ready]');
  await page.focus('#name');
  await type('Camera gate');
  await click('[value="begin sensor@2026-11-15-stable"]');
  await turned('where');
  await page.focus('[name="l:en:register.places[0].name"]');
  await type('Library');
  await page.keyboard.press('Enter'); // as good as the button
  await turned('c-purpose');
  await answer('purpose.safety');
  await click('.question[open] [value=next]');
  await turned('c-device');
  await answer('device.station');
  await page.keyboard.press('Enter'); // what it asks for is optional
  await turned('c-data');
  await answer('data.images');
  await click('.question[open] [value$=identifies_people]');
  await turned('c-people');
  await answer('people.visitors');
  await turned('c-processing');
  await answer('processing.identifiers_removed');
  await turned('c-storage');
  await answer('storage.local');
  await click('.question[open] [value$=days_7]');
  await turned('c-access');
  await answer('access.staff');
  await click('.question[open] [value$=results_only]');
  await turned('c-responsible');
  await answer('responsible.in_charge');
  await type('City Library');
  await page.keyboard.press('Tab');
  await type('desk@library.example');
  await page.keyboard.press('Enter');
  await turned('c-rights');
  assert.match(await page.$eval('#page', (e) => e.innerText), /City Library/, 'the summary follows');
  await answer('rights.ask');
  await type('Write to the desk.');
  await click('.hero [value=save]');
  const file = join(folder, 'camera-gate.datachain.json');
  await eventually(() => existsSync(file), 'the file is saved');
  await page.waitForFunction(() => document.querySelectorAll('.question.done').length === 11);
  assert.equal(await page.$eval('#note', (e) => e.textContent), 'Saved. Nothing is missing.');
  assert.ok(clicks <= 15 && texts <= 5, `${clicks} clicks, ${texts} texts`);
  assert.ok(posts.length <= 13, `${posts.length} requests: one to begin, one for each of 10 answers, and for saving and checking`);
  await datachain('validate', file, '--samples');
  const saved = JSON.parse(await readFile(file, 'utf8'));
  assert.equal(saved.elements.length, 9);
  assert.equal(saved.elements.filter((e) => e.variables?.some((v) => v.value.length === 0)).length, 0);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('several answers are ticked, with and without scripts', async () => {
  for (const scripts of [true, false]) {
    const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable&lang=en', scripts);
    if (scripts) await page.click('#c-purpose > summary');
    else for (let i = 0; i < 2; i++) await act(page, scripts, () => page.click('.question[open] [value=next]'));
    const box = (element) => `.question[open] .tick input[value="${element}"]`;
    if (scripts) {
      await act(page, scripts, () => page.click(box('purpose.traffic')));
      assert.equal(await page.evaluate(() => document.activeElement.value), 'purpose.traffic');
      await act(page, scripts, () => page.click(box('purpose.planning')));
      assert.equal(await opened(page), 'c-purpose', 'it is open until its person goes on');
      await act(page, scripts, () => page.click(box('purpose.planning')));
      assert.deepEqual(await placed(page), ['purpose.traffic'], 'what is ticked no more is no answer');
      await act(page, scripts, () => page.click('.question[open] .add > summary').then(() => page.click(box('purpose.planning'))));
    } else {
      await page.click(box('purpose.traffic'));
      await page.click(box('purpose.planning'));
    }
    await act(page, scripts, () => page.click('.question[open] [value=next]'));
    assert.deepEqual(await placed(page), ['purpose.traffic', 'purpose.planning']);
    assert.equal(await opened(page), 'c-device');
    // What was ticked asks for something that nobody has seen yet.
    if (!scripts) {
      await page.click(box('device.camera'));
      await act(page, scripts, () => page.click('.question[open] [value=next]'));
      assert.equal(await opened(page), 'c-device');
      assert.match(await page.$eval('#c-device .wrong', (e) => e.textContent), /Write for “Camera”: Area in view/);
    }
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

for (const scripts of [true, false]) {
  test(`a document is written from nothing with the keyboard, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const {page, wrong} = await open('/compose', scripts);
    await to(page, '#name');
    await page.keyboard.type('Camera gate');
    await to(page, '[value="begin sensor@2026-11-15-stable"]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await opened(page), 'where');
    assert.match(await progress(page), /1 of 5/);
    if (scripts) assert.equal(await page.evaluate(() => document.activeElement.id), 'open', 'the question is read first');
    await to(page, '.question[open] [value=next]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await opened(page), 'c-purpose');
    await to(page, 'button[value="purpose.safety"]');
    if (scripts) await page.keyboard.press('Enter');
    else await act(page, scripts, () => page.keyboard.press('Enter'));
    await to(page, '.question[open] [value=next]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await opened(page), 'c-device');
    await to(page, '.question[open] [type=search]');
    if (scripts) {
      await page.keyboard.type('camera');
      await page.keyboard.press('ArrowDown');
    }
    await to(page, 'button[value="device.camera"]');
    if (scripts) await page.keyboard.press('Enter');
    else await act(page, scripts, () => page.keyboard.press('Enter'));
    await to(page, '[name$=":area"]');
    await page.keyboard.type('the gate');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await opened(page), 'c-data');
    await to(page, 'button[value="data.images"]', scripts ? 'Tab' : 'Tab');
    if (scripts) await page.keyboard.press('Enter');
    else await act(page, scripts, () => page.keyboard.press('Enter'));
    await to(page, '.question[open] [value$=" could_identify_people"]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await opened(page), 'c-people');
    // A question is opened out of turn, and left incomplete.
    await to(page, '#c-responsible summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#c-responsible[open]');
    if (!scripts) {
      await to(page, '[value="open c-responsible"]');
      await act(page, scripts, () => page.keyboard.press('Enter'));
    }
    await to(page, 'button[value="responsible.in_charge"]');
    if (scripts) await page.keyboard.press('Enter');
    else await act(page, scripts, () => page.keyboard.press('Enter'));
    await to(page, '[name$=":organisation"]');
    await page.keyboard.type('City Library');
    assert.equal((await page.$$('.wrong')).length, 0);
    await to(page, '.question[open] [value=next]');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.match(await progress(page), /4 of 5[^]*1 answer to complete/);
    await to(page, '#progress a');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#c-responsible[open]');
    await to(page, '[name="v:en:3:contact"]');
    await page.keyboard.type('desk@library.example');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.doesNotMatch(await progress(page), /to complete/);
    const doc = JSON.parse(await text(page));
    assert.equal(doc.id, 'camera-gate');
    assert.equal(doc.elements[1].variables[0].value[0].value, 'the gate');
    assert.equal(doc.elements[2].context_type_id, 'could_identify_people');
    // Its page opens in another tab.
    await to(page, '.hero [value=page]');
    const [target] = await Promise.all([browser.waitForTarget((t) => t.opener() === page.target()), page.keyboard.press('Enter')]);
    const preview = await target.page();
    await preview.waitForSelector('.short');
    assert.equal(await preview.$eval('h1', (h) => h.textContent.trim()), 'Camera gate');
    await preview.close();
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

for (const scripts of [true, false]) {
  test(`Enter in the title chooses nothing, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const {page, wrong} = await open('/compose', scripts);
    await page.type('#name', 'Gate');
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await page.$('#compose[data-version]'), null);
    assert.equal(await page.$eval('#name', (input) => input.value), 'Gate');
    await page.keyboard.press('Tab'); // from the question that comes next
    assert.match(await page.evaluate(() => document.activeElement.value), /^begin /);
    await act(page, scripts, () => page.keyboard.press('Enter'));
    assert.equal(await page.$eval('h1', (h) => h.textContent), 'Gate');
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

for (const scripts of [true, false]) {
  test(`a description starts from a product, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const {page, wrong} = await open('/compose?lang=en', scripts);
    await page.type('#name', 'Housing benefit');
    await act(page, scripts, () => page.click('[value=product]'));
    const choose = async (name) => {
      await (await page.$('#file')).uploadFile(join(documents, name));
      await act(page, scripts, () => page.click('.actions [value=product]'));
    };
    await page.type('#from', 'https://fairdesk.example/benefit-calculator.json');
    await choose('benefits.json');
    assert.match(await page.$eval('.wrong', (e) => e.textContent), /does not describe a product/);
    await choose('../register/products/benefit-calculator.json');
    assert.equal(await page.$eval('h1', (h) => h.textContent), 'Housing benefit');
    const {register: {based_on: base, ...rest}} = JSON.parse(await text(page));
    assert.equal(base.url, 'https://fairdesk.example/benefit-calculator.json', 'what was typed before stays');
    assert.deepEqual(rest, {});
    assert.ok((await page.$eval('.finish', (e) => e.innerText)).includes(`.bases/${base.edition}.json`));
    for (let i = 0; i < 2; i++) await act(page, scripts, () => page.click('.question[open] [value=next]'));
    assert.equal(await opened(page), 'c-purpose', 'the first gap');
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('the summary is beside the form, and nothing stays on top', async () => {
  const {page, wrong} = await open('/compose', true);
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'crossing-camera.json')));
  for (const [width, beside] of [[1366, true], [768, false], [341, false]]) { // 341 is 1366 at 400 %
    await page.setViewport({width, height: 900});
    assert.equal(await page.evaluate(() => {
      const [form, shown] = ['#compose', '#page'].map((id) => document.querySelector(id).getBoundingClientRect());
      return shown.left >= form.right && shown.top < innerHeight && shown.bottom > 0;
    }), beside, `${width} px`);
    assert.equal(await tooWide(page), '', `${width} px`);
    assert.deepEqual(await page.$$eval('#compose *', (list) => list.filter((e) => getComputedStyle(e).position === 'sticky').map((e) => e.className)), []);
  }
  assert.doesNotMatch(await page.$eval('#compose', (e) => e.innerText), /JSON|\bids?\b|fields?\b|version|taxonom|element|placement/i, 'words of the format are behind More');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a document is opened, changed and kept, and every view is accessible in both schemes', async () => {
  const {page, wrong} = await open('/compose', true);
  const check = async (name) => {
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      await page.evaluate(axe);
      assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document.querySelector('main'), {iframes: false})).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), [], `${name}, ${scheme}`);
    }
    for (const width of [320, 768, 1280]) {
      await page.setViewport({width, height: 900});
      await settled(page);
      assert.equal(await tooWide(page), '', `${name}, ${width} px`);
    }
  };
  await check('start');
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  assert.equal(await text(page), valid);
  for (const question of ['name', 'c-purpose', 'c-input_data', 'where']) {
    await page.click(`#${question} > summary`);
    await page.waitForSelector(`#${question}[open]`);
    assert.equal(await opened(page), question, 'one is open');
    await check(question);
  }
  await page.click('.hero .fold > summary');
  await page.click('#details > summary');
  await check('more');
  await page.click('#c-purpose > summary');
  const before = await page.$eval('[name="v:en:0:service"]', (input) => input.value);
  await page.click('[name="v:en:0:service"]');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await act(page, true, () => page.click('#c-risk > summary')); // it is sent when it is left
  const undated = (t) => t.replace(/,\s*"updated_at":\s*"[^"]*"/, ''); // the form sets the time of the change
  assert.equal(undated(await text(page)), undated(valid.replace(before, `${before}!`)));
  assert.equal(await opened(page), 'c-risk');
  await page.click('#c-risk .add > summary');
  await page.focus('#s-c-risk');
  await page.keyboard.type('discrimination');
  assert.ok((await page.$$('#c-risk .choices button')).length > 0);
  await check('list');
  await page.click('#c-purpose > summary');
  await act(page, true, () => page.click('[value="remove elements[0]"]'));
  await act(page, true, () => page.click('.hero [value=page]'));
  assert.ok((await problems(page)).length > 0);
  assert.ok(await page.$('#page:not([hidden])'), 'the summary stays');
  await check('problems');
  await page.click('.summary a');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a link holds the document, which is sent nowhere until a button is pressed', async () => {
  const first = await open('/compose', true);
  await act(first.page, true, async () => (await first.page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  await first.page.click('.hero .fold > summary');
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
  await page.click('.hero .fold > summary');
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
      await act(page, scripts, () => page.click('.question:not([open]) > summary').then(() => page.click('.question[open] [value=next]')));
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
const choices = (page) => page.$$eval('.question[open] .choices [name=place]', (list) => list.map((c) => c.querySelector('strong').textContent.trim()));

test('typing in a list filters it, and Enter never adds what the words do not match', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  await page.click('#c-device > summary');
  const all = await choices(page);
  assert.ok(all.length > 3);
  assert.equal(all[0], 'Camera');
  await page.focus('#s-c-device');
  await page.keyboard.type('number plate');
  assert.deepEqual(await choices(page), ['Number-plate reader']);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.value), 'device.plate_reader', 'the first match');
  await page.keyboard.press('Enter'); // what it asks for is shown
  await act(page, true, () => page.click('.question[open] [value=next]'));
  assert.deepEqual(JSON.parse(await text(page)).elements.map((e) => e.element_id), ['device.plate_reader']);
  // A word of an element finds it, in the page, and it is added.
  await page.click('#c-device > summary');
  await page.click('#c-device .add > summary');
  await page.focus('#s-c-device');
  await page.keyboard.type('microph');
  assert.equal((await choices(page))[0], 'Microphone or noise meter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await act(page, true, () => page.click('.question[open] [value=next]'));
  assert.equal(JSON.parse(await text(page)).elements.at(-1).element_id, 'device.sound_meter');
  await page.click('#c-device > summary');
  // One that is found by its name comes before one that is found by its description.
  await page.click('#c-device .add > summary');
  await page.focus('#s-c-device');
  await page.keyboard.type('reader');
  assert.equal((await choices(page))[0], 'Number-plate reader');
  // Words that only the server knows are asked for there.
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.type('xylophone');
  await page.waitForSelector('.choices .none');
  assert.deepEqual(await choices(page), []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a list is filtered by its button without scripts', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', false);
  await page.click('#c-device > summary');
  await act(page, false, () => page.click('[value="open c-device"]'));
  await page.type('#s-c-device', 'camera');
  await act(page, false, () => page.click('[value="find c-device"]'));
  assert.ok((await choices(page)).includes('Camera'));
  assert.ok((await choices(page)).length < 4);
  await page.$eval('#s-c-device', (q) => { q.value = 'xylophone'; });
  await act(page, false, () => page.click('[value="find c-device"]'));
  assert.deepEqual(await choices(page), []);
  assert.deepEqual(JSON.parse(await text(page)).elements, []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('answering a question costs one request, in any order', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  const sent = requests(page);
  for (const [category, element, fields] of [['responsible', 'responsible.in_charge', ['organisation', 'contact']], ['device', 'device.camera', ['area']], ['processing', 'processing.aggregated', []]]) {
    sent.length = 0;
    await page.click(`#c-${category} > summary`);
    if (fields.length === 0) {
      await act(page, true, () => page.click(`button[value="${element}"]`));
    } else {
      await page.click(`button[value="${element}"]`);
      for (const name of fields) await page.type(`[name$=":${name}"]`, 'something');
      await act(page, true, () => page.click('.question[open] [value=next]'));
      for (const name of fields) assert.equal(await page.$eval(`[name$=":${name}"]`, (input) => input.value), 'something');
    }
    await new Promise((done) => setTimeout(done, 500)); // longer than the form waits
    assert.equal(sent.length, 1, sent.join('\n'));
  }
  assert.equal(JSON.parse(await text(page)).elements[0].variables.length, 2);
  // An answer that is being filled in can be taken back, and nothing is sent.
  sent.length = 0;
  await page.click('#c-data > summary');
  await page.click('button[value="data.images"]');
  await page.click('[data-undo]');
  assert.ok(await page.$eval('#list-c-data', (e) => e.checkVisibility()));
  assert.equal(sent.length, 0);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what was typed and can not be used is not lost', async () => {
  const {page, wrong} = await open('/compose', true);
  page.removeAllListeners('dialog').on('dialog', (d) => d.accept()); // whether to leave
  const half = {'n:elements[0].priority': 'first', 'v:en:0:service': 'half a sent'};
  const shown = (on) => on.evaluate((names) => Object.fromEntries(names.map((name) => [name, document.querySelector(`[name="${CSS.escape(name)}"]`)?.value])), Object.keys(half));
  const again = async (on) => {
    await on.waitForSelector('#composer[data-ready] #recent li button');
    await act(on, true, () => on.click('#recent li button'));
    assert.deepEqual(await shown(on), half);
  };
  await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'benefits.json')));
  for (const [name, value] of Object.entries(half)) {
    await page.$eval(`[name="${name}"]`, (input) => { for (let e = input; (e = e.parentElement.closest('details'));) e.open = true; });
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
  await other.$eval('[name="n:elements[0].priority"]', (input) => { for (let e = input; (e = e.parentElement.closest('details'));) e.open = true; input.select(); });
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
  await page.click('#details > summary');
  await act(page, true, async () => {
    await page.$eval('[value="new sources"]', (button) => button.click());
    await page.$eval('[name="t:id"]', (input) => input.select());
    await page.type('[name="t:id"]', 'typed-late');
  });
  assert.equal(await page.$eval('[name="t:id"]', (input) => input.value), 'typed-late');
  assert.deepEqual(wrong, []);
  await page.close();
});

// delayed holds the answers of the server that the page waits for: arrived waits for one, and release
// hands over the first.
async function delayed(page) {
  await page.evaluate(() => {
    const own = window.fetch;
    window.held = [];
    window.fetch = async (url, options) => {
      const response = await own(url, options);
      const body = await response.blob();
      await new Promise((go, fail) => {
        window.held.push(go);
        options.signal?.addEventListener('abort', () => {
          window.held = window.held.filter((other) => other !== go);
          fail(options.signal.reason);
        });
      });
      return new Response(body, response);
    };
  });
  const arrived = () => page.waitForFunction(() => window.held.length > 0);
  return {arrived, release: async () => {
    await arrived();
    await page.evaluate(() => window.held.shift()());
  }};
}
const placed = async (page) => JSON.parse(await text(page)).elements.map((e) => e.element_id);
const has = (page, ...elements) => page.waitForFunction((want) => {
  const {elements} = JSON.parse(document.querySelector('[name=document]').value);
  return JSON.stringify(elements.map((e) => e.element_id)) === want;
}, {}, JSON.stringify(elements));

test('an answer that comes late takes nothing away', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  const {arrived, release} = await delayed(page);
  await page.type('[name="l:en:title"]', 'Gate');
  await page.click('#c-device > summary'); // the title is sent
  await arrived();
  await page.click('button[value="device.camera"]');
  await page.type('[name$=":area"]', 'the gate');
  await release();
  await page.waitForFunction(() => document.querySelector('h1').textContent === 'Gate');
  assert.equal(await opened(page), 'c-device');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.name.split(':').at(-1), document.activeElement.value]), ['area', 'the gate']);

  // Answers that are chosen before the one before has come.
  await page.click('.question[open] [value=next]');
  await arrived();
  await page.click('#c-processing > summary');
  await page.click('button[value="processing.aggregated"]');
  await page.click('#c-rights > summary');
  await release();
  await has(page, 'device.camera');
  assert.equal(await opened(page), 'c-rights');
  await arrived();
  await page.click('button[value="rights.avoid"]');
  await page.type('[name$=":how"]', 'Write to the desk.');
  await page.$eval('[name="t:instance_version"]', (input) => { input.value = '2'; });
  await release();
  await has(page, 'device.camera', 'processing.aggregated');
  assert.equal(await opened(page), 'c-rights');
  assert.equal(await page.$eval('[name$=":how"]', (input) => input.value), 'Write to the desk.');
  await page.click('.question[open] [value=next]');
  await release();
  await has(page, 'device.camera', 'processing.aggregated', 'rights.avoid');
  const doc = JSON.parse(await text(page));
  assert.deepEqual(doc.elements.map((e) => e.variables?.[0].value[0].value), ['the gate', undefined, 'Write to the desk.']);
  assert.equal(doc.instance_version, '2');
  assert.deepEqual(wrong, []);
  await page.close();
});

// In this version, a purpose asks for nothing else.
test('one answer is one press', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-06-15-stable', true);
  const {arrived, release} = await delayed(page);
  await page.click('#c-purpose > summary');
  await page.click('button[value="purpose.safety"]');
  await arrived();
  await page.click('button[value="purpose.safety"]');
  await page.click('.question[open] [value=next]'); // as it is open still
  await release();
  await has(page, 'purpose.safety');
  assert.equal(await opened(page), 'c-device', 'none is skipped');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'open');
  // What is optional is shown with the answer, before anything is sent.
  await page.click('button[value="device.station"]');
  await page.waitForSelector('#c-device .placement [type=radio]');
  await page.click('.question[open] [value=next]');
  await release();
  await has(page, 'purpose.safety', 'device.station');
  assert.equal(await opened(page), 'c-data', 'nothing else was pressed');
  // A double click is one, however soon the answer comes.
  await page.evaluate(() => { window.held = {push: (go) => go(), filter: () => window.held}; });
  await page.click('#c-processing > summary');
  await page.click('button[value="processing.aggregated"]', {count: 2});
  await has(page, 'purpose.safety', 'device.station', 'processing.aggregated');
  assert.equal(await page.$('#compose input[name=place]'), null);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what is under the pointer when an answer comes is pressed', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-06-15-stable', true);
  const {arrived, release} = await delayed(page);
  await page.type('[name="l:en:title"]', 'Gate');
  await page.click('#c-purpose > summary');
  await arrived();
  await page.hover('button[value="purpose.safety"]');
  await page.mouse.down();
  await release();
  await settled(page);
  await page.mouse.up();
  await release();
  await has(page, 'purpose.safety');
  assert.equal(await page.$eval('h1', (h) => h.textContent), 'Gate');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what is typed before the script has started counts', async () => {
  const {page, wrong, open: go} = await watched(browser, from(server));
  await page.evaluateOnNewDocument(() => { // the script waits for a lock
    const own = navigator.locks.request.bind(navigator.locks), started = new Promise((start) => { window.start = start; });
    navigator.locks.request = async (...args) => {
      await started;
      return own(...args);
    };
  });
  const start = async () => {
    await page.evaluate(() => window.start());
    await page.waitForSelector('#composer[data-ready]');
  };
  await go(`${server.url}/compose`);
  await page.type('#name', 'Gate');
  await Promise.all([page.waitForNavigation(), page.click('[value="begin sensor@2026-11-15-stable"]')]);
  await Promise.all([page.waitForNavigation(), page.click('.question[open] [value=next]')]);
  await page.type('#s-c-purpose', 'safety');
  assert.ok((await choices(page)).length > 1);
  await start();
  assert.equal((await choices(page)).length, 1);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await act(page, true, () => page.click('.question[open] [value=next]'));
  assert.deepEqual(await placed(page), ['purpose.safety']);
  await go(`${server.url}/compose?new=sensor@2026-11-15-stable`);
  await page.type('[name="l:en:title"]', 'Bridge');
  await start();
  await act(page, true, () => page.click('#c-purpose > summary'));
  assert.equal(await page.$eval('h1', (h) => h.textContent), 'Bridge');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a draft is listed by the title that was typed', async () => {
  const {page, wrong} = await open('/compose?new=sensor@2026-11-15-stable', true);
  await page.type('[name="l:en:title"]', 'Camera at the gate');
  await page.goto(`${server.url}/compose`);
  await page.waitForSelector('#composer[data-ready] #recent li button');
  assert.equal(await page.$eval('#recent li button', (b) => b.textContent), 'Camera at the gate');
  await act(page, true, () => page.click('#recent li button'));
  assert.equal(await page.$eval('h1', (h) => h.textContent), 'Camera at the gate');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a document is sent to the register, and nothing before the click', async () => {
  const folder = await output('compose-register');
  await writeFile(join(folder, 'register.yaml'), 'contribute: {repository: https://github.com/town/register, kind: github, folder: documents}\n');
  await writeFile(join(folder, 'benefits.json'), valid);
  const at = await serve('--documents', folder, '--samples', '--rate-limit', 'off');
  try {
    // Without a register's word on it, the page says what to do.
    const plain = await open('/compose', true);
    await act(plain.page, true, async () => (await plain.page.$('#file')).uploadFile(join(documents, 'air-station.json')));
    assert.match(await plain.page.$eval('.finish', (e) => e.innerText), /Save the file and give it to/);
    await plain.page.close();

    const {page, wrong} = await open('/compose', true, at);
    const shared = async () => {
      await page.evaluate(() => {
        window.open = () => ({location: {replace: (url) => { window.sent = url; }}, close: () => {}});
        navigator.clipboard.writeText = async (copied) => { window.copied = copied; };
      });
      assert.match(await page.$eval('.finish', (e) => e.innerText), /github\.com\/town\/register receives the text/);
      await page.click('.finish a[data-send]');
      await page.waitForFunction(() => window.sent);
      return page.evaluate(() => [window.sent, window.copied]);
    };
    await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'air-station.json')));
    const [address] = await shared();
    assert.ok(address.length < 8000);
    assert.equal(new URL(address).pathname, '/town/register/new/main/documents');
    assert.deepEqual(JSON.parse(new URL(address).searchParams.get('value')), JSON.parse(await text(page)));

    // A change of a document is copied, and its file is opened.
    await page.goto(`${at.url}/d/housing-benefit-check?lang=en`);
    await Promise.all([page.waitForNavigation(), page.evaluate(() => [...document.querySelectorAll('a')].find((a) => a.textContent.trim() === 'Suggest a change').click())]);
    await page.waitForSelector('#composer[data-ready]');
    await page.click('#name > summary');
    await page.$eval('[name="l:en:title"]', (input) => input.select());
    await page.keyboard.type('Another title');
    const [edit, copied] = await shared();
    assert.equal(edit, 'https://github.com/town/register/edit/main/documents/benefits.json');
    assert.match(copied, /"Another title"/);
    assert.match(copied, /"housing-benefit-check"/, 'the id stays');
    assert.deepEqual(wrong, []);
    await page.close();
  } finally {
    at.stop();
  }
});

test('a document is saved when a mail for it is opened', async () => {
  const folder = await output('compose-mail');
  await writeFile(join(folder, 'register.yaml'), 'contribute: {email: desk@town.example}\n');
  await writeFile(join(folder, 'benefits.json'), valid);
  const at = await serve('--documents', folder, '--samples', '--rate-limit', 'off');
  try {
    const {page, wrong} = await open('/compose', true, at);
    await act(page, true, async () => (await page.$('#file')).uploadFile(join(documents, 'air-station.json')));
    await (await browser.target().createCDPSession()).send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder, eventsEnabled: true});
    await page.evaluate(() => { window.open = (url, target) => { window.sent = `${url} ${target}`; }; });
    await page.click('.finish a[data-send]');
    await page.waitForFunction(() => window.sent);
    const saved = join(folder, 'market-square-air.datachain.json');
    await eventually(() => existsSync(saved), 'the file is saved');
    assert.deepEqual(JSON.parse(await readFile(saved, 'utf8')), JSON.parse(await text(page)));
    assert.match(await page.evaluate(() => window.sent), /^mailto:desk@town\.example\?subject=Air\S* _self$/);
    assert.deepEqual(wrong, []);
    await page.close();
  } finally {
    at.stop();
  }
});
