// The editor in the playground of the explorer: `datachain serve --assets dist`, with the
// Content-Security-Policy that it sends.
import assert from 'node:assert/strict';
import {mkdir, readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled, tooWide, watched} from '../../../tools/browser/browser.mjs';
import {serve} from '../../../tools/browser/serve.mjs';
import {build as programs, root} from '../../wasm/test/world.mjs';

const build = join(root, 'editors/web/build');
const often = {polling: 50};
let browser, server, axe, valid, broken;
before(async () => {
  await mkdir(build, {recursive: true});
  axe = await readFile(createRequire(join(root, 'tools/browser/browser.mjs')).resolve('axe-core/axe.min.js'), 'utf8');
  valid = await readFile(join(root, 'examples/documents/benefits.json'), 'utf8');
  broken = valid.replace('"purpose.benefits"', '"purpose.benefit"');
  server = await serve(join(programs, 'datachain'), '--samples', '--assets', join(root, 'editors/web/dist'), '--log-requests', 'on');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

// play opens the playground and waits for the editor. posts are the documents that are sent.
async function play(address = '/play', {width = 1280, scheme = 'light'} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`) || url.startsWith('data:image/svg+xml'));
  const posts = [];
  page.on('request', (r) => r.method() === 'POST' && posts.push(r.postData() ?? ''));
  await page.setViewport({width, height: 900});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await open(server.url + address);
  await page.waitForFunction(() => !document.getElementById('editor').hidden, often);
  return {page, wrong, posts};
}

const value = (page) => page.$eval('#document', (area) => area.value);
const holds = (page, text) => page.waitForFunction((t) => document.getElementById('document').value.includes(t), often, text);

// says waits for the status line of the editor.
const says = (page, text) => page.waitForFunction(
  (t) => document.getElementById('editor').shadowRoot.querySelector('.cm-datachain-status').textContent.includes(t), often, text);

// selectAll selects what is in the editor.
async function selectAll(page) {
  await page.locator('#editor >>> .cm-content').click();
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
}

// replace types a text in place of what is in the editor.
async function replace(page, text) {
  await selectAll(page);
  await page.keyboard.sendCharacter(text);
}

test('a document is checked while it is typed, and sent nowhere', async () => {
  const {page, wrong, posts} = await play();
  assert.match(await page.$eval('#note', (n) => n.textContent), /sent nowhere/);
  await replace(page, broken);
  assert.equal(await value(page), broken);
  await page.locator('#editor >>> .cm-datachain-status button').click();
  await page.waitForSelector('#editor >>> .cm-panel-lint a[href$="/codes/INSTANCE_ELEMENT_UNKNOWN"]');
  await page.locator('#editor >>> .cm-panel-lint .cm-diagnosticAction').click();
  await holds(page, '"purpose.benefits"');
  await says(page, 'No problems');
  assert.equal(await value(page), valid);

  // The page is made here, and the last good one stays while something is wrong.
  const heading = async () => (await (await page.waitForSelector('#results iframe')).contentFrame()).$eval('h1', (h) => h.textContent.trim()).catch(() => '');
  const eventually = async (want) => { while (await heading() !== want) await new Promise((r) => setTimeout(r, 50)); };
  await eventually('Checking requests for housing benefit');
  await replace(page, valid.replace('"value": "Checking requests', '"value": "Examining requests'));
  await eventually('Examining requests for housing benefit');
  await replace(page, broken);
  await says(page, '1 error');
  assert.equal(await heading(), 'Examining requests for housing benefit');
  await replace(page, valid);
  await says(page, 'No problems');
  assert.deepEqual(posts, []);

  await page.locator('[value=check]').click();
  await page.waitForSelector('#verdict');
  assert.equal(posts.length, 1);
  assert.match(await page.$eval('#verdict', (h) => h.textContent), /is valid/);
  assert.deepEqual(wrong, []);
  await page.close();
});

// shown is what the editor says and marks.
const shown = (page) => page.$eval('#editor', ({shadowRoot}) => ({
  status: shadowRoot.querySelector('.cm-datachain-status [role=status]').textContent,
  marks: shadowRoot.querySelectorAll('[class*=cm-lint-marker], [class*=cm-lintRange], [class*=cm-lintPoint]').length,
}));

test('an empty document is an invitation, not an error', async () => {
  for (const [lang, invitation, clean, problem] of [
    ['en', 'Type or paste a document', 'No problems', '1 error'],
    ['fr', 'Saisissez ou collez un document', 'Aucun problème', '1 erreur'],
    ['es', 'Escriba o pegue un documento', 'Sin problemas', '1 error'],
  ]) {
    const {page, wrong, posts} = await play(`/play?lang=${lang}`);
    await page.evaluate(() => {
      window.said = new Set();
      const line = document.getElementById('editor').shadowRoot.querySelector('.cm-datachain-status [role=status]');
      new MutationObserver(() => window.said.add(line.textContent)).observe(line, {childList: true, characterData: true, subtree: true});
    });
    await says(page, invitation);
    assert.deepEqual(await shown(page), {status: invitation, marks: 0});
    await replace(page, ' \n');
    await replace(page, valid);
    await says(page, clean);
    const said = await page.evaluate(() => [...window.said]);
    assert.deepEqual(said.filter((s) => s !== invitation), [clean], 'nothing else is said on the way to a valid document');
    await replace(page, '{"id"');
    await says(page, problem);
    await page.waitForSelector('#editor >>> .cm-lint-marker-error');
    await selectAll(page);
    await page.keyboard.press('Backspace');
    await says(page, invitation);
    assert.deepEqual(await shown(page), {status: invitation, marks: 0});
    assert.equal(await page.$eval('#results', (r) => r.textContent), '');
    assert.deepEqual(posts, []);
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('after a completion the next question opens', async () => {
  const {page, wrong} = await play();
  await says(page, 'Type or paste');
  await replace(page, '{"schema_version": "ai@2026-11-15-stable", "elements": []}');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.down('Control');
  await page.keyboard.press('Space');
  await page.keyboard.up('Control');
  // choose waits for a choice and clicks it at once: the list ignores keys for a moment after
  // it has opened, and may be drawn again.
  const choose = (what) => page.waitForFunction((w) => {
    const list = [...document.getElementById('editor').shadowRoot.querySelectorAll('.cm-tooltip-autocomplete li')];
    return list.find((li) => li.textContent.includes(w))?.dispatchEvent(new MouseEvent('mousedown', {bubbles: true, cancelable: true})) === false;
  }, often, what);
  await choose('(input_data.');
  await holds(page, '"context_type_id": ""');
  await choose('de_identified');
  await holds(page, '"context_type_id": "de_identified"');

  // In quotes that are there already: what is typed, or misspelt, becomes the id, and the next gap opens.
  const rest = '", "context_type_id": ""}]}';
  for (const [there, typed] of [['', 'finan'], ['input_data.finanse', 's']]) {
    await replace(page, `{"schema_version": "ai@2026-11-15-stable", "elements": [{"element_id": "${there}${rest}`);
    for (let i = 0; i < rest.length; i++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(typed);
    await choose('(input_data.finances)');
    await holds(page, '"element_id": "input_data.finances", "context_type_id": ""');
    await choose('de_identified');
    await holds(page, '"element_id": "input_data.finances", "context_type_id": "de_identified"}');
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test('completions are in the language of the page', async () => {
  const {page, wrong} = await play('/play?lang=fr');
  await says(page, 'Problèmes');
  await replace(page, '{"schema_version": "ai@2026-11-15-stable", "elements": [{"element_id": "');
  await page.keyboard.type('médical');
  await page.waitForFunction(() => /Tri médical \(purpose\.triage\)/.test(
    document.getElementById('editor').shadowRoot.querySelector('.cm-tooltip-autocomplete li')?.textContent), often);
  await page.screenshot({path: join(build, 'play-completion.png')});
  assert.deepEqual(wrong, []);
  await page.close();
});

test('places lead into the editor, and fixes change it', async () => {
  const {page, wrong} = await play();
  await replace(page, broken);
  await page.locator('[value=check]').click();
  await page.waitForSelector('li.finding a.place');
  await page.locator('a.place').click();
  assert.equal(await page.evaluate(() => document.getElementById('editor').shadowRoot.activeElement?.className.includes('cm-content')), true);
  assert.equal(await page.evaluate(() => document.getElementById('editor').shadowRoot.getSelection?.().toString() ?? '"purpose.benefit"'), '"purpose.benefit"');
  await page.locator('li.finding button').click();
  await page.waitForSelector('iframe');
  assert.equal(await value(page), valid);
  await says(page, 'No problems');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('links, samples and recent documents are opened in the editor', async () => {
  const {page, wrong, posts} = await play('/play?sample=benefits.json');
  await says(page, 'No problems');
  await replace(page, broken);
  await says(page, '1 error');
  await page.locator('[data-share]').click();
  await page.waitForSelector('.share:not([hidden])');
  const link = new URL(await page.$eval('#link', (input) => input.value));
  assert.match(link.hash, /^#doc=[\w-]+$/);
  const name = 'Checking requests for housing benefit';
  assert.deepEqual(await page.$$eval('#recent li button', (list) => list.map((b) => b.textContent)), [name]);
  assert.deepEqual(wrong, []);
  await page.close();

  const shared = await play(link.pathname + link.hash);
  await says(shared.page, '1 error');
  assert.equal(await value(shared.page), broken);
  const other = await shared.page.$$eval('.begin a', (list) => list.find((a) => a.search.includes('sample=') && !a.search.includes('benefits')).href);
  await shared.page.goto(other);
  await shared.page.waitForFunction(() => !document.getElementById('editor').hidden, often);
  assert.notEqual(await value(shared.page), broken);
  await shared.page.locator('#recent li button').click();
  await holds(shared.page, '"purpose.benefit"');
  await says(shared.page, '1 error');
  await shared.page.evaluate(() => localStorage.clear());
  assert.deepEqual([...posts, ...shared.posts], [], 'nothing was sent');
  assert.ok(!server.log().includes('doc='), 'the fragment is not in the log');
  assert.deepEqual(shared.wrong, []);
  await shared.page.close();
});

test('a link that is broken is reported, also after the editor was loaded', async () => {
  const {page, wrong} = await play('/play#doc=x');
  assert.match(await page.$eval('#note', (n) => n.textContent), /can't be read/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the page is accessible, and fits', async () => {
  for (const [width, scheme] of [[320, 'dark'], [1280, 'light']]) {
    const {page, wrong} = await play('/play?sample=benefits.json', {width, scheme});
    await says(page, 'No problems');
    for (const wide of [320, 768, 1280]) {
      await page.setViewport({width: wide, height: 900});
      await settled(page);
      assert.equal(await tooWide(page), '', `${wide} px`);
    }
    await page.setViewport({width, height: 900});
    const tall = await page.$eval('#editor', (e) => e.getBoundingClientRect().height);
    assert.ok(tall <= 900 * 0.8, `the editor is ${tall} px tall in a window of 900 px`);
    await page.evaluate(axe);
    assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document, {iframes: false})).violations.map((v) => `${v.id}: ${v.nodes[0].html}`)), []);
    await page.screenshot({path: join(build, `play-${width}-${scheme}.png`)});
    assert.deepEqual(wrong, []);
    await page.close();
  }
});

test('without WebAssembly the form checks', async () => {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.evaluateOnNewDocument(() => { delete window.WebAssembly; });
  await open(`${server.url}/play`);
  await page.focus('#document');
  await page.keyboard.sendCharacter(broken);
  await page.waitForSelector('li.finding');
  assert.equal(await page.$eval('#editor', (e) => e.hidden), true);
  assert.deepEqual(wrong, []);
  await page.close();
});
