// The screenshots in the documentation. UPDATE=1 writes them; otherwise a test fails if the
// layout of its page has changed since.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {PNG} from 'pngjs';
import {launch, settled, watched} from './browser.mjs';
import {datachain, here, output, serve} from './datachain.mjs';
import {pinFonts} from './fonts.mjs';
import {palette, update} from './golden.mjs';
import {page as render} from './rewrite.mjs';

const width = 1152;

let browser, server;
before(async () => {
  server = await serve('--samples');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// documented takes a screenshot of a page down to some pixels below an element, and compares
// its size with that of the file in docs.
async function documented(file, address, {last, below, fonts, write}) {
  const picture = join(here, '../../docs', file);
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setBypassCSP(true); // for the fonts, which make the picture independent of the machine
  await page.setViewport({width, height: 800, deviceScaleFactor: 1.5});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'light'}]);
  await open(address);
  await pinFonts(page, fonts);
  await settled(page);
  const height = await page.$eval(last, (e, below) => Math.round(e.getBoundingClientRect().bottom + scrollY + below), below);
  const shot = PNG.sync.read(Buffer.from(await page.screenshot({clip: {x: 0, y: 0, width, height}})));
  if (update) await writeFile(picture, write(shot));
  const want = PNG.sync.read(await readFile(picture));
  assert.ok(shot.width === want.width && Math.abs(shot.height - want.height) <= 8, `The page has changed: run "make browser-update" and look at docs/${file}.`);
  assert.deepEqual(wrong, []);
  await page.close();
}

test('the screenshot of the view ends below a card', async () => {
  const address = await render(await output('docs'), 'benefits.json', {locale: 'en'});
  const write = (shot) => PNG.sync.write(shot, {colorType: 2, deflateLevel: 9});
  await documented('view.png', address, {last: '.flows', below: 40, fonts: {sans: '--font-sans'}, write});
});

test('the screenshot of the explorer ends below a category', async () => {
  const address = `${server.url}/t/ai@2026-11-15-stable?lang=en`;
  await documented('explorer.png', address, {last: '.category', below: 28, fonts: {sans: '--sans', mono: '--mono'}, write: palette});
});

test('the picture of the README has a page on a phone and a sign', async () => {
  const directory = await output('readme');
  const [document, sign] = [join(directory, 'mill-street.json'), join(directory, 'sign.html')];
  const readme = await readFile(join(here, '../../README.md'), 'utf8');
  await writeFile(document, readme.match(/```json\n(.*?)```/s)[1]); // the picture shows the document of the README
  await datachain('sign', document, '--base-url', 'https://register.example.org', '--size', 'A6', '-o', sign);
  const shots = [];
  for (const [address, fonts, size] of [
    [await render(directory, 'mill-street.json', {locale: 'en', from: directory}), {sans: '--font-sans'}, {width: 390, height: 844}],
    [sign, null, {width: 420, height: 600}],
  ]) {
    const {page, wrong, open} = await watched(browser);
    await page.setBypassCSP(true); // for the fonts
    await page.setViewport({...size, deviceScaleFactor: 1.5});
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'light'}]);
    await open(address);
    if (fonts) await pinFonts(page, fonts);
    await settled(page);
    const target = fonts ? page : await page.$('.sheet');
    shots.push(PNG.sync.read(Buffer.from(await target.screenshot())));
    assert.deepEqual(wrong, []);
    await page.close();
  }
  const gap = 60;
  const both = new PNG({width: gap + shots.reduce((sum, s) => sum + s.width + gap, 0), height: 2 * gap + Math.max(...shots.map((s) => s.height))});
  both.data.fill(0xee);
  let left = gap;
  for (const shot of shots) {
    PNG.bitblt(shot, both, 0, 0, shot.width, shot.height, left, (both.height - shot.height) >> 1);
    left += shot.width + gap;
  }
  const picture = join(here, '../../docs/page-and-sign.png');
  if (update) await writeFile(picture, palette(both));
  const want = PNG.sync.read(await readFile(picture));
  assert.ok(both.width === want.width && Math.abs(both.height - want.height) <= 8, 'The page has changed: run "make browser-update" and look at docs/page-and-sign.png.');
});
