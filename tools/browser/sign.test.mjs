// Signs in a browser: they fit on their sheet, print on one page of the right size, and a
// decoder (zbar) reads the code from the rendered sign, also when it is small and blurred.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {scanRGBABuffer} from '@undecaf/zbar-wasm';
import {PNG} from 'pngjs';
import {launch, settled, watched} from './browser.mjs';
import {datachain, documents, output} from './datachain.mjs';

const sizes = {A6: [105, 148], A5: [148, 210], A4: [210, 297], Letter: [215.9, 279.4], A3: [297, 420]};
const base = 'https://register.example.org';
const document = join(documents, 'crossing-camera.json');

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// read decodes the codes in a picture, which is enlarged some times before: zbar samples
// lines of whole pixels, so it needs more of them than a code has to have.
async function read(picture, times = 1) {
  const from = PNG.sync.read(Buffer.from(picture));
  const width = from.width * times;
  const height = from.height * times;
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const left = Math.min(Math.floor(x / times), from.width - 2);
      const top = Math.min(Math.floor(y / times), from.height - 2);
      const right = x / times - left;
      const down = y / times - top;
      for (let c = 0; c < 4; c++) {
        const at = (dx, dy) => from.data[4 * ((top + dy) * from.width + left + dx) + c];
        pixels[4 * (y * width + x) + c] = (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - down) + (at(0, 1) * (1 - right) + at(1, 1) * right) * down;
      }
    }
  }
  return (await scanRGBABuffer(pixels.buffer, width, height)).map((s) => s.decode());
}

for (const [size, [width, height]] of Object.entries(sizes)) {
  test(`a sign on ${size} fits and its code is read`, async () => {
    const file = join(await output('sign'), `${size}.html`);
    await datachain('sign', document, '--base-url', base, '--size', size, '-o', file);
    const {page, wrong, open} = await watched(browser);
    await page.setViewport({width: 1240, height: 1700, deviceScaleFactor: 300 / 96});
    await open(file);
    await settled(page);
    const over = await page.evaluate(() => {
      const sheet = globalThis.document.querySelector('main').getBoundingClientRect();
      return [...globalThis.document.querySelectorAll('main *:not(title, wbr)')].filter((e) => {
        const box = e.getBoundingClientRect();
        return box.bottom > sheet.bottom || box.right > sheet.right || box.left < sheet.left;
      }).map((e) => e.outerHTML.slice(0, 80));
    });
    assert.deepEqual(over, []);

    const [seen] = await read(await (await page.$('main')).screenshot());
    assert.match(seen ?? '', /^https:\/\/register\.example\.org\/d\/[a-z-]+\/\?s=\d{4}-\d\d-\d\d$/);

    const pdf = Buffer.from(await page.pdf({preferCSSPageSize: true, printBackground: true})).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1, 'prints on one page');
    const [, w, h] = pdf.match(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/).map(Number);
    assert.ok(Math.abs(w - width / 25.4 * 72) < 1 && Math.abs(h - height / 25.4 * 72) < 1, `the page has ${w} by ${h} points`);

    // Three pixels a module, seen by a camera that is not quite in focus.
    await page.setViewport({width: 600, height: 600, deviceScaleFactor: 1});
    await page.evaluate(() => {
      const svg = globalThis.document.querySelector('.code svg');
      const side = 3 * svg.viewBox.baseVal.width;
      svg.setAttribute('width', side);
      svg.setAttribute('height', side);
      svg.setAttribute('filter', 'blur(1px)');
      globalThis.document.body.replaceChildren(svg);
    });
    assert.deepEqual(await read(await page.screenshot(), 4), [seen]);
    assert.deepEqual(wrong, []);
    await page.close();
  });
}
