// The check of a proof in headless Chromium: on a server and on a static site, it says what the
// command says, and sends nothing.
import assert from 'node:assert/strict';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, picture, settled, tooWide, watched} from '../../../tools/browser/browser.mjs';
import {serve as serveWith} from '../../../tools/browser/serve.mjs';
import {build, command, host, root} from './world.mjs';

const dir = join(build, 'verify-chromium'), at = (name) => join(dir, name);
const assets = join(root, 'web/wasm/dist');
let browser, server, site, axe, report;
before(async () => {
  await rm(dir, {recursive: true, force: true});
  await mkdir(at('documents'), {recursive: true});
  const doc = JSON.parse(await readFile(join(root, 'examples/documents/benefits.json'), 'utf8'));
  await writeFile(at('documents/benefits.json'), JSON.stringify({...doc, register: {slug: 'benefits', status: 'in_use'}}));
  for (const name of ['trust', 'other']) await writeFile(at(`${name}.json`), await run('log', 'keys', 'new', 'example.org/log', '--out', at(`${name}.key`)));
  await run('schema', 'publish', join(root, 'examples/taxonomies'), '--store', at('store'), '--key', at('trust.key'));
  await run('documents', 'publish', at('documents'), '--store', at('store'), '--key', at('trust.key'));
  await run('site', '--store', at('store'), '--out', at('hosted/below/site'), '--assets', assets);
  server = await serveWith(join(build, 'datachain'), '--store', at('store'), '--assets', assets);
  site = await host(at('hosted')); // the site is below a path
  for (const name of ['resolved', 'proof']) await writeFile(at(`benefits.${name}.json`), await (await fetch(`${server.url}/d/benefits.${name}.json`)).text());
  const resolved = await readFile(at('benefits.resolved.json'), 'utf8');
  await writeFile(at('changed.json'), resolved.replace('housing', 'parking'));
  await writeFile(at('whole.json'), JSON.stringify({...JSON.parse(resolved), proof: JSON.parse(await readFile(at('benefits.proof.json'), 'utf8'))}));
  await run('resolve', at('documents/benefits.json'), '--store', at('store'), '--proof', at('doc.proof.json'), '--out', at('doc.json'));
  report = await run('verify', at('benefits.resolved.json'), '--proof', at('benefits.proof.json'), '--trust', at('trust.json'));
  axe = await readFile(createRequire(join(root, 'tools/browser/browser.mjs')).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.stop();
  server?.stop();
});

// run runs a command that must not fail.
async function run(...args) {
  const {code, stdout, stderr} = await command(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

// visit opens the page. sent are the requests: the method and the name of the file.
async function visit(address, {scripts = true} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => [`${server.url}/`, site.url].some((own) => url.startsWith(own)));
  const sent = [];
  page.on('request', (r) => sent.push(`${r.method()} ${new URL(r.url()).pathname.split('/').pop()}`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({width: 1000, height: 900});
  await open(address);
  if (scripts) await page.waitForSelector('#verify:not([hidden])');
  return {page, wrong, sent};
}

// check chooses files, sends the form by keyboard, and returns what the page says: the title, and
// the texts of the rest.
async function check(page, files) {
  for (const [field, file] of Object.entries(files)) await (await page.$(`#${field}`)).uploadFile(at(file));
  assert.equal(await page.$('.verdict'), null, 'choosing a file removes the last result');
  await page.focus('#verify button');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.verdict h2:focus');
  return page.$eval('.verdict', (v) => [v.querySelector('h2').textContent, [...v.querySelectorAll('p, dt, dd')].map((e) => e.textContent)]);
}

// sentences are what the command says, as the page shows it.
const sentences = () => report.trimEnd().split('\n').filter((line) => line.startsWith('  ')).flatMap((line) => line.match(/^ {2}(.+?)(?:: | {2,})(.*)$/).slice(1));

const holds = 'The whole document is proven, with the keys in your trust file', part = 'Only the schema snapshot is proven, not what the document says about its system', fails = 'The proof does not hold';

for (const [where, address] of [['server', () => `${server.url}/verify`], ['static site', () => `${site.url}below/site/en/verify.html`]]) {
  test(`files are checked on a ${where}, and sent nowhere`, async () => {
    const {page, wrong, sent} = await visit(address());
    assert.ok(!sent.some((s) => /wasm/.test(s)), 'nothing is loaded before the form is sent');
    const files = {resolved: 'benefits.resolved.json', proof: 'benefits.proof.json', trust: 'trust.json'};
    let [title, said] = await check(page, files);
    assert.equal(title, holds);
    assert.deepEqual(said, sentences());
    assert.ok(said.some((s) => s.startsWith('the register published exactly this document as benefits')));

    [title, said] = await check(page, {resolved: 'changed.json'});
    assert.equal(title, fails);
    assert.match(said[0], /^proof does not hold/);
    assert.match(said[1], /^Document, proof or both were changed/);

    [title, said] = await check(page, {resolved: 'doc.json', proof: 'doc.proof.json'});
    assert.equal(title, part);
    assert.match(said[0], /^Get the resolved document and its proof from the register/);
    assert.ok(said.includes('placements'));

    [title, said] = await check(page, {...files, trust: 'other.json'});
    assert.equal(title, fails);
    assert.match(said[0], /not signed by a trusted key/);
    assert.match(said[1], /newest trust file/);

    [title, said] = await check(page, {trust: 'changed.json'}); // which is not a trust file
    assert.equal(title, 'Nothing was checked');
    assert.equal(said.length, 1);
    assert.deepEqual(sent.filter((s) => !s.startsWith('GET ')), []);
    assert.ok(!sent.some((s) => s.includes('.json')), sent.join());
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test('a document that contains its proof', async () => {
  const {page, wrong} = await visit(`${server.url}/verify`);
  assert.equal((await check(page, {resolved: 'whole.json', trust: 'trust.json'}))[0], holds);
  assert.deepEqual(wrong, []);
  await page.close();
});

for (const [where, address] of [['register', () => `${server.url}/d/benefits`], ['static register', () => `${site.url}below/site/en/d/benefits.html`]]) {
  test(`the document of a ${where}`, async () => {
    const {page, wrong, sent} = await visit(address(), {scripts: false});
    const link = await page.$$eval('.technical a, footer a', (list) => list.find((a) => a.textContent === 'Check them in this browser').href);
    await page.close();
    const there = await visit(link);
    assert.equal((await check(there.page, {trust: 'trust.json'}))[0], holds);
    assert.ok(there.sent.includes('GET benefits.resolved.json') && there.sent.includes('GET benefits.proof.json'), there.sent.join());
    assert.equal((await check(there.page, {resolved: 'changed.json', proof: 'benefits.proof.json'}))[0], fails, 'a file that was chosen wins');
    assert.deepEqual([...wrong, ...there.wrong], []);
    assert.ok(!sent.some((s) => /wasm/.test(s)));
    await there.page.close();
  });
}

test('without scripts, there are the commands and the files', async () => {
  const {page, wrong} = await visit(`${server.url}/verify?document=benefits`, {scripts: false});
  assert.equal(await page.$eval('#verify', (f) => f.getBoundingClientRect().height), 0);
  assert.match(await page.$eval('#unavailable', (p) => p.innerText), /Use a program instead/);
  assert.deepEqual(await page.$$eval('.verifier a[download]', (list) => list.map((a) => a.textContent)), ['benefits.resolved.json', 'benefits.proof.json']);
  const typed = (await page.$eval('#command', (p) => p.textContent)).split(' ').slice(1).map((word) => (word.endsWith('.json') ? at(word) : word));
  assert.equal(await run(...typed), report, 'the command of the page works');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a module that is missing is said', async () => {
  const {page, wrong} = await visit(`${server.url}/verify`);
  await page.$eval('#verify', (form) => { form.dataset.module += 'x'; });
  const [title, said] = await check(page, {resolved: 'whole.json', trust: 'trust.json'});
  assert.equal(title, 'Nothing was checked');
  assert.match(said[0], /could not be loaded/);
  await page.$eval('#verify', (form) => { form.dataset.module = form.dataset.module.slice(0, -1); });
  assert.equal((await check(page, {resolved: 'benefits.resolved.json', proof: 'benefits.proof.json'}))[0], holds, 'the next check tries again');
  assert.ok(wrong.every((w) => /404/.test(w)), wrong.join());
  await page.close();
});

test('the page fits and is accessible', async () => {
  for (const lang of ['en', 'de', 'ar']) {
    const {page, wrong} = await visit(`${server.url}/verify?document=benefits&lang=${lang}`);
    for (const trust of ['trust.json', 'other.json']) {
      await check(page, {trust});
      await page.evaluate(axe);
      for (const [width, scheme] of [[320, 'dark'], [768, 'light'], [1280, 'light']]) {
        await page.setViewport({width, height: 900});
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        await settled(page);
        assert.equal(await tooWide(page), '', `${lang} ${width}`);
        assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document)).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join('; ')}`)), [], `${lang} ${width} ${scheme}`);
        await picture(page, at(`${lang}-${trust}-${width}.png`));
      }
    }
    assert.deepEqual(wrong, []);
    await page.close();
  }
});
