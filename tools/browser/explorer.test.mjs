// The explorer in a browser: every kind of page in three languages, one of them written from
// right to left, in three widths, light and dark; without scripts, by keyboard, on paper, as
// static files, and with a taxonomy that attacks in every text.
import assert from 'node:assert/strict';
import {readFile, rm} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {attacked} from './attacks.mjs';
import {launch, picture, settled, tooWide, watched} from './browser.mjs';
import {build, datachain, output, serve} from './datachain.mjs';
import {pinFonts} from './fonts.mjs';
import {mirror, source} from './rewrite.mjs';

const stable = 'ai@2026-11-15-stable', beta = 'ai@2026-11-18-beta';
const addresses = {
  home: '/',
  catalog: `/t/${stable}`,
  beta: `/t/${beta}`,
  search: `/t/${stable}?q=persnal+data`,
  category: `/t/${stable}/c/input_data`,
  element: `/t/${stable}/e/input_data.identity`,
  mapped: `/t/${beta}/e/rights.explanation`,
  scheme: `/t/${beta}/s/gdpr`,
  compare: `/compare?old=${stable}&new=${beta}`,
  codes: '/codes',
  code: '/codes/INSTANCE_ELEMENT_UNKNOWN',
  play: '/play',
  docs: '/docs',
};
const widths = [320, 768, 1280], schemes = ['light', 'dark'];
// Axe is slow: it looks at each width in light and in dark in one of the languages.
const inspected = {en: ['320 dark', '1280 light'], fr: ['320 light', '768 dark'], ar: ['768 light', '1280 dark']};

let browser, folder, axe, samples, mirrored;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  folder = await output('explorer');
  samples = await serve('--samples');
  mirrored = await serve('--schemas', await source('mirrored-pages', ['en', 'ar'], mirror));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  samples?.stop();
  mirrored?.stop();
});

// visit opens an address of a server, and returns the page with what goes wrong on it.
async function visit(server, address, {scripts = true, width = 1280, scheme = 'light'} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setJavaScriptEnabled(scripts);
  await look(page, width, scheme);
  assert.ok([200, 304].includes((await open(server.url + address)).status()), address);
  if (scripts) await page.waitForSelector('body[data-ready]');
  return {page, wrong};
}

async function look(page, width, scheme) {
  await page.setViewport({width, height: 900, deviceScaleFactor: 1});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
}

// inLanguage adds a language to an address.
const inLanguage = (address, lang) => `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`;

// accessible lists the violations that axe finds.
const accessible = (page) => page.evaluate(async () => {
  const {passes, violations} = await window.axe.run(document, {iframes: false});
  if (passes.length === 0) return ['axe looked at nothing'];
  const node = (n) => `${n.target.join(' ')} (${[...n.any, ...n.all, ...n.none][0]?.message ?? ''})`;
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(node).join('; ')}`);
});

// moved returns what has moved on the page since it was opened.
const moved = (page) => page.evaluate(() => new Promise((done) => {
  const list = [];
  new PerformanceObserver((entries) => {
    for (const {value, sources} of entries.getEntries()) {
      if (value >= 0.005) list.push(`${value.toFixed(3)} ${sources.map(({node}) => node?.outerHTML?.slice(0, 80) ?? node?.textContent).join(' ')}`);
    }
  }).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(list), 50);
}));

for (const [name, address] of Object.entries(addresses)) {
  test(`${name} is shown well`, async () => {
    for (const lang of ['en', 'fr', 'ar']) {
      const {page, wrong} = await visit(lang === 'ar' ? mirrored : samples, inLanguage(address, lang));
      const about = await page.evaluate(() => ({dir: document.documentElement.dir, headings: document.querySelectorAll('h1').length, title: document.title}));
      assert.equal(about.headings, 1, about.title);
      if (lang !== 'ar' || !['codes', 'code', 'docs'].includes(name)) assert.equal(about.dir, lang === 'ar' ? 'rtl' : 'ltr');
      assert.deepEqual(await moved(page), []);
      await page.evaluate(axe);
      for (const width of widths) {
        for (const scheme of schemes) {
          await look(page, width, scheme);
          await settled(page);
          assert.equal(await tooWide(page), '', `${lang} ${width} ${scheme}`);
          if (inspected[lang].includes(`${width} ${scheme}`)) {
            assert.deepEqual(await accessible(page), [], `${lang} ${width} ${scheme}`);
          }
          await picture(page, join(folder, `${name}-${lang}-${width}-${scheme}.png`));
        }
      }
      assert.deepEqual(wrong, []);
      await page.close();
    }
  });
}

test('the first page is small', async () => {
  const {page, wrong} = await visit(samples, '/');
  const sizes = await page.evaluate(() => performance.getEntries().filter((e) => e.encodedBodySize).map((e) => [e.name, e.encodedBodySize]));
  const sum = sizes.reduce((n, [, size]) => n + size, 0);
  console.log(`The first page has ${sum} bytes compressed, in ${sizes.length} files.`);
  assert.ok(sizes.length >= 3 && sum < 60_000, JSON.stringify(sizes));
  assert.deepEqual(wrong, []);
  await page.close();
});

test('searching works while one types', async () => {
  const {page, wrong} = await visit(samples, addresses.catalog);
  await page.focus('#q');
  const times = [];
  for (const key of 'persnal data') {
    const begun = performance.now();
    const answered = page.waitForResponse((r) => r.url().includes('part=results'));
    await page.keyboard.type(key);
    await answered;
    await settled(page);
    times.push(performance.now() - begun);
  }
  await page.waitForFunction(() => document.querySelector('#results mark') && new URL(location).searchParams.get('q') === 'persnal data');
  times.sort((a, b) => a - b);
  console.log(`From a key to its results: ${times[times.length >> 1].toFixed(1)} ms (median).`);
  assert.match(page.url(), /q=persnal\+data/, 'the state is in the address');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a catalog shows elements on the first screen', async () => {
  for (const [width, height] of [[390, 844], [1280, 800]]) {
    for (const query of ['', '&q=data', '&view=icons']) {
      const {page, wrong} = await visit(samples, `/t/${stable}?lang=en${query}`);
      await page.setViewport({width, height, deviceScaleFactor: 1});
      await page.setBypassCSP(true); // for the fonts, whose letters are as wide on every machine
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      await pinFonts(page, {sans: '--sans', mono: '--mono'});
      await settled(page);
      const bottom = await page.$eval('li.element', (e) => e.getBoundingClientRect().bottom);
      assert.ok(bottom <= height, `the first element ends at ${bottom} of ${height}${query}`);
      if (width < 400 && query === '') {
        const shown = () => page.$$eval('.top nav a', (list) => list.filter((a) => a.checkVisibility() && a.getBoundingClientRect().right <= innerWidth).length);
        assert.equal(await shown(), 0, 'the navigation is closed');
        await page.click('.top nav summary');
        await settled(page);
        assert.equal(await shown(), (await page.$$('.top nav a')).length, 'all of the navigation is in view');
      }
      assert.deepEqual(wrong, []);
      await page.close();
    }
  }
});

test('an icon is copied as SVG and PNG', async () => {
  await browser.defaultBrowserContext().overridePermissions(samples.url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  const {page, wrong} = await visit(samples, `/t/${stable}/e/input_data.health?lang=en`);
  await page.bringToFront();
  await page.click('[data-copy="#svg-source"]');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<svg /);
  await page.click('[data-png]');
  await page.waitForFunction(async () => (await navigator.clipboard.read())[0]?.types.includes('image/png'));
  assert.deepEqual(wrong, []);
  await page.close();
});

test('pages work without scripts', async () => {
  const {page, wrong} = await visit(samples, addresses.catalog, {scripts: false});
  await page.type('#q', 'camera');
  await Promise.all([page.waitForNavigation(), page.click('form[role=search] [type=submit]')]);
  assert.match(page.url(), /\?q=camera/);
  assert.ok((await page.$$('li.element')).length > 0);
  await Promise.all([page.waitForNavigation(), page.click('li.element a')]);
  assert.match(page.url(), /\/e\//);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('everything can be reached by keyboard', async () => {
  const {page, wrong} = await visit(samples, addresses.catalog);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'main');
  for (let i = 0; i < 60 && await page.evaluate(() => document.activeElement.id) !== 'q'; i++) await page.keyboard.press('Tab');
  await page.keyboard.type('human over');
  await page.waitForFunction(() => /spot checks/i.test(document.querySelector('#results a.cover')?.textContent));
  for (let i = 0; i < 60 && !await page.evaluate(() => document.activeElement.matches('#results a.cover')); i++) await page.keyboard.press('Tab');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.match(await page.$eval('h1', (h) => h.textContent), /spot checks/i);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('focus is visible in forced colours', async () => {
  const {page, wrong} = await visit(samples, '/');
  const client = await page.createCDPSession();
  await client.send('Emulation.setEmulatedMedia', {features: [{name: 'forced-colors', value: 'active'}]});
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const outlines = [null, '::after'].map((pseudo) => getComputedStyle(document.activeElement, pseudo));
      return outlines.some((style) => style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2) ? '' : document.activeElement.outerHTML;
    });
    assert.equal(outline, '');
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

// Each link and each form is visited once, from page to page.
test('no link is dead', async () => {
  const seen = new Set(['/']), queue = ['/'];
  while (queue.length > 0) {
    const path = queue.shift();
    const res = await fetch(samples.url + path, {headers: {Accept: 'text/html'}});
    assert.equal(res.status, 200, path);
    if (!res.headers.get('Content-Type').startsWith('text/html')) {
      await res.body?.cancel();
      continue;
    }
    const html = await res.text();
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), samples.url + path);
      if (url.origin !== samples.url || seen.has(url.pathname + url.search) || seen.size > 1500) continue;
      if (/[?&](lang|part|page)=/.test(url.search)) continue;
      seen.add(url.pathname + url.search);
      queue.push(url.pathname + url.search);
    }
  }
  assert.ok(seen.size > 300, `${seen.size} addresses`);
});

// provoke does everything to a page that could trigger an attack.
const provoke = (page) => page.evaluate(() => {
  for (const d of document.querySelectorAll('details')) d.open = true;
  const events = ['mouseover', 'mouseenter', 'focus', 'focusin', 'load', 'error', 'toggle', 'animationend', 'pointerdown'];
  for (const e of document.querySelectorAll('*')) {
    for (const name of events) e.dispatchEvent(new Event(name));
  }
  return [...document.querySelectorAll('[href], [src], [action], [formaction]')]
    .flatMap((e) => ['href', 'src', 'action', 'formaction'].map((name) => e.getAttribute(name)).filter(Boolean))
    .filter((address) => !/^(https?:\/\/|\/|#)/.test(address));
});

test('nothing in a hostile taxonomy runs, with and without the policy', async () => {
  for (const turn of [0, 3]) {
    const schemas = await source('hostile-pages', ['en', 'fr', 'es'], (list) => list.map((t) => ({...t, value: attacked(t.value, turn, true)})));
    const server = await serve('--schemas', schemas);
    try {
      for (const bypass of [false, true]) {
        for (const name of ['home', 'catalog', 'search', 'category', 'element', 'compare', 'play']) {
          const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
          await page.setBypassCSP(bypass);
          await page.setViewport({width: 360, height: 800});
          await open(server.url + addresses[name]);
          assert.equal(await tooWide(page), '', name);
          assert.deepEqual(await provoke(page), [], `addresses on ${name}`);
          await settled(page);
          assert.deepEqual(wrong, [], `${name}, turn ${turn}, ${bypass ? 'without' : 'with'} the policy`);
          await page.close();
        }
      }
    } finally {
      server.stop();
    }
  }
});

test('a static site works from a file', async () => {
  const out = join(build, 'site');
  await rm(out, {recursive: true, force: true});
  await datachain('site', '--out', out, '--samples');
  for (const file of ['index.html', 'en/index.html', 'fr/compose.html', `fr/t/${stable}.html`, `es/t/${stable}/e/input_data.identity.html`]) {
    const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`file://${out}/`));
    await page.setJavaScriptEnabled(false); // files can't load modules
    await page.setViewport({width: 320, height: 800});
    await open(join(out, file));
    assert.equal(await tooWide(page), '', file);
    assert.ok((await page.$$('h1')).length === 1, file);
    assert.equal(await page.$eval('body', (b) => getComputedStyle(b).margin), '0px', 'the style sheet is loaded');
    assert.deepEqual(wrong, [], file);
    await page.close();
  }
  const {page, open} = await watched(browser, () => true);
  await open(join(out, 'en/compose.html'));
  const said = await page.$eval('main', (main) => main.innerText);
  assert.match(said, /published without the form/);
  assert.match(said, /datachain serve/);
  assert.equal(await page.$('main form'), null);
  await page.close();
});
