// The screenshot in the documentation. UPDATE=1 writes it; otherwise the test fails if the
// layout of the page has changed since.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {PNG} from 'pngjs';
import {launch, settled, watched} from './browser.mjs';
import {here, output} from './datachain.mjs';
import {page as render} from './rewrite.mjs';

const picture = join(here, '../../docs/view.png');
// The picture ends so many pixels below the last card of the flows.
const last = '.flows', width = 1152, below = 40;

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

test('the screenshot of the view ends below a card', async () => {
  const font = await readFile(createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
  const {page, wrong, open} = await watched(browser);
  await page.setBypassCSP(true); // for the font, which makes the picture independent of the machine
  await page.setViewport({width, height: 800, deviceScaleFactor: 1.5});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'light'}]);
  await open(await render(await output('docs'), 'benefits.json', {locale: 'en'}));
  await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    document.fonts.add(await new FontFace('Inter', bytes, {weight: '100 900'}).load());
    document.documentElement.style.setProperty('--font-sans', 'Inter');
  }, font.toString('base64'));
  await settled(page);
  const height = await page.$eval(last, (e, below) => Math.round(e.getBoundingClientRect().bottom + scrollY + below), below);
  const shot = PNG.sync.read(Buffer.from(await page.screenshot({clip: {x: 0, y: 0, width, height}})));
  if (process.env.UPDATE === '1') {
    await writeFile(picture, PNG.sync.write(shot, {colorType: 2, deflateLevel: 9}));
  }
  const want = PNG.sync.read(await readFile(picture));
  assert.ok(shot.width === want.width && Math.abs(shot.height - want.height) <= 8, 'The page has changed: run "make browser-update" and look at docs/view.png.');
  assert.deepEqual(wrong, []);
  await page.close();
});
