// The main pages of the explorer, compared with golden screenshots: in light and dark, on a
// phone and on a desktop, in English, in French and from right to left.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {PNG} from 'pngjs';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {documents, here, output, serve} from './datachain.mjs';
import {onlyPinned, pinFonts} from './fonts.mjs';
import {alike, differences, palette, smooth, update} from './golden.mjs';
import {mirror, source} from './rewrite.mjs';

const stable = 'ai@2026-11-15-stable', beta = 'ai@2026-11-18-beta';
const devices = {phone: {width: 390, height: 844}, desktop: {width: 1280, height: 900}};

// pictures are the pages, each with its address and the language, device and colours in which
// it is shown. Not all combinations are there: each page has every language, both devices and
// both colours. at is what a picture begins with, if not the page.
const pictures = [
  {page: 'home', address: '/', shown: ['en desktop light', 'fr phone dark', 'ar phone light']},
  {page: 'catalog', address: `/t/${beta}`, shown: ['en phone light', 'fr desktop dark', 'ar desktop light']},
  {page: 'element', address: `/t/${stable}/e/input_data.identity`, shown: ['en desktop dark', 'fr phone light', 'ar phone dark']},
  {page: 'variants', address: `/t/${stable}/e/input_data.identity`, at: '#icons', shown: ['ar desktop light']},
  {page: 'category', address: `/t/${stable}/c/input_data`, shown: ['en phone dark', 'fr desktop light', 'ar desktop dark']},
  {page: 'compare', address: `/compare?old=${stable}&new=${beta}`, at: '.outcome', shown: ['en desktop light', 'fr phone light', 'ar phone dark']},
  {page: 'play', address: '/play', at: '.actions', shown: ['en desktop light', 'en phone dark', 'fr desktop dark', 'ar phone light']},
  {page: 'code', address: '/codes/INSTANCE_ELEMENT_UNKNOWN', shown: ['en desktop dark', 'fr phone light', 'ar phone dark']},
];

// still hides what differs from one moment to the next.
const still = '*, *::before, *::after { caret-color: transparent !important; animation: none !important; transition: none !important; scroll-behavior: auto !important; }';

let browser, samples, mirrored, broken;
before(async () => {
  broken = (await readFile(join(documents, 'benefits.json'), 'utf8')).replace('"purpose.benefits"', '"purpose.benefit"');
  samples = await serve('--samples', '--base-url', 'https://datachain.example');
  mirrored = await serve('--schemas', await source('mirrored-pictures', ['en', 'ar'], mirror), '--base-url', 'https://datachain.example');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  samples?.stop();
  mirrored?.stop();
});

// show opens a page as it is photographed.
async function show({page: name, address, at}, shown) {
  const [lang, device, scheme] = shown.split(' ');
  const server = lang === 'ar' ? mirrored : samples;
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setBypassCSP(true); // for the fonts
  await page.setViewport({...devices[device], deviceScaleFactor: 1});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}, {name: 'prefers-reduced-motion', value: 'reduce'}]);
  await open(`${server.url}${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
  await page.addStyleTag({content: still});
  await pinFonts(page, {sans: '--sans', mono: '--mono'});
  if (name === 'play') await check(page);
  await page.evaluate((at) => {
    document.activeElement?.blur();
    if (at) scrollTo(0, document.querySelector(at).getBoundingClientRect().top + scrollY - 16);
  }, at);
  await settled(page);
  return {page, wrong};
}

// check puts a document with an error into the playground, as one who types.
async function check(page) {
  await page.$eval('#document', (area, value) => { area.value = value; }, broken);
  await page.focus('#document');
  await page.keyboard.type(' ');
  await page.waitForSelector('li.finding');
  await page.waitForSelector('#results:not([aria-busy=true])');
}

const shoot = async (page) => Buffer.from(await page.screenshot());

for (const p of pictures) {
  for (const shown of p.shown) {
    const name = `${p.page}-${shown.replaceAll(' ', '-')}`;
    test(`${name} is unchanged`, async () => {
      const {page, wrong} = await show(p, shown);
      assert.equal(await tooWide(page), '');
      await onlyPinned(page, name);
      await alike('pictures', `pages/${name}`, await shoot(page), smooth);
      assert.deepEqual(wrong, []);
      await page.close();
    });
  }
}

// Each change is one that nobody wants and that a comparison could miss.
const changes = {
  'a button moved by two pixels': '.search button { translate: 2px 0; }',
  'an icon that is missing': '.taxonomy .icon:nth-child(2) { visibility: hidden; }',
  'a badge without its colour': '.badge.stable { color: var(--text); }',
  'quieter text': ':root { --muted: #77736b; }',
  'another accent': ':root { --accent: #0b4a67; }',
  'rows without a line': '.rows > li { border-color: transparent; }',
  'bolder headings': 'h3 { font-weight: 750 !important; }',
};

test('the comparison finds changes and tolerates smoothing', async () => {
  const {page} = await show(pictures[0], 'en desktop light');
  const shot = PNG.sync.read(await shoot(page));
  const want = PNG.sync.read(palette(shot));
  assert.deepEqual(differences(want, shot, smooth).found, []);
  for (const [what, css] of Object.entries(changes)) {
    const style = await page.addStyleTag({content: css});
    await settled(page);
    assert.notDeepEqual(differences(want, PNG.sync.read(await shoot(page)), smooth).found, [], what);
    await style.evaluate((e) => e.remove());
  }
  assert.deepEqual(differences(want, smoothed(shot), smooth).found, [], 'edges that are smoothed differently');
  await page.close();
});

// smoothed returns a picture whose edges are a little softer, as other processors draw them.
function smoothed({data, width, height}) {
  const soft = new PNG({width, height});
  soft.data = Buffer.from(data);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      for (let c = 0; c < 3; c++) {
        const i = (y * width + x) * 4 + c, around = data[i - 4] + data[i + 4] + data[i - width * 4] + data[i + width * 4];
        soft.data[i] = Math.round(data[i] * 0.96 + around * 0.01);
      }
    }
  }
  return soft;
}

test('a picture that differs is saved with the golden one', async () => {
  const name = 'pages/home-en-desktop-light', other = PNG.sync.write(new PNG({width: 2, height: 2}));
  if (update) return; // it would become the golden one
  await assert.rejects(alike('differing', name, other), /home-en-desktop-light looks different: 2×2 instead of [^]* actual: /);
  const saved = await readFile(join(await output('differing/pages'), 'home-en-desktop-light.actual.png'));
  assert.ok(saved.equals(other));
});

test('the golden screenshots are small', async () => {
  let sum = 0;
  for (const p of pictures) {
    for (const shown of p.shown) sum += (await readFile(join(here, 'golden', `pages/${p.page}-${shown.replaceAll(' ', '-')}.png`))).length;
  }
  assert.ok(sum < 1_500_000, `${sum} bytes`);
});
