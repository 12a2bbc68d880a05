// The pages of the example documents in a browser: in three languages, one of them written
// from right to left, in three widths, light and dark, and printed.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {copyFile, readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {inflateSync} from 'node:zlib';
import {PDFiumLibrary} from '@hyzyla/pdfium';
import {cutTexts, launch, picture, settled, tooWide, watched} from './browser.mjs';
import {datachain, documents, names, output} from './datachain.mjs';
import {mirror, page as render, source, stretch, texts} from './rewrite.mjs';

const widths = [360, 800, 1280], schemes = ['light', 'dark'];
// Screenshots of these pages are saved, some of them always.
const kept = ['benefits.json', 'air-station-suggestion.resolved.json'];
const always = ['en 1280 light', 'fr 360 dark', 'ar 800 light'];

let browser, folder, mirrored, stretched, axe;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  folder = await output('view');
  mirrored = await source('mirrored', ['en', 'ar'], mirror);
  stretched = await source('stretched', ['en', 'de'], stretch);
  browser = await launch();
});
after(() => browser?.close());

const write = (name, locale) => render(folder, name, {locale, ...(locale === 'ar'
  ? {schemas: mirrored, change: (v) => texts(v, mirror)}
  : locale === 'de' ? {schemas: stretched, change: (v) => texts(v, stretch)} : {})});

// same reports whether a resolved document has the same page as the thin one.
async function same(file) {
  const thin = file.replace('.resolved.', '.');
  return thin !== file && existsSync(thin) && (await readFile(thin)).equals(await readFile(file));
}

// look sets the width and the colour scheme of a page.
async function look(page, width, scheme) {
  await page.setViewport({width, height: 900, deviceScaleFactor: 1});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await settled(page);
}

// accessible lists the violations that axe finds, by all of its rules or by some.
const accessible = (page, ...rules) => page.evaluate(async (runOnly) => {
  const {passes, violations} = await window.axe.run(document, runOnly.length > 0 ? {runOnly} : {});
  if (passes.length === 0) return ['axe looked at nothing'];
  const node = (n) => `${n.target.join(' ')} (${[...n.any, ...n.all, ...n.none][0]?.message ?? ''})`;
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(node).join('; ')}`);
}, rules);

for (const name of names) {
  test(`${name} is shown well`, async () => {
    for (const locale of ['en', 'fr', 'ar']) {
      const file = await write(name, locale);
      if (await same(file)) continue;
      const {page, wrong, open} = await watched(browser);
      await open(file);
      assert.equal(await page.evaluate(() => document.documentElement.dir), locale === 'ar' ? 'rtl' : 'ltr');
      await page.evaluate(axe);
      for (const width of widths) {
        for (const scheme of schemes) {
          const at = `${name} in ${locale}, ${width} px, ${scheme}`;
          await look(page, width, scheme);
          assert.equal(await tooWide(page), '', `${at}: scrolls horizontally`);
          assert.deepEqual(await cutTexts(page), [], `${at}: texts are cut off`);
          // Axe is slow, and most of its rules do not depend on width and colours.
          if (width === 360 && scheme === 'light') assert.deepEqual(await accessible(page), [], at);
          if (width === 1280 && scheme === 'dark') assert.deepEqual(await accessible(page, 'color-contrast', 'target-size'), [], at);
          if (kept.includes(name)) await picture(page, `${file.replace(/html$/, '')}${width}.${scheme}.png`, always.includes(`${locale} ${width} ${scheme}`));
        }
      }
      assert.deepEqual(wrong, [], `${name} in ${locale}`);
      await page.close();
    }
  });
}

test('the first screen of a phone says what it is for, which data, who answers and what one can do', async () => {
  for (const name of names.filter((n) => !n.includes('.resolved.'))) {
    for (const locale of ['en', 'de', 'ar']) {
      const {page, wrong, open} = await watched(browser);
      await page.setViewport({width: 390, height: 844, deviceScaleFactor: 1});
      await open(await write(name, locale));
      const points = await page.$$eval('.point', (all) => all.map((e) => ({
        role: e.classList[1], bottom: Math.ceil(e.getBoundingClientRect().bottom), text: e.innerText,
        links: e.querySelectorAll('a[href^="mailto:"], a[href^="tel:"], a[href^="https:"]').length, reach: e.querySelector('.reach, .actions, .act, p + p')?.innerText,
        broken: [...e.querySelectorAll('a[href^="tel:"]')].filter((a) => {
          const text = document.createRange();
          text.selectNodeContents(a);
          return text.getClientRects().length > 1;
        }).map((a) => a.innerText),
      })));
      const at = `${name} in ${locale}`, of = (role) => points.find((p) => p.role === role);
      for (const role of ['purpose', 'data', 'accountable', 'rights']) {
        assert.ok(of(role), `${at}: ${role} is missing`);
        assert.ok(of(role).bottom <= (role === 'rights' ? 1000 : 844), `${at}: ${role} ends at ${of(role).bottom}`);
      }
      assert.ok(of('accountable').reach, `${at}: there is no way to reach them: ${of('accountable').text}`);
      assert.deepEqual(of('accountable').broken, [], `${at}: telephone numbers stay on one line`);
      await picture(page, join(folder, `first.${name}.${locale}.png`));
      // On the smallest phones a line has few words: nothing is cut, and addresses are divided at their @.
      await page.setViewport({width: 320, height: 568, deviceScaleFactor: 1});
      assert.deepEqual(await page.$$eval('.point p', (all) => all.filter((e) => e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).overflowY !== 'visible').map((e) => e.innerText)), [], `${at}: cut at 320 px`);
      assert.deepEqual(await page.$$eval('.point.accountable a[href^="mailto:"]', (all) => all.filter((a) => getComputedStyle(a).hyphens !== 'none' || new Set([...a.getClientRects()].map((box) => box.top)).size > 2).map((a) => a.innerText)), [], at);
      assert.equal(await tooWide(page), '', at);
      assert.deepEqual(wrong, []);
      await page.close();
    }
  }
});

test('the summary is there without roles, and nothing of it is cut however long it is', async () => {
  const times = (n) => (l) => l.map((t) => ({...t, value: `${t.value} `.repeat(n)}));
  // A contact is all there, so it pushes the rest down if it has more than some lines.
  const long = (v) => ({...v, title: texts(v.title, times(9)), elements: texts(v.elements, times(9)).map((e, i) => ({...e,
    variables: e.variables?.map((w, j) => w.id === 'contact' ? texts(v.elements[i].variables[j], times(3)) : w)}))});
  const older = await output('older'); // documents of versions without roles
  for (const [name, version] of [['benefits.json', 'ai@2026-09-01-stable'], ['library-chat.json', 'ai@2026-09-01-stable'], ['wifi-counter.json', 'sensor@2026-06-15-stable']]) {
    await copyFile(join(documents, name), join(older, name));
    await datachain('upgrade', join(older, name), '--to', version, '--older', '--samples', '--drop', '--write');
  }
  for (const [name, from, change] of [['benefits.json', older], ['wifi-counter.json', older], ['library-chat.json', older, long], ['benefits.json', undefined, long]]) {
    const {page, wrong, open} = await watched(browser);
    await page.setViewport({width: 390, height: 844, deviceScaleFactor: 1});
    await open(await render(await output('long'), name, {locale: 'en', from, change}));
    const short = await page.$eval('.short', (e) => ({bottom: e.getBoundingClientRect().bottom, text: e.innerText}));
    if (!change) assert.ok(short.bottom <= 1000, `${name} ends at ${short.bottom}: ${short.text}`);
    if (!change) assert.match(short.text, /Town of Lindenau|library/i, 'the values of the document are there');
    for (const width of [320, 390, 800]) {
      await page.setViewport({width, height: 844, deviceScaleFactor: 1});
      assert.deepEqual(await page.$$eval('h1, .accountable p', (all) => all.filter((e) => e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).overflowY !== 'visible').map((e) => e.innerText)), [],
        `${name}: the title and how to reach someone are not cut`);
    }
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('the examples print on two sheets, with address and code', async () => {
  for (const name of names.filter((n) => !n.includes('.resolved.'))) {
    const {page, wrong, open} = await watched(browser);
    await open(await render(folder, name, {locale: 'en', address: 'https://register.example.org/d/example/'}));
    assert.equal(await page.$eval('.printed', (e) => getComputedStyle(e).display), 'none', 'only on paper');
    const pdf = Buffer.from(await page.pdf({format: 'A4', preferCSSPageSize: true}));
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;
    assert.ok(sheets <= 2, `${name} has ${sheets} sheets`);
    await page.emulateMediaType('print');
    assert.match(await page.$eval('.printed', (e) => e.innerText), /register\.example\.org/);
    assert.ok(await page.$eval('.printed svg', (e) => e.getBoundingClientRect().width) > 75, 'the code has 20 mm');
    assert.deepEqual(await page.$$eval('.short a', (list) => list.filter((a) => getComputedStyle(a, '::after').content.includes('#')).length), 0);
    assert.deepEqual(await page.$$eval('.short a', (list) => list.filter((a) => getComputedStyle(a).color !== 'rgb(0, 0, 0)').map((a) => a.innerText)), [], 'black on white');
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('texts in another language are aligned with the page, which names it once', async () => {
  // The document and half of the elements of the taxonomy are in English only.
  const some = (list) => list.some((t) => t.value.length % 2) ? mirror(list) : [mirror(list)[0]];
  const schemas = await source('half', ['en', 'ar'], some);
  const file = await render(await output('mixed'), 'benefits.json', {locale: 'ar', schemas, change: (v) => texts(v, (l) => [mirror(l)[0]])});
  const {page, wrong, open} = await watched(browser);
  await open(file);
  await page.evaluate(axe);
  assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl');
  assert.ok(await page.evaluate(() => document.querySelectorAll('main [lang="en"]').length) > 5);
  assert.equal(await page.evaluate(() => document.querySelectorAll('.language-tag').length), 0);
  assert.match(await page.$eval('.facts', (e) => e.textContent), /العربية.*English|English.*العربية/);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('main:not(.other) .says:not([lang])')].filter((e) =>
    getComputedStyle(e).direction !== 'rtl').map((e) => e.innerText)), [], 'a value in English changed the direction of its sentence');
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
  for (const width of widths) {
    for (const scheme of schemes) {
      await look(page, width, scheme);
      // Short texts are at the right; long ones fill the width.
      const far = await page.evaluate(() => [...document.querySelectorAll('main [dir="auto"]')].filter((e) => {
        const text = document.createRange();
        text.selectNodeContents(e);
        const {right, height} = text.getBoundingClientRect(), before = e.previousElementSibling?.getBoundingClientRect();
        const room = before && before.bottom > e.getBoundingClientRect().top + 1 ? before.left - 20
          : e.parentElement.getBoundingClientRect().right - parseFloat(getComputedStyle(e.parentElement).paddingRight);
        return room - right > 4 && height < 1.5 * parseFloat(getComputedStyle(e).fontSize);
      }).map((e) => e.innerText));
      assert.deepEqual(far, [], `${width} px, ${scheme}: texts not aligned with the page`);
      assert.equal(await tooWide(page), '');
      assert.deepEqual(await cutTexts(page), []);
      if (width === 800) assert.deepEqual(await accessible(page), [], scheme);
      await picture(page, `${file.replace(/html$/, '')}${width}.${scheme}.png`, width === 800 && scheme === 'light');
    }
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test('all controls are reachable with the keyboard', async () => {
  for (const name of kept) {
    const {page, wrong, open} = await watched(browser);
    await look(page, 800, 'light');
    await open(await write(name, 'en'));
    const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';
    const count = await page.evaluate((q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility()).length, reachable);
    assert.ok(count > 0, `${name} has ${count} controls`);
    const seen = [];
    for (let i = 0; i < count; i++) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate((q) => {
        const e = document.activeElement, style = getComputedStyle(e);
        const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
        return {at: [...document.querySelectorAll(q)].indexOf(e), what: e.outerHTML.slice(0, 80), ring: ring || style.boxShadow !== 'none'};
      }, reachable));
    }
    assert.equal(new Set(seen.map((s) => s.at)).size, count, `${name}: Tab does not reach all controls: ${JSON.stringify(seen)}`);
    assert.deepEqual(seen.filter((s) => s.at < 0 || !s.ring), [], `${name}: the focus is not visible`);
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('details open and close with the keyboard', async () => {
  const {page, open} = await watched(browser);
  await open(await write('benefits.json', 'en'));
  const details = await page.$$('main:not(.other) details');
  assert.ok(details.length > 0);
  for (const d of details) {
    const summary = await d.$('summary');
    for (const [key, want] of [['Enter', true], ['Space', false]]) {
      await summary.focus();
      await page.keyboard.press(key);
      assert.equal(await d.evaluate((e) => e.open), want, key);
    }
  }
  await page.close();
});

// marks returns how many pieces of text a sheet of a PDF has.
function marks(pdf) {
  let count = 0;
  for (let at = 0; (at = pdf.indexOf('stream\n', at)) >= 0; at += 7) {
    const end = pdf.indexOf('endstream', at);
    try {
      count += inflateSync(pdf.subarray(at + 7, end)).toString('latin1').match(/\bT[jJ]\b/g)?.length ?? 0;
    } catch {} // not compressed text
    at = end;
  }
  return count;
}

test('the first sheet has more than the header', async () => {
  const {page, wrong, open} = await watched(browser);
  const sheet = async () => marks(Buffer.from(await page.pdf({format: 'A4', pageRanges: '1'})));
  await open(await write('benefits.json', 'en'));
  const whole = await sheet();
  await page.evaluate(() => {
    for (const e of document.querySelectorAll('main > :not(header)')) e.remove();
  });
  const header = await sheet();
  assert.ok(header > 2 && whole > 2 * header, `the header has ${header}, the first sheet ${whole}`);

  await open(await write('benefits.json', 'en'));
  await page.evaluate(() => {
    for (const steps of document.querySelectorAll('.flow:first-of-type .steps')) {
      for (let i = 0; i < 5; i++) steps.append(steps.lastElementChild.cloneNode(true));
    }
  });
  const wide = await sheet();
  assert.ok(wide > 2 * header, `a flow that does not fit: the header has ${header}, the first sheet ${wide}`);

  await open(await write('benefits.json', 'en'));
  await page.evaluate(() => {
    document.querySelector('.flows').remove();
    document.querySelector('.says').append(' Line after line.'.repeat(250));
  });
  const tall = await sheet();
  assert.ok(tall > 2 * header, `an element that does not fit: the header has ${header}, the first sheet ${tall}`);
  await page.emulateMediaType('print');
  const [named, title] = await page.evaluate(() => [getComputedStyle(document.documentElement).getPropertyValue('--document'), document.title]);
  assert.equal(JSON.parse(named), title, 'the foot of a sheet names the document');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the last sheet has more than the foot of the page', async () => {
  const pdfium = await PDFiumLibrary.init();
  const {page, wrong, open} = await watched(browser);
  for (const name of ['benefits.json', 'wifi-counter.json', 'crossing-camera.json']) {
    await open(await write(name, 'en'));
    for (let height = 262; height < 300; height += 4) {
      const file = await pdfium.loadDocument(Buffer.from(await page.pdf({width: '216mm', height: `${height}mm`, printBackground: false})));
      const last = file.getPage(file.getPageCount() - 1).getText();
      assert.ok(last.replace(/^.*\d \/ \d/, '').trim().length > 40, `${name} on ${height} mm ends with ${last}`);
      file.destroy();
    }
  }
  pdfium.destroy();
  assert.deepEqual(wrong, []);
  await page.close();
});

test('pages print', async () => {
  for (const [name, locale] of [['benefits.json', 'en'], ['benefits.json', 'fr'], ['benefits.json', 'ar'], ['air-station-suggestion.resolved.json', 'fr']]) {
    const {page, wrong, open} = await watched(browser);
    await open(await write(name, locale));
    const pdf = await page.pdf({format: 'A4', printBackground: false, preferCSSPageSize: true});
    await writeFile(join(folder, `${name.replace(/json$/, '')}${locale}.pdf`), pdf);
    assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-');
    assert.equal(await page.$('details[open]'), null, 'details that printing opened are closed again');
    // The width of A4 without margins of 15 mm. A card that fits on a sheet is not split,
    // except the first after the header.
    await page.emulateMediaType('print');
    await page.setViewport({width: 680, height: 1000});
    const cut = await page.evaluate(() => [...document.querySelectorAll('.placement')].filter((e) =>
      getComputedStyle(e).breakInside !== 'avoid' || e.getBoundingClientRect().height > 980).map((e) => e.id));
    assert.deepEqual(cut, [], `${name} in ${locale}: cards that would be split`);
    assert.equal(await tooWide(page), '');
    assert.deepEqual(await cutTexts(page), [], `${name} in ${locale}: texts are cut off in print`);
    assert.deepEqual(wrong, []);
    await page.close();
  }
});
