// The register of documents in a browser: the list, a document and its history in three
// widths, light and dark; without scripts, what is near, and as static files.
import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {extname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {eventually, launch, picture, settled, tooWide, watched} from './browser.mjs';
import {build, datachain, documents, output, serve} from './datachain.mjs';

let browser, folder, axe, server, shelf;
before(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  folder = await output('register');
  shelf = join(build, 'shelf');
  await rm(shelf, {recursive: true, force: true});
  await mkdir(shelf);
  const put = async (file, example, change) => {
    const doc = JSON.parse(await readFile(join(documents, example), 'utf8'));
    await writeFile(join(shelf, file), JSON.stringify({...doc, ...change(doc)}));
  };
  const place = (name, at) => ({name, geometry: {type: 'Point', coordinates: at}});
  await put('camera.json', 'crossing-camera.json', () => ({register: {
    slug: 'camera', status: 'in_use', review_by: '2026-01-31', themes: ['Traffic'], organisation: {name: 'Roads Office'},
    places: [place('Mill Street', [12.3, 51.3])], withheld: [{what: 'The supplier', reason: 'A tender is open'}],
  }}));
  await put('camera-old.json', 'crossing-camera.json', () => ({updated_at: '2025-02-01T00:00:00Z', title: [{locale: 'en', value: 'An earlier title'}], register: {slug: 'camera', status: 'trial'}}));
  await put('air.json', 'air-station.json', () => ({register: {slug: 'air', status: 'planned', places: [place('Market', [12.5, 51.4])]}}));
  await put('benefits.json', 'benefits.json', () => ({register: {slug: 'benefits', status: 'retired'}}));
  await writeFile(join(shelf, 'register.yaml'), `title: {en: Systems of Lindenau, fr: Systèmes de Lindenau, ar: أنظمة ليندناو}
languages: [en, fr, ar]
publisher: {name: {en: City of Lindenau}, contact: {email: open@lindenau.example}}
licence: {name: CC BY 4.0, url: "https://creativecommons.org/licenses/by/4.0/"}
accessibility: https://lindenau.example/accessible
`);
  server = await serve('--samples', '--documents', shelf);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

async function visit(address, {scripts = true, from = server.url} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${from}/`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({width: 1280, height: 900, deviceScaleFactor: 1});
  assert.ok([200, 304].includes((await open(from + address)).status()), address);
  return {page, wrong};
}

const accessible = (page) => page.evaluate(async () => {
  const {passes, violations} = await window.axe.run(document, {iframes: false});
  if (passes.length === 0) return ['axe looked at nothing'];
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join('; ')}`);
});

for (const [name, address] of Object.entries({
  list: '/d', filtered: '/d?q=camera&theme=Traffic', document: '/d/camera/?s=2025-02-01', history: '/d/camera/history', retired: '/d/benefits', board: '/compare?documents=camera,air', arabic: '/d?lang=ar',
})) {
  test(`the ${name} of the register fits and is accessible`, async () => {
    const {page, wrong} = await visit(address);
    await page.evaluate(axe);
    for (const width of [320, 768, 1280]) {
      for (const scheme of ['light', 'dark']) {
        await page.setViewport({width, height: 900, deviceScaleFactor: 1});
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        await settled(page);
        assert.equal(await tooWide(page), '', `${width} ${scheme}`);
        if (width === 320 === (scheme === 'dark')) assert.deepEqual(await accessible(page), [], `${width} ${scheme}`);
        await picture(page, join(folder, `${name}-${width}-${scheme}.png`));
      }
    }
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('the first screen of a document holds its first action, below what has changed since a sign', async () => {
  for (const lang of ['en', 'fr']) {
    const {page, wrong} = await visit(`/d/camera/?s=2025-02-01&lang=${lang}`);
    await page.setViewport({width: 390, height: 844, deviceScaleFactor: 1});
    await settled(page);
    assert.ok(await page.$('details.sign:not([open])'), 'what has changed is folded');
    const ends = () => page.$eval('.short .button', (e) => e.getBoundingClientRect().bottom);
    const below = await ends();
    await picture(page, join(folder, `first-${lang}.png`), true);
    await page.$eval('details.sign', (e) => e.remove());
    const alone = await ends();
    assert.ok(below - alone <= 100 && alone <= 844, `${lang}: the first action ends at ${below}, and at ${alone} without the notice`);
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('a board prints on wide white sheets, and a file with one has room for two documents on a phone', async () => {
  const {page} = await visit('/compare?documents=camera,air');
  const pdf = Buffer.from(await page.pdf({preferCSSPageSize: true, printBackground: true})).toString('latin1');
  for (const [, w, h] of pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)) assert.ok(Number(w) > Number(h), `${w} by ${h}`);
  await page.emulateMediaType('print');
  assert.equal(await page.$eval('body', (e) => getComputedStyle(e).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.$eval('.board tr', (e) => getComputedStyle(e).breakInside), 'avoid');
  await page.close();
  const file = join(folder, 'board.html');
  await datachain('compare', join(shelf, 'camera.json'), join(shelf, 'air.json'), '--samples', '-o', file);
  const {page: phone, wrong, open} = await watched(browser);
  await phone.setViewport({width: 390, height: 844, deviceScaleFactor: 1});
  await open(file);
  assert.ok(await phone.$eval('main', (e) => e.scrollWidth <= e.clientWidth), 'two documents fit');
  assert.deepEqual(wrong, []);
  await phone.close();
});

test('paper names the publisher, and no tools', async () => {
  const alone = await output('register-alone');
  await writeFile(join(alone, 'air.json'), await readFile(join(documents, 'air-station.json')));
  const other = await serve('--samples', '--documents', alone);
  try {
    for (const [from, printed] of [[server.url, 'Questions about this register\nCity of Lindenau\nopen@lindenau.example'], [other.url, '']]) {
      const {page, wrong} = await visit('/d?lang=en', {from});
      await page.emulateMediaType('print');
      assert.equal((await page.$eval('.end', (e) => e.innerText)).trim(), printed);
      assert.deepEqual(wrong, []);
      await page.close();
    }
  } finally {
    other.stop();
  }
});

test('the list is filtered without scripts', async () => {
  const {page, wrong} = await visit('/d', {scripts: false});
  await page.type('#q', 'air');
  await Promise.all([page.waitForNavigation(), page.click('.search button')]);
  assert.deepEqual(await page.$$eval('li.record h3 a', (list) => list.map((a) => a.getAttribute('href'))), ['/d/air']);
  const link = await page.$eval('.side a', (a) => a.href);
  assert.match(link, /\/d\?.*q=air/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('filters open within a phone', async () => {
  const {page, wrong} = await visit('/d');
  for (const width of [320, 390]) {
    await page.setViewport({width, height: 844, deviceScaleFactor: 1});
    for (const fold of await page.$$('.side details')) {
      await fold.evaluate((e) => { e.open = true; });
      assert.ok(await fold.$eval('ul', (e) => e.getBoundingClientRect().right <= innerWidth), 'no part of it is beyond the edge');
    }
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test('what is near is found in the browser', async () => {
  await browser.defaultBrowserContext().overridePermissions(server.url, ['geolocation']);
  const {page, wrong} = await visit('/d');
  await page.setGeolocation({latitude: 51.4, longitude: 12.5});
  const asked = [];
  page.on('request', (r) => asked.push(r.url()));
  await page.click('[data-near]');
  await page.waitForSelector('#near ol');
  assert.deepEqual(await page.$$eval('#near li a', (list) => list.map((a) => a.getAttribute('href'))), ['/d/air', '/d/camera']);
  assert.deepEqual(asked, [`${server.url}/d.geojson`], 'the position stays in the browser');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a static register is filtered by the words it shows', async () => {
  const out = join(build, 'register-site');
  await rm(out, {recursive: true, force: true});
  await datachain('site', shelf, '--out', out, '--samples');
  const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json', '.geojson': 'application/geo+json'};
  const host = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://x').pathname;
    try {
      const body = await readFile(join(out, path.endsWith('/') ? `${path}index.html` : path));
      response.writeHead(200, {'Content-Type': types[extname(path)] ?? 'text/html'}).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await new Promise((ready) => host.once('listening', ready));
  const from = `http://127.0.0.1:${host.address().port}`;
  try {
    const {page, wrong} = await visit('/en/d.html', {from});
    const found = () => page.$$eval('li.record h3 a', (list) => list.map((a) => a.getAttribute('href')).sort());
    assert.deepEqual(await found(), ['d/air.html', 'd/camera.html']);
    const heading = () => page.$eval('#found', (h) => h.textContent);
    const shown = () => page.$$eval('li.record', (list) => list.filter((e) => e.checkVisibility()).map((e) => e.querySelector('h3 a').getAttribute('href')).sort());
    const all = await heading();
    const search = (q) => page.$eval('#q', (input, value) => { input.value = value; input.dispatchEvent(new Event('input', {bubbles: true})); }, q);
    for (const [q, wanted, said] of [
      ['market', 'd/air.html', /^1 /], ['MARKET air', 'd/air.html', /^1 /], ['camera', 'd/camera.html', /^1 /], ['zzzz', '', /^0 /], ['', 'd/air.html,d/camera.html', all],
    ]) {
      await search(q);
      assert.equal(String(await shown()), wanted, q);
      assert.match(await heading(), new RegExp(said), q);
      assert.equal(await page.$eval('#nothing', (e) => e.checkVisibility()), wanted === '', q);
    }
    assert.deepEqual(wrong, []);
    await page.close();
    const printed = await visit('/d/camera/', {from});
    assert.equal((await printed.page.$$('h1')).length, 1);
    assert.deepEqual(printed.wrong, []);
    await printed.page.close();
  } finally {
    host.close();
  }
});
