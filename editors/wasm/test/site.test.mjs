// The search and the form of a static site in headless Chromium: they answer as the server does,
// and load nothing before they are used.
import assert from 'node:assert/strict';
import {readFile, rm} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, patience, patient, settled, tooWide, watched} from '../../../tools/browser/browser.mjs';
import {serve as serveWith} from '../../../tools/browser/serve.mjs';
import {build, command, host, root} from './world.mjs';

const oldest = 'ai@2026-09-01-stable', stable = 'ai@2026-11-15-stable';
const often = {polling: 50};
let browser, server, site, axe;
before(async () => {
  const out = join(build, 'hosted/below/site');
  await rm(join(build, 'hosted'), {recursive: true, force: true});
  const {code, stderr} = await command('site', '--samples', '--out', out, '--assets', join(root, 'editors/wasm/dist'));
  assert.equal(code, 0, stderr);
  axe = await readFile(createRequire(join(root, 'tools/browser/browser.mjs')).resolve('axe-core/axe.min.js'), 'utf8');
  site = await host(join(build, 'hosted')); // the site is below a path
  server = await serveWith(join(build, 'datachain'), '--samples');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.stop();
  server?.stop();
});

// visit opens a page of the site. loaded are the requests, by the name of the file.
async function visit(file, from = site.url) {
  const address = `${from}below/site/${file}`;
  // The icon of a field for dates is Chromium's own.
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(from) || url.startsWith('data:image/svg+xml;base64,') || url.startsWith(`blob:${from}`));
  const loaded = [];
  page.on('request', (r) => loaded.push(new URL(r.url()).pathname.split('/').pop()));
  await page.setViewport({width: 1000, height: 800});
  await open(address);
  return {page, wrong, loaded};
}

// found returns what results show: links by where they lead, texts and marks.
const found = (page, selector) => page.$eval(selector, (box) => {
  for (const a of box.querySelectorAll('a')) {
    // The same page on a server and as a file: its last names.
    const {pathname, searchParams} = new URL(a.href);
    searchParams.delete('lang');
    a.setAttribute('href', decodeURIComponent(pathname).replace(/\.html$/, '').split('/').slice(-2).join('/') + (searchParams.size ? `?${searchParams}` : ''));
  }
  return box.innerHTML;
});

// typed searches on a page, and waits for results about what was typed.
async function typed(page, text) {
  await page.$eval('#q', (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event('input', {bubbles: true}));
  }, text);
  await page.waitForFunction((q) => new URLSearchParams(location.search).get('q') === q, often, text);
}

test('nothing is loaded before the search is used', async () => {
  const {page, wrong, loaded} = await visit(`en/t/${stable}.html`);
  await page.waitForSelector('form[role=search]:not([hidden])');
  await settled(page);
  assert.deepEqual(loaded.filter((name) => /site|wasm|\.json$/.test(name)), []);
  await typed(page, 'persnal data');
  await page.waitForSelector('#results mark');
  assert.ok(loaded.some((name) => /^site\.\w+\.wasm\.gz$/.test(name)));
  assert.equal(loaded.filter((name) => name === 'release.json').length, 1, 'only the release of the page is loaded');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the catalog finds what the server finds', async () => {
  for (const lang of ['en', 'fr', 'es']) {
    const here = await visit(`${lang}/t/${oldest}.html`), there = await watched(browser, (url) => url.startsWith(server.url));
    await there.open(`${server.url}/t/${oldest}?lang=${lang}`);
    for (const text of ['camera', 'persnal data', 'données', 'zzzzz', 'a', '<b>"&']) {
      await typed(here.page, text);
      await typed(there.page, text);
      assert.equal(await found(here.page, '#results'), await found(there.page, '#results'), `${lang}: ${text}`);
    }
    assert.deepEqual([...here.wrong, ...there.wrong], []);
    await here.page.close();
    await there.page.close();
  }
});

test('what was searched for is in the address, and the keyboard opens what was found', async () => {
  const {page, wrong} = await visit(`es/t/${stable}.html?q=datos&page=2`);
  await page.waitForSelector('#results .found');
  assert.equal(await page.$eval('#q', (input) => input.value), 'datos');
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document)).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), []);
  await page.focus('#results a.cover');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.match(page.url(), /\/es\/t\/ai@[\w-]+\/e\/[\w.]+\.html$/);
  assert.equal(await tooWide(page), '');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('all taxonomies are searched on the first page', async () => {
  const {page, wrong} = await visit('en/index.html');
  await typed(page, 'camera');
  await page.waitForSelector('#results mark');
  const kinds = await page.$$eval('#results .found > section', (list) => list.length);
  assert.ok(kinds >= 2, `${kinds} taxonomies`);
  assert.deepEqual(wrong, []);
  await page.close();
});

// pressed does something that returns the form, and waits for it.
async function pressed(page, selector) {
  await page.evaluate(() => { document.querySelector('#compose').dataset.old = ''; });
  await page.click(selector);
  await page.waitForSelector('#compose:not([data-old])');
}

test('a document is described by the form and saved', async () => {
  const {page, wrong, loaded} = await visit('en/compose.html');
  await page.waitForSelector('#composer[data-ready]:not([hidden])');
  assert.equal(await page.$('#needs'), null);
  assert.deepEqual(loaded.filter((name) => /wasm|\.json$/.test(name)), [], 'nothing is loaded before it is used');
  await page.type('#name', 'Camera gate');
  await pressed(page, '[value="begin sensor@2026-11-15-stable"]');
  await pressed(page, '.question[open] [value=next]');
  await page.click('button[value="purpose.safety"]'); // what it needs is in the page already
  await pressed(page, '.question[open] [value=next]');
  await page.click('button[value="device.camera"]');
  await page.type('[name$=":area"]', 'the gate');
  await pressed(page, '.question[open] [value=next]');
  await page.click('button[value="data.images"]');
  await pressed(page, '.question[open] [value$=" could_identify_people"]');
  await page.click('#c-responsible > summary');
  await page.click('button[value="responsible.in_charge"]');
  await page.type('[name$=":organisation"]', 'City Library');
  await page.type('[name$=":contact"]', 'gate@library.example');
  await pressed(page, '.question[open] [value=next]');
  assert.match(await page.$eval('#progress', (e) => e.textContent), /5 of 5 required questions answered\.\s*$/);
  assert.match(await page.$eval('#page', (e) => e.textContent), /Camera gate[^]*City Library/);
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document, {iframes: false})).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), []);
  await page.setViewport({width: 320, height: 800});
  assert.equal(await tooWide(page), '');
  await page.setViewport({width: 1000, height: 800});

  // The form in another language stays on the page, and its links lead to files.
  await page.click('.hero .fold > summary');
  await pressed(page, '[formaction*="lang=fr"]');
  assert.equal(await page.$eval('html', (e) => e.lang), 'fr');
  assert.match(await page.$eval('.pinned a', (a) => a.href), /\/fr\/t\/sensor@[\w-]+\.html$/);
  await page.click('.hero .fold > summary');
  await pressed(page, '[formaction*="compose.html"][lang=en]');

  const text = await page.$eval('[name=document]', (input) => input.value);
  const folder = join(build, 'saved');
  await rm(folder, {recursive: true, force: true});
  const client = await page.createCDPSession();
  await client.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder, eventsEnabled: true});
  const done = new Promise((resolve) => client.on('Browser.downloadProgress', ({state}) => state === 'completed' && resolve()));
  await page.locator('[value=save]').click(); // the form may just be replaced
  await done;
  assert.equal(await readFile(join(folder, 'camera-gate.datachain.json'), 'utf8'), text);
  const {code, stdout} = await command('validate', '--samples', join(folder, 'camera-gate.datachain.json'));
  assert.equal(code, 0, stdout);

  // Its page is shown in a tab.
  const opened = new Promise((resolve) => page.once('popup', resolve));
  await page.locator('[value=page]').click();
  const tab = await opened;
  await tab.waitForSelector('h1');
  assert.match(await tab.$eval('h1', (h) => h.textContent), /Camera gate/);
  assert.deepEqual(wrong, []);
  await tab.close();
  await page.close({runBeforeUnload: false});
});

test('the form opens a file and changes nothing in it', async () => {
  const {page, wrong} = await visit('fr/compose.html');
  await page.waitForSelector('#composer[data-ready]:not([hidden])');
  const file = join(root, 'examples/documents/benefits.json');
  await (await page.$('#file')).uploadFile(file);
  await page.waitForSelector('#compose [name=open]');
  assert.equal(await page.$eval('[name=document]', (input) => input.value), await readFile(file, 'utf8'));
  assert.deepEqual(wrong, []);
  await page.close({runBeforeUnload: false});
});

test('the form says what it needs if it can not run', async (t) => {
  const {page} = await watched(browser, () => true);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${site.url}below/site/en/compose.html`);
  const needs = () => page.$eval('main', (main) => main.innerText);
  assert.match(await needs(), /needs JavaScript and WebAssembly/);
  assert.match(await needs(), /datachain serve/);
  assert.equal(await page.$eval('#composer', (e) => e.checkVisibility()), false);
  await page.close();

  // Its module can't be loaded.
  let broken = true;
  const odd = await host(join(build, 'hosted'), {}, (request, response) => {
    if (!broken || !request.url.endsWith('.gz')) return false;
    response.writeHead(503).end();
    return true;
  });
  t.after(odd.stop);
  const {page: other} = await visit('en/compose.html?new=sensor@2026-11-15-stable', odd.url);
  await other.waitForFunction(() => document.querySelector('#needs')?.innerText.includes('could not be loaded'), often);
  assert.match(await other.$eval('#needs', (e) => e.innerText), /datachain serve/);
  broken = false;
  await other.reload();
  await other.waitForSelector('#composer:not([hidden]) #name[open]');
  await other.close();
});

test('any host will do', async (t) => {
  const odd = await host(join(build, 'hosted'), {}, (request, response) => {
    const {pathname} = new URL(request.url, 'http://x');
    if (!pathname.endsWith('.gz')) return false;
    // As Apache does: the file is sent as it is, and declared to be compressed.
    readFile(join(build, 'hosted', pathname)).then((body) => response.writeHead(200, {'Content-Type': 'text/plain', 'Content-Encoding': 'gzip'}).end(body));
    return true;
  });
  t.after(odd.stop);
  const {page, wrong} = await visit(`en/t/${stable}.html`, odd.url);
  await typed(page, 'data');
  await page.waitForSelector('#results mark');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a search that can not be loaded says so, and works once it can', async (t) => {
  let broken = true;
  const odd = await host(join(build, 'hosted'), {}, (request, response) => {
    if (!broken || !request.url.endsWith('.gz')) return false;
    response.writeHead(503).end();
    return true;
  });
  t.after(odd.stop);
  const {page} = await visit(`en/t/${stable}.html`, odd.url);
  await page.type('#q', 'c');
  await page.waitForFunction(() => document.querySelector('form[role=search] [role=status]').textContent.includes('could not be loaded'));
  broken = false;
  await typed(page, 'data');
  await page.waitForSelector('#results mark');
  assert.equal(await page.$eval('form[role=search] [role=status]', (e) => e.textContent), '');
  await page.close();
});

// failing types into the search box, and waits for the message that the search failed.
async function failing(page, text) {
  await page.$eval('form[role=search] [role=status]', (note) => { note.textContent = ''; });
  await page.type('#q', text);
  await page.waitForFunction(() => document.querySelector('form[role=search] [role=status]').textContent.includes('could not be loaded'), often);
}

// workers waits until a page has a number of Workers.
async function workers(page, want) {
  const end = Date.now() + patience;
  while (page.workers().length !== want && Date.now() < end) await new Promise((done) => setTimeout(done, often.polling));
  assert.equal(page.workers().length, want);
}

test('searches that fail leave no Workers behind', async (t) => {
  let missing = /release\.json$/;
  const odd = await host(join(build, 'hosted'), {}, (request, response) => {
    if (!missing?.test(request.url)) return false;
    response.writeHead(503).end();
    return true;
  });
  t.after(odd.stop);
  const {page, loaded} = await visit(`en/t/${stable}.html`, odd.url);
  let started = 0;
  page.on('workercreated', () => started++);
  for (const key of 'camera') await failing(page, key);
  assert.equal(started, 1, 'the one that is running is used further');
  assert.equal(page.workers().length, 1);
  assert.ok(loaded.filter((name) => name === 'release.json').length > 1, 'each search tries again');
  missing = null;
  await typed(page, 'data');
  await page.waitForSelector('#results mark');
  assert.equal(started, 1);

  // Without its module it can not be started.
  await page.reload();
  started = 0;
  missing = /\.gz$/;
  for (const key of 'camera') await failing(page, key);
  assert.ok(started > 1, 'each search tries again');
  await workers(page, 0);
  missing = null;
  await typed(page, 'data');
  await page.waitForSelector('#results mark');
  await workers(page, 1);
  await page.close();
});

test('a search that ended is started again', async (t) => {
  const odd = await host(join(build, 'hosted'), {}, (request, response) => {
    const {pathname} = new URL(request.url, 'http://x');
    if (!/wasm_exec[^/]*\.js$/.test(pathname)) return false;
    // What a test needs to end the module.
    const reveal = '\nself.Go = class extends self.Go { run(instance) { self.revealed = this; return super.run(instance); } };';
    readFile(join(build, 'hosted', pathname), 'utf8').then((body) => response.writeHead(200, {'Content-Type': 'text/javascript'}).end(body + reveal));
    return true;
  });
  t.after(odd.stop);
  const {page} = await visit(`en/t/${stable}.html`, odd.url);
  const ends = [
    () => self.revealed._resolveExitPromise(), // as the module does when it exits
    () => { setTimeout(() => { throw new Error('broken'); }); },
  ];
  for (const [i, end] of ends.entries()) {
    await typed(page, `data ${i}`);
    await workers(page, 1);
    page.workers()[0].evaluate(end).catch(() => {}); // it may end before it answers
    await workers(page, 0);
  }
  await typed(page, 'data');
  await page.waitForSelector('#results mark');
  await workers(page, 1);
  await page.close();
});

test('without scripts, and from a file, there is no search box', async () => {
  for (const address of [`${site.url}below/site/en/t/${stable}.html`, `file://${build}/hosted/below/site/en/t/${stable}.html`]) {
    const page = await patient(browser);
    await page.setJavaScriptEnabled(!address.startsWith('http'));
    await page.goto(address);
    assert.equal(await page.$eval('form[role=search]', (form) => form.checkVisibility({visibilityProperty: true})), false, address);
    await page.close();
  }
});
