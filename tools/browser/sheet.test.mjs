// The contact sheet in a browser, compared with golden screenshots. Text looks different on
// every machine, so only the icons are compared.
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import pixelmatch from 'pixelmatch';
import {PNG} from 'pngjs';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {datachain, here, output} from './datachain.mjs';

const update = process.env.UPDATE === '1';

// The screenshots are compared square by square. In each square a few pixels may differ,
// because browsers smooth edges differently.
const side = 48, tolerated = 4;

// bare hides everything but the icons and their backgrounds.
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

// squares lists the squares with more than the tolerated differences.
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

// alike compares a screenshot with its golden one, and saves both if they differ.
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
  assert.deepEqual([got.width, got.height], [width, height], `The size of the screenshot differs: see ${actual} and ${golden}.`);
  const mask = new PNG({width, height});
  pixelmatch(want.data, got.data, mask.data, width, height, {threshold: 0.04, includeAA: true, diffMask: true});
  const found = squares(mask.data, width, height);
  if (found.length > 0) await writeFile(diff, PNG.sync.write(mask));
  assert.equal(found.length, 0, `The icons look different: ${found.slice(0, 5).join('; ')}.
  golden: ${golden}\n  actual: ${actual}\n  differing: ${diff}\nIf this is intended, run "make browser-update" and look at the golden screenshot.`);
}

for (const type of ['ai', 'sensor']) {
  test(`the icons of ${type} are unchanged`, async () => {
    const file = join(await output('sheet'), `${type}.html`);
    await datachain('icons', 'sheet', `${type}@latest`, '-o', file);
    const {page, wrong, open} = await watched(browser);
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      for (const width of [360, 1280]) {
        await page.setViewport({width, height: 800, deviceScaleFactor: 1});
        await open(file);
        assert.equal(await tooWide(page), '', `scrolls horizontally at ${width} px`);
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

test('the sheet as SVG is unchanged', async () => {
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
