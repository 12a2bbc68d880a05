// The playground: by form without scripts, live with them, and links that hold a document,
// which no server sees.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {documents, serve} from './datachain.mjs';

let browser, server, axe, valid, broken;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  valid = await readFile(join(documents, 'benefits.json'), 'utf8');
  broken = valid.replace('"purpose.benefits"', '"purpose.benefit"');
  server = await serve('--samples', '--log-requests', 'on');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// play opens the playground with a text, and returns the page with what goes wrong on it.
async function play({address = '/play', scripts = true, text} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`) && !url.includes('#'));
  const posts = [];
  page.on('request', (r) => r.method() === 'POST' && posts.push(r.postData() ?? ''));
  await page.setJavaScriptEnabled(scripts);
  await open(server.url + address);
  if (scripts) await page.waitForSelector('#play[data-ready]');
  if (text !== undefined) await page.$eval('#document', (area, value) => { area.value = value; }, text);
  return {page, wrong, posts};
}

const findings = (page) => page.$$eval('li.finding a.code', (list) => list.map((a) => a.textContent));

test('a document is checked and fixed by form, without scripts', async () => {
  const {page, wrong} = await play({scripts: false, text: broken});
  await Promise.all([page.waitForNavigation(), page.click('[value=check]')]);
  assert.deepEqual(await findings(page), ['INSTANCE_ELEMENT_UNKNOWN']);
  await Promise.all([page.waitForNavigation(), page.click('li.finding button')]);
  assert.deepEqual(await findings(page), []);
  assert.equal(await page.$eval('#document', (area) => area.value), valid);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  assert.equal(await frame.$eval('h1', (h) => h.textContent.trim()), 'Checking requests for housing benefit');
  const line = await frame.$eval('.point', (e) => getComputedStyle(e).borderBottomStyle);
  assert.equal(line, 'solid', 'the style sheet of the page applies in the frame');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a document is checked while it is typed, and fixed in place', async () => {
  const {page, wrong} = await play({text: broken});
  await page.focus('#document');
  await page.keyboard.type(' ');
  await page.waitForSelector('li.finding');
  assert.deepEqual(await findings(page), ['INSTANCE_ELEMENT_UNKNOWN']);
  await page.locator('a.place').click();
  assert.equal(await page.$eval('#document', (a) => a.value.slice(a.selectionStart, a.selectionEnd)), '"purpose.benefit"');
  await page.locator('li.finding button').click();
  await page.waitForSelector('iframe');
  assert.equal((await page.$eval('#document', (a) => a.value)).trim(), valid.trim());
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document, {iframes: false})).violations.map((v) => v.id)), []);
  for (const width of [320, 768, 1280]) {
    await page.setViewport({width, height: 900});
    await settled(page);
    assert.equal(await tooWide(page), '', `${width} px`);
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a link holds the document, which is sent nowhere until Check is pressed', async () => {
  const first = await play({text: broken});
  await first.page.locator('[data-share]').click();
  await first.page.waitForSelector('.share:not([hidden])');
  const link = await first.page.$eval('#link', (input) => input.value);
  assert.match(link, /\/play#doc=[\w-]+$/);
  await first.page.close();

  const {page, wrong, posts} = await play({address: new URL(link).pathname + new URL(link).hash});
  await page.waitForFunction(() => document.getElementById('document').value !== '');
  assert.equal(await page.$eval('#document', (a) => a.value), broken);
  assert.match(await page.$eval('#note', (n) => n.textContent), /has not been sent anywhere/);
  await page.focus('#document');
  await page.keyboard.type(' ');
  // A timer of the page: it ends after the one after which other documents are sent.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 1500)));
  assert.deepEqual(posts, []);
  await page.locator('[value=check]').click();
  await page.waitForSelector('li.finding');
  assert.equal(posts.length, 1);
  assert.deepEqual(wrong, []);
  assert.ok(!server.log().includes('doc='), 'the fragment is not in the log');
  await page.close();
});

test('a link that is broken, or too large once unpacked, does no harm', async () => {
  for (const doc of ['x', '____', 'AAAA'.repeat(100)]) {
    const {page, wrong} = await play({address: `/play#doc=${doc}`});
    await page.waitForFunction(() => /can't be read/.test(document.getElementById('note').textContent));
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('a document that is too large is not sent, and the page says how large it may be', async () => {
  const {page, posts, wrong} = await play({text: '{}'});
  await page.$eval('#document', (area) => { area.value = JSON.stringify('x'.repeat(1 << 20)); });
  await page.locator('[value=check]').click();
  await page.waitForFunction(() => /too large\. The limit is 1 MiB\. Place fewer/.test(document.getElementById('note').textContent));
  assert.deepEqual(posts, []);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('recent documents stay in the browser until they are forgotten', async () => {
  const {page, wrong} = await play({text: valid});
  await page.evaluate(() => localStorage.clear());
  await page.locator('[value=check]').click();
  await page.waitForSelector('iframe');
  const names = () => page.$$eval('#recent li button', (list) => list.map((b) => b.textContent));
  assert.deepEqual(await names(), ['Checking requests for housing benefit']);
  await page.reload();
  await page.waitForSelector('#play[data-ready]');
  await page.locator('#recent li button').click();
  assert.equal(await page.$eval('#document', (a) => a.value), valid);
  await page.waitForSelector('iframe'); // it is checked, after which nothing moves
  await page.locator('[data-forget]').click();
  assert.deepEqual(await names(), []);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a document that was sent before the script ran is remembered', async () => {
  const {page, wrong} = await play({scripts: false, text: broken});
  await page.setJavaScriptEnabled(true); // from the next page on
  await Promise.all([page.waitForNavigation(), page.click('[value=check]')]);
  await page.waitForSelector('#play[data-ready]');
  assert.deepEqual(await findings(page), ['INSTANCE_ELEMENT_UNKNOWN']);
  assert.deepEqual(await page.$$eval('#recent li button', (list) => list.map((b) => b.textContent)), ['Checking requests for housing benefit']);
  assert.deepEqual(wrong, []);
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test('the page is beside the text, and stays there while the document is broken', async () => {
  const {page, wrong} = await play({text: valid});
  await page.focus('#document');
  await page.keyboard.type(' ');
  await page.waitForSelector('iframe');
  const beside = () => page.evaluate(() => {
    const [text, shown] = ['#document', '.document-page iframe'].map((s) => document.querySelector(s).getBoundingClientRect());
    return shown.left >= text.right && shown.top < text.bottom;
  });
  for (const [width, expected] of [[1280, true], [1900, true], [800, false], [390, false]]) {
    await page.setViewport({width, height: 900});
    await settled(page);
    assert.equal(await beside(), expected, `${width} px`);
    assert.equal(await tooWide(page), '', `${width} px`);
  }
  await page.setViewport({width: 1280, height: 900});
  await page.keyboard.type('x');
  await page.waitForSelector('.verdict.bad');
  assert.ok(await beside());
  await (await (await page.$('iframe')).contentFrame()).waitForSelector('h1');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('nothing in a document runs', async () => {
  const attack = '</textarea></iframe><script>trap()</script><img src=x onerror=trap()>';
  const hostile = valid.replaceAll('Town of Lindenau', attack).replace('Checking requests for housing benefit', attack);
  for (const scripts of [true, false]) {
    const {page, wrong} = await play({scripts, text: hostile});
    await Promise.all([scripts ? page.waitForSelector('iframe') : page.waitForNavigation(), page.click('[value=check]')]);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    assert.ok((await frame.$eval('h1', (h) => h.textContent)).includes('<script>trap()'));
    assert.deepEqual(wrong, []);
    await page.close();
  }
});
