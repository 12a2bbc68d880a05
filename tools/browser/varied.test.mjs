// The design of the pages of a register as large ones are: long texts in three languages, many places and purposes,
// and taxonomies without roles.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled} from './browser.mjs';
import {output, serve} from './datachain.mjs';
import {deviations, opened, shown} from './design.mjs';
import {languages, varied} from './varied.mjs';

// long are the numbers of the long documents, one of each taxonomy in each language.
const long = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19];
const own = (i) => `/d/system-${i}?lang=${languages[i % 3]}`;
const six = '/compare?documents=system-0,system-1,system-2,system-3,system-8,system-9';
const addresses = [
  ...languages.map((lang) => `/?lang=${lang}`), '/d?page=2', '/d?q=Kameras', '/d?q=traffic&lang=en', '/d?select=1&documents=system-0,system-1', '/d?status=retired&lang=ar',
  ...long.map(own), '/d/system-0?lang=ar', '/d/system-16?lang=en', '/d/system-5?lang=ar', '/d/system-7?lang=en', '/d/system-0/history', '/d/system-0/sign.html', '/d/system-16/sign.html?lang=ar&kind=label', '/d/system-3/sign.html?kind=notice&size=A4',
  '/d/system-2/sign.html?lang=en', '/d/system-6/sign.html?lang=de', six, `${six}&lang=ar`, '/changes', '/changes?page=2&lang=ar', '/d/system-400',
];

let browser, folder, server;
before(async () => {
  folder = await output('varied-pages');
  server = await serve(...await varied());
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

for (const address of addresses) {
  test(`${address} is as designed with long and many texts`, async () => {
    const page = await opened(browser, server, address, 1366);
    assert.deepEqual(await deviations(page, join(folder, address.replaceAll(/\W+/g, '-'))), []);
    await page.close();
  });
}

test('results begin on the first screen', async () => {
  for (const lang of languages) {
    const page = await opened(browser, server, `/?lang=${lang}`, 1366);
    for (const [width, most] of [[1366, 340], [390, 400]]) {
      await page.setViewport({width, height: 844, deviceScaleFactor: 1});
      await settled(page);
      const [first] = await shown(page, '.record');
      assert.ok(first.y <= most, `${lang}, ${width}: the first result begins at ${first.y}`);
    }
    await page.close();
  }
});

test('a summary ends in its action on the first screen of a phone', async () => {
  const late = []; // 900, and a line which says that some texts are in another language
  for (const i of long.filter((i) => i % 4 === 0)) { // summaries with five rows
    const page = await opened(browser, server, own(i), 390);
    const [action] = await shown(page, '.short .button');
    if (!(action?.bottom <= 930)) late.push(`${own(i)}: ${action?.bottom}`);
    assert.equal(await page.$$eval('.short *', (list) => list.filter((e) => getComputedStyle(e).webkitLineClamp !== 'none').length), 0, 'nothing is cut');
    await page.close();
  }
  assert.deepEqual(late, []);
});

test('facts are closed on phones, and name two of seven places', async () => {
  const page = await opened(browser, server, own(0), 390);
  assert.deepEqual(await shown(page, 'aside .facts'), []);
  await page.setViewport({width: 1366, height: 900});
  await settled(page);
  const facts = await page.$eval('aside .facts', (e) => e.innerText);
  assert.match(facts, /und 4 weitere|und 5 weitere/);
  await page.close();
});

test('without roles, nothing is said about what is not known', async () => {
  const page = await opened(browser, server, '/?lang=en', 1366);
  const rows = await page.$$eval('.record', (list) => list.map((row) => ({text: row.innerText, type: row.querySelector('a').pathname})));
  assert.ok(rows.length > 20);
  for (const {text, type} of rows) if (Number(type.split('-').at(-1)) % 4 > 1) assert.doesNotMatch(text, /Most sensitive data|Not said|Not asked/, text);
  await page.close();
});
