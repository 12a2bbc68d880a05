// Signs in a browser: they fit on their sheet, print on one page of the right size, and a
// decoder (zbar) reads the code from the rendered sign, also when it is small and blurred: from
// the page, and from SVG and PDF files. Logos look the same in these as in the browser.
import assert from 'node:assert/strict';
import {cp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {PDFiumLibrary} from '@hyzyla/pdfium';
import {scanGrayBuffer} from '@undecaf/zbar-wasm';
import {PNG} from 'pngjs';
import {launch, settled, watched} from './browser.mjs';
import {build, datachain, documents, here, names, output} from './datachain.mjs';

const sizes = {A6: [105, 148], A5: [148, 210], A4: [210, 297], Letter: [215.9, 279.4], A3: [297, 420]};
const base = 'https://register.example.org';
const address = /^https:\/\/register\.example\.org\/d\/[a-z-]+\/\?s=\d{4}-\d\d-\d\d-[0-9a-f]{6}$/;
const document = join(build, 'answered.json'); // a sample that says what happened when people asked
const dpi = 150; // of a plain printer

let browser;
let pdfium;
before(async () => {
  const sample = JSON.parse(await readFile(join(documents, 'crossing-camera.json'), 'utf8'));
  const answered = {from: '2026-05-01', to: '2026-10-31', asked: 14, answered: 13, days: 9, changed: 2};
  await writeFile(document, JSON.stringify({...sample, register: {...sample.register, answered}}));
  browser = await launch();
  pdfium = await PDFiumLibrary.init();
}, {timeout: 900_000});
after(async () => {
  await browser?.close();
  pdfium?.destroy();
});

// read decodes the codes in a picture, which is enlarged some times before: zbar samples
// lines of whole pixels, so it needs more of them than a code has to have.
async function read(from, times = 1) {
  const width = from.width * times;
  const height = from.height * times;
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const top = Math.min(Math.floor(y / times), from.height - 2);
    const down = y / times - top;
    for (let x = 0; x < width; x++) {
      const left = Math.min(Math.floor(x / times), from.width - 2);
      const right = x / times - left;
      const i = 4 * (top * from.width + left) + 1; // green: codes are grey
      const j = i + 4 * from.width;
      pixels[y * width + x] = (from.data[i] * (1 - right) + from.data[i + 4] * right) * (1 - down) + (from.data[j] * (1 - right) + from.data[j + 4] * right) * down;
    }
  }
  return (await scanGrayBuffer(pixels.buffer, width, height)).map((s) => s.decode());
}

// screenshot is a picture of a page or an element, as read takes it.
const screenshot = async (of, options) => PNG.sync.read(Buffer.from(await of.screenshot(options)));

// shown is the lower part of a picture, where the code is, in a page of a width in pixels, not
// quite in focus.
async function shown(picture, type, width, blur) {
  const page = await browser.newPage();
  await page.setViewport({width: Math.ceil(width), height: 100, deviceScaleFactor: 1});
  await page.setContent(`<body style="margin:0"><img style="display:block;width:${width}px;filter:blur(${blur}px)" src="data:${type};base64,${Buffer.from(picture).toString('base64')}">`);
  await page.waitForFunction(() => globalThis.document.images[0].complete);
  const height = await page.evaluate(() => globalThis.document.images[0].height);
  const seen = await screenshot(page, {clip: {x: 0, y: Math.floor(height * 0.4), width: Math.ceil(width), height: Math.floor(height * 0.6)}, captureBeyondViewport: true});
  await page.close();
  return seen;
}

// rendered is the only page of a PDF file, with some pixels a millimetre.
async function rendered(pdf, pixels) {
  const file = await pdfium.loadDocument(pdf);
  assert.equal(file.getPageCount(), 1);
  const page = file.getPage(0);
  const size = page.getOriginalSize();
  const {data, width, height} = await page.render({scale: pixels * 25.4 / 72, render: 'bitmap'});
  file.destroy();
  return {size, data: Buffer.from(data), width, height};
}

// over lists what is not on the sheet of its sign, or covers the code. Icons that are missing have no place.
const over = (page) => page.$$eval('.sheet', (signs) => signs.flatMap((sign) => {
  const sheet = sign.getBoundingClientRect(), padding = parseFloat(getComputedStyle(sign).paddingTop);
  const last = Math.max(...[...sign.querySelectorAll('section')].map((e) => e.getBoundingClientRect().bottom));
  return [...sign.querySelectorAll('*:not(title, wbr, path, .cut, .icon:empty)')].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.bottom > sheet.bottom - padding + 1 || box.right > sheet.right || box.left < sheet.left || (e.tagName === 'FOOTER' && box.top < last);
  }).map((e) => e.outerHTML.slice(0, 80));
}));

for (const [size, [width, height]] of Object.entries(sizes)) {
  test(`a sign on ${size} fits and its code is read`, async () => {
    const file = join(await output('sign'), `${size}.html`);
    await datachain('sign', document, '--base-url', base, '--size', size, '-o', file);
    const {page, wrong, open} = await watched(browser);
    await page.setViewport({width: 1240, height: 1700, deviceScaleFactor: dpi / 96});
    await open(file);
    await settled(page);
    assert.deepEqual(await over(page), []);
    assert.equal(await page.$eval('.answers', (e) => e.textContent), 'Answers within 9 days');

    const [seen] = await read(await screenshot(await page.$('.sheet')));
    assert.match(seen ?? '', address);

    const pdf = Buffer.from(await page.pdf({preferCSSPageSize: true, printBackground: true})).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1, 'prints on one page');
    const [, w, h] = pdf.match(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/).map(Number);
    assert.ok(Math.abs(w - width / 25.4 * 72) < 1 && Math.abs(h - height / 25.4 * 72) < 1, `the page has ${w} by ${h} points`);

    // Three pixels a module, seen by a camera that is not quite in focus.
    const module = await page.$eval('.code svg', (svg) => 10 * parseFloat(svg.getAttribute('width')) / svg.viewBox.baseVal.width);
    await page.setViewport({width: 600, height: 600, deviceScaleFactor: 1});
    await page.evaluate(() => {
      const svg = globalThis.document.querySelector('.code svg');
      svg.setAttribute('width', 3 * svg.viewBox.baseVal.width);
      svg.setAttribute('height', 3 * svg.viewBox.baseVal.height);
      svg.style.margin = '12px'; // a part of the border of the code lies in the margin of the sheet
      svg.setAttribute('filter', 'blur(1px)');
      globalThis.document.body.replaceChildren(svg);
    });
    assert.deepEqual(await read(await screenshot(page), 4), [seen]);
    assert.deepEqual(wrong, []);
    await page.close();

    // The code on drawn signs has modules of the same size.
    const draw = async (name, ...more) => {
      await datachain('sign', document, '--base-url', base, '--size', size, '-o', join(await output('sign'), name), ...more);
      return readFile(join(build, 'sign', name));
    };
    const languages = size === 'A6' ? ['fr'] : ['fr', 'en']; // A6 has no room for two
    for (const more of [[], ['--mono', '--cut-marks', ...languages.flatMap((l) => ['--locale', l])]]) {
      const svg = await draw(`${size}.svg`, ...more);
      assert.deepEqual(await read(await shown(svg, 'image/svg+xml', width * dpi / 25.4, 0)), [seen], 'SVG');
      assert.deepEqual(await read(await shown(svg, 'image/svg+xml', width * 3 / module, 1), 4), [seen], 'small SVG');
      const drawn = await draw(`${size}.pdf`, ...more);
      const large = await rendered(drawn, dpi / 25.4);
      assert.ok(Math.abs(large.size.originalWidth - width / 25.4 * 72) < 1 && Math.abs(large.size.originalHeight - height / 25.4 * 72) < 1, JSON.stringify(large.size));
      assert.deepEqual(await read(large), [seen], 'PDF');
      const small = await rendered(drawn, 3 / module);
      assert.deepEqual(await read(await shown(PNG.sync.write(small), 'image/png', small.width, 1), 4), [seen], 'small PDF');
    }
  });
}

// A logo with everything that is drawn as vectors.
const logo = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200mm" viewBox="-10 -10 220 220">
<rect x="-10" y="-10" width="100%" height="100%" fill="#eef"/>
<defs><clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath><path id="star" d="M0-20 6-6H20L8 2l5 16-13-9-13 9 5-16-12-8H-6z"/></defs>
<g clip-path="url(#c)"><rect width="100" height="50" fill="#0b5566"/><rect y="50" width="100" height="50" fill="#c33"/></g>
<g opacity=".5" transform="rotate(10 150 50)"><circle cx="140" cy="50" r="25" fill="red"/><circle cx="165" cy="50" r="25" fill="blue" stroke="#000" stroke-width="4"/></g>
<use xlink:href="#star" x="50" y="50" fill="gold" stroke="black" stroke-linejoin="round"/>
<g transform="scale(2 .5)"><path d="M10 260h80" stroke="green" stroke-width="16" stroke-dasharray="12 8" stroke-dashoffset="-3" stroke-linecap="round"/></g>
<ellipse cx="150" cy="50" rx="8" ry="4" style="fill:currentColor" color="#090"/>
<path d="M20 160a20 20 0 1 1 5 15z" fill="none" stroke="purple" stroke-width="8" stroke-opacity=".6"/>
<path fill-rule="evenodd" d="M80 150h50v50h-50zq20 10 30 30t10-10z"/>
<path d="M150 150h50l-40 40z" fill="#fc0" stroke="#036" stroke-width="12" paint-order="stroke" stroke-linejoin="bevel"/>
</svg>`;

test('a logo is drawn as the browser draws it', async () => {
  const into = join(await output('sign'), 'logo');
  await rm(into, {recursive: true, force: true});
  await cp(join(here, '../../examples/register'), into, {recursive: true});
  await writeFile(join(into, 'logo.svg'), logo);
  const draw = async (name) => {
    await datachain('sign', 'mill-street', '--documents', into, '--size', 'A3', '-o', join(into, name));
    return readFile(join(into, name));
  };
  const svg = await draw('sign.svg'), pdf = await draw('sign.pdf');
  assert.ok(!svg.includes('<image') && !pdf.includes('/Image'), 'there are no pictures');
  const [scale, x, y] = svg.toString().match(/clip-path="url\(#c1\)"\s+transform="matrix\(([\d.]+) 0 0 \1 ([\d.]+) ([\d.]+)\)"/).slice(1).map(Number);
  const side = Math.round(220 * scale), left = x - 10 * scale, top = y - 10 * scale, pixels = 12; // a millimetre
  const page = await browser.newPage();
  await page.setViewport({width: side * pixels, height: side * pixels});
  // The place of the logo, with white around it.
  const shot = async (type, bytes, style) => {
    await page.setContent(`<body style="margin:0;overflow:hidden;background:#fff"><img style="position:absolute;${style}" src="data:${type};base64,${Buffer.from(bytes).toString('base64')}">`);
    await page.waitForFunction(() => globalThis.document.images[0].complete);
    return screenshot(page);
  };
  const place = `left:${-left * pixels}px;top:${-top * pixels}px;width:${297 * pixels}px`;
  const want = await shot('image/svg+xml', logo, `left:0;top:0;width:${220 * scale * pixels}px`);
  // The part of the pixels that neither those at their place nor those beside it resemble: PDFium rounds otherwise.
  const differing = (got) => {
    const near = (i, j) => [0, 1, 2].every((k) => Math.abs(want.data[4 * i + k] - got.data[4 * j + k]) <= 64);
    const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => row * want.width + column));
    let count = 0;
    for (let i = want.width + 1; i < want.width * (want.height - 1) - 1; i++) if (!around.some((by) => near(i, i + by))) count++;
    return count / (want.width * want.height);
  };
  assert.ok(differing(await shot('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', '')) > 0.1, 'differences are found');
  assert.ok(differing(await shot('image/svg+xml', svg, place)) < 0.005, 'SVG');
  assert.ok(differing(await shot('image/png', PNG.sync.write(await rendered(pdf, pixels)), place)) < 0.01, 'PDF');
  await page.close();
});

test('whatever is not reported as too long fits, in letters as large as there is room for', async () => {
  const {page, wrong, open} = await watched(browser);
  const fitted = {};
  for (const [size, [width]] of Object.entries(sizes)) {
    for (const kind of ['sign', 'notice']) {
      for (const languages of [['en'], ['fr', 'en']]) {
        const into = join(await output('signs'), `${kind}.${size}.${languages}/`);
        await rm(into, {recursive: true, force: true});
        const files = names.filter((n) => !n.includes('.resolved.')).map((n) => join(documents, n));
        const make = (list) => datachain('sign', ...list, '--base-url', base, '--kind', kind, '--size', size, ...languages.flatMap((l) => ['--locale', l]), '-o', into, '--format', 'html').then(() => true, () => false);
        if (!await make(files)) for (const file of files) await make([file]); // some are too long
        for (const file of await readdir(into).catch(() => [])) {
          await open(join(into, file));
          assert.equal(await page.$eval('.sheet', (e) => Math.round(e.offsetWidth / 96 * 25.4)), Math.round(width));
          assert.deepEqual(await over(page), [], `${file} as ${kind} on ${size} in ${languages}`);
          (fitted[`${kind} ${languages.length}`] ??= []).push(`${size} ${file}`);
        }
      }
    }
  }
  assert.ok(Object.keys(fitted).length === 4 && Object.values(fitted).every((list) => list.length > 2), JSON.stringify(fitted));
  // All six points of a notice fit in two languages, side by side.
  for (const size of ['A4', 'Letter', 'A3']) assert.ok(fitted['notice 2'].includes(`${size} city-library-chat.html`), JSON.stringify(fitted['notice 2']));
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the longest texts that are not reported as too long fit', async () => {
  const {page, wrong, open} = await watched(browser);
  const into = await output('longest');
  const text = await readFile(document, 'utf8');
  const words = 'It counts cars, bicycles and people at the crossing, so that traffic lights change in time and nobody waits. ';
  const fields = {purpose: (d, said) => { d.elements[0].variables[0].value = [{locale: 'en', value: said}]; }, accountable: (d, said) => { d.elements.find((e) => e.element_id.startsWith('responsible.')).variables[0].value = [{locale: 'en', value: said}]; }};
  for (const [size] of Object.entries(sizes)) {
    for (const [field, say] of Object.entries(fields)) {
      const make = async (length) => {
        const changed = JSON.parse(text);
        say(changed, words.repeat(1 + length / words.length).slice(0, length));
        await writeFile(join(into, 'long.json'), JSON.stringify(changed));
        return datachain('sign', join(into, 'long.json'), '--base-url', base, '--size', size, '--locale', 'en', '-o', join(into, `${size}-${field}.html`)).then(() => true, (e) => assert.match(e.stderr, /does not fit/));
      };
      let [fits, longer] = [20, 1500];
      while (longer - fits > 4) {
        const middle = (fits + longer) >> 1;
        if (await make(middle)) fits = middle; else longer = middle;
      }
      await open(join(into, `${size}-${field}.html`));
      assert.deepEqual(await over(page), [], `${field} of ${fits} characters on ${size}`);
      assert.ok(fits > 60, `${field} of only ${fits} characters on ${size}`);
    }
  }
  assert.deepEqual(wrong, []);
  await page.close();
});
