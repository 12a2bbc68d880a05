// The contact sheet in a browser, compared with golden screenshots. Text looks different on
// every machine, so only the icons are compared.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled, tooWide, watched} from './browser.mjs';
import {datachain, output} from './datachain.mjs';
import {alike} from './golden.mjs';

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
    await alike('sheet', `sheet-${type}`, Buffer.from(await page.screenshot({fullPage: true})));
    assert.deepEqual(wrong, []);
    await page.close();
  });
}
