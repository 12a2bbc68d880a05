// The contact sheet in a browser, compared with golden pictures. Texts look
// different on every machine, so the icons alone are compared, each where it
// stands: one that changed is noticed, however many there are.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import pixelmatch from 'pixelmatch';
import {PNG} from 'pngjs';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {datachain, here, output} from './datachain.mjs';

const update = process.env.UPDATE === '1';

// Squares of this many pixels are looked at one by one, and in each so many may
// differ: edges are smoothed a little differently by other browsers.
const side = 48, tolerated = 4;

// bare hides all but the icons and what they stand on.
const bare = `
  body { padding: 8px; background: #888; }
  header, nav, h1, h2, section > p, .large b, .large small, thead, tbody th { display: none; }
  section { margin: 0; padding: 0; border: 0; background: none; }
  .pair svg:first-child { display: none; }
  .large { margin: 0; gap: 4px; }
  table, tbody { display: block; }
  tbody { display: flex; flex-wrap: wrap; gap: 2px; }
  tr { display: flex; }
  td { padding: 0; border: 0; width: auto; }
`;

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// squares lists where two pictures differ by more than is tolerated.
function squares(differing, width, height) {
  const found = [];
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      let n = 0;
      for (let j = y; j < Math.min(y + side, height); j++) {
        for (let i = x; i < Math.min(x + side, width); i++) n += differing[(j * width + i) * 4 + 3] > 0;
      }
      if (n > tolerated) found.push(`${n} pixels at ${x},${y}`);
    }
  }
  return found;
}

// alike compares a picture with its golden one, and keeps both where they differ.
async function alike(name, picture) {
  const golden = join(here, 'golden', `${name}.png`);
  if (update) {
    await writeFile(golden, PNG.sync.write(PNG.sync.read(picture), {colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0}));
    return;
  }
  const want = PNG.sync.read(await readFile(golden)), got = PNG.sync.read(picture);
  const folder = await output('sheet');
  const actual = join(folder, `${name}.actual.png`), diff = join(folder, `${name}.diff.png`);
  await writeFile(actual, picture);
  const {width, height} = want;
  assert.deepEqual([got.width, got.height], [width, height], `The picture has another size: see ${actual} and ${golden}.`);
  const mask = new PNG({width, height});
  pixelmatch(want.data, got.data, mask.data, width, height, {threshold: 0.04, includeAA: true, diffMask: true});
  const found = squares(mask.data, width, height);
  if (found.length > 0) await writeFile(diff, PNG.sync.write(mask));
  assert.equal(found.length, 0, `The icons look different: ${found.slice(0, 5).join('; ')}.
  golden: ${golden}\n  actual: ${actual}\n  differing: ${diff}\nIf that is meant, run "make browser-update" and look at the golden picture.`);
}

for (const type of ['ai', 'sensor']) {
  test(`the icons of ${type} look as they did`, async () => {
    const file = join(await output('sheet'), `${type}.html`);
    await datachain('icons', 'sheet', `${type}@latest`, '-o', file);
    const {page, wrong, open} = await watched(browser);
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      for (const width of [360, 1280]) {
        await page.setViewport({width, height: 800, deviceScaleFactor: 1});
        await open(file);
        assert.equal(await tooWide(page), '', `scrolls sideways at ${width} px`);
      }
    }
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'light'}]);
    await page.setViewport({width: 1000, height: 800, deviceScaleFactor: 1});
    await page.addStyleTag({content: bare});
    await settled(page);
    await alike(`sheet-${type}`, Buffer.from(await page.screenshot({fullPage: true})));
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('the sheet as one SVG looks as it did', async () => {
  const file = join(await output('sheet'), 'ai.svg');
  await datachain('icons', 'sheet', 'ai@latest', '--format', 'svg', '-o', file);
  const {page, wrong, open} = await watched(browser);
  await page.setViewport({width: 1454, height: 800, deviceScaleFactor: 0.5});
  await open(file);
  await page.evaluate(() => {
    for (const e of document.querySelectorAll('text')) e.remove();
  });
  await alike('sheet-ai-svg', Buffer.from(await page.screenshot({fullPage: true})));
  assert.deepEqual(wrong, []);
  await page.close();
});
