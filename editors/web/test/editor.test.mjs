// The editor in headless Chromium, on a page with a strict Content-Security-Policy.
import assert from 'node:assert/strict';
import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {eventually, launch, patient, settled, tooWide, watched} from '../../../tools/browser/browser.mjs';
import {site} from '../example/site.mjs';

const build = new URL('../build/', import.meta.url).pathname;
let browser, server;
before(async () => {
  await mkdir(build, {recursive: true});
  server = await site();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const document_ = (elements) => `{
  "id": "x",
  "schema_version": "ai@2026-11-15-stable",
  "created_at": "2026-06-20T12:00:00Z",
  "elements": [
    ${elements}
  ]
}`;

// opened opens the page and waits for the language server.
async function opened({query = '', width = 1000, height = 800, scheme = 'light'} = {}) {
  const {page, wrong, open} = await watched(browser, (url) => url.startsWith(server.url) || url.startsWith('data:image/svg+xml'));
  await page.setViewport({width, height});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await open(`${server.page}${query}`);
  await page.evaluate(() => window.editor.ready);
  const picture = (name) => page.screenshot({path: join(build, `${name}.png`)});
  return {page, wrong, picture};
}

// sees waits for a text in the page.
const sees = (page, selector, text) => page.waitForFunction(
  (s, t) => [...document.querySelectorAll(s)].some((e) => e.textContent.includes(t)), {polling: 20}, selector, text);
const value = (page) => page.evaluate(() => window.editor.value);
const set = (page, text) => page.evaluate((t) => { window.editor.value = t; }, text);
const judged = (page, code) => page.waitForFunction((c) => window.diagnostics?.some((d) => d.code === c), {polling: 20}, code);

// pick waits for a completion, and takes it with the keyboard, in a text of one line.
// CodeMirror ignores keys that follow a new list within 75 ms. If one comes just before
// Enter, that breaks the line: undo it and open the list again.
async function pick(page, text) {
  for (;;) {
    await sees(page, '.cm-tooltip-autocomplete li', text);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    const chosen = await page.evaluate(() => document.querySelector('.cm-tooltip-autocomplete li[aria-selected]')?.textContent ?? '');
    if (!chosen.includes(text)) {
      await page.keyboard.press('ArrowDown');
      continue;
    }
    await page.keyboard.press('Enter');
    if (!(await value(page)).includes('\n')) return;
    await withControl(page, 'KeyZ', 'Space');
  }
}

// withControl presses keys while Control is down.
async function withControl(page, ...keys) {
  await page.keyboard.down('Control');
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.up('Control');
}

test('typing with completions, by title and in another language', async () => {
  const {page, wrong, picture} = await opened({query: '?lang=fr'});
  await page.focus('.cm-content');
  await page.keyboard.type('{"schema_version": "');
  await pick(page, 'ai@2026-11-15-stable');
  await page.waitForFunction(() => window.editor.value.includes('-stable"'));
  await page.keyboard.press('ArrowRight'); // the edit stays inside the quotes
  await page.keyboard.type(', "elements": [{"element_id": "');
  await sees(page, '.cm-tooltip-autocomplete li', 'purpose.');
  await page.keyboard.type('médical');
  await sees(page, '.cm-tooltip-autocomplete li:first-child', 'Tri médical (purpose.triage)');
  await picture('completion');
  await pick(page, 'purpose.triage');
  await page.waitForFunction(() => window.editor.value.includes('"purpose.triage"'));
  assert.equal(JSON.parse(await value(page)).elements[0].element_id, 'purpose.triage');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('findings, hovers and fixes', async () => {
  const {page, wrong, picture} = await opened();
  await set(page, document_('{"element_id": "purpose.triag"}, {"element_id": "decision.advised"}'));
  await judged(page, 'INSTANCE_ELEMENT_UNKNOWN');
  await page.waitForSelector('.cm-lintRange-error');
  await sees(page, '.cm-datachain-status', 'error');

  const over = async (text) => {
    const {x, y} = await page.evaluate((t) => {
      const node = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT, (n) => (n.data.includes(t) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP)).nextNode();
      const range = document.createRange();
      range.setStart(node, node.data.indexOf(t) + 3);
      range.setEnd(node, node.data.indexOf(t) + 4);
      const {left, top, width, height} = range.getBoundingClientRect();
      return {x: left + width / 2, y: top + height / 2};
    }, text);
    await page.mouse.move(x, y - 40);
    await page.mouse.move(x, y, {steps: 3});
  };
  await over('decision.advised');
  await sees(page, '.cm-lsp-hover-tooltip', 'decision.advised');
  assert.match(await page.$eval('.cm-lsp-hover-tooltip img', (e) => e.src), /^data:image\/svg\+xml;base64,/);
  await page.waitForFunction(() => document.querySelector('.cm-lsp-hover-tooltip img')?.naturalWidth > 0);
  await picture('hover');

  await page.mouse.move(1, 1);
  await page.waitForFunction(() => !document.querySelector('.cm-lsp-hover-tooltip'));
  await over('purpose.triag');
  await page.waitForSelector('.cm-tooltip-lint .cm-diagnosticAction');
  assert.match(await page.$eval('.cm-tooltip-lint a', (e) => e.href), /INSTANCE_ELEMENT_UNKNOWN$/);
  await picture('finding');
  await page.locator('.cm-tooltip-lint .cm-diagnosticAction').click();
  await page.waitForFunction(() => window.editor.value.includes('"purpose.triage"'));
  await page.waitForFunction(() => !window.diagnostics.some((d) => d.code === 'INSTANCE_ELEMENT_UNKNOWN'));
  assert.deepEqual(wrong, []);
  await page.close();
});

test('the keyboard alone', async () => {
  const {page, wrong} = await opened();
  await set(page, document_('{"element_id": "purpose.triag"}').replace('  "id"', '"id"'));
  await judged(page, 'INSTANCE_ELEMENT_UNKNOWN');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Datachain document');
  await page.keyboard.down('Shift');
  await page.keyboard.down('Alt');
  await page.keyboard.press('KeyF');
  await page.keyboard.up('Alt');
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => window.editor.value.includes('\n  "id"'));
  await eventually(async () => { // the formatted text is judged first
    await page.keyboard.press('F8');
    return page.evaluate(() => window.editor.view.state.selection.main.to > 0);
  }, 'F8 goes to the next finding');
  await withControl(page, 'Period');
  await page.waitForSelector('.cm-panel-lint .cm-diagnosticAction');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    const {view} = window.editor;
    view.dispatch({selection: {anchor: window.editor.value.indexOf('ai@2026') + 3}});
    view.focus();
  });
  await withControl(page, 'KeyK', 'KeyI');
  await sees(page, '.cm-lsp-hover-tooltip[role=status]', 'ai@2026-11-15-stable');
  // Tab leaves the editor: first to its buttons.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'BUTTON');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('nothing in a document or a hover runs', async () => {
  const {page, wrong} = await opened();
  const attack = '<img src=x onerror=trap(1)><script>trap(2)</script><svg onload=trap(3)>[x](javascript:trap(4))';
  await set(page, document_(`{"element_id": ${JSON.stringify(attack)}, ${JSON.stringify(attack)}: 1}`));
  await judged(page, 'INSTANCE_ELEMENT_UNKNOWN');
  await page.evaluate(() => {
    const {view} = window.editor;
    view.dispatch({selection: {anchor: window.editor.value.indexOf('onerror')}});
    view.focus();
  });
  await page.keyboard.press('F8');
  await settled(page);
  const clean = await page.evaluate(async (html) => (await import('../src/sanitize.js')).sanitize(html),
    '<p onclick="trap()">a<script>trap()</script><b>b</b><img src="https://example.org/x.png"><img src="data:image/svg+xml;base64,AAAA" onerror="trap()">' +
    '<a href="javascript:trap()">c</a><a href="https://example.org">d</a><svg><script>trap()</script></svg><math><mi>x</mi></math><iframe src="x"></iframe><template><p>t</p></template></p>');
  assert.equal(clean, '<p dir="auto">ab<img src="data:image/svg+xml;base64,AAAA" alt=""><a>c</a><a href="https://example.org" target="_blank" rel="noopener noreferrer">d</a></p>');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('narrow, dark, and from right to left', async () => {
  const {page, wrong, picture} = await opened({width: 320, height: 640, scheme: 'dark'});
  await set(page, document_('{"element_id": "purpose.triag", "rationale": [{"locale": "ar", "value": "نص عربي, طويل"}]}'));
  await judged(page, 'INSTANCE_ELEMENT_UNKNOWN');
  assert.equal(await tooWide(page), '');
  await page.waitForSelector('.cm-isolate');
  assert.equal(await page.$eval('.cm-editor', (e) => getComputedStyle(e).backgroundColor), 'rgb(22, 24, 29)');
  await page.locator('.cm-datachain-status button').click();
  await page.waitForSelector('.cm-panel-lint .cm-diagnosticAction');
  assert.equal(await tooWide(page), '');
  await picture('narrow');
  assert.deepEqual(wrong, []);
  await page.close();
});

test('without WebAssembly it is a textarea', async () => {
  const page = await patient(browser);
  await page.evaluateOnNewDocument(() => { delete window.WebAssembly; });
  await page.goto(server.page);
  await page.waitForSelector('textarea[aria-label="Datachain document"]');
  await page.type('textarea', '{}');
  assert.deepEqual(await page.evaluate(() => [window.editor.kind, window.editor.value]), ['text', '{}']);
  await page.close();
});

test('without a store the text can be edited', async () => {
  const page = await patient(browser);
  await page.goto(server.page);
  const said = await page.evaluate(async () => {
    const {createEditor, files} = await import('../dist/editor.js');
    const editor = createEditor(document.querySelector('main'), {languageServer: {store: files('/nowhere/')}, cspNonce: document.querySelector('script').nonce, value: 'a'});
    const message = await editor.ready.catch((e) => e.message);
    editor.value += 'b';
    const shown = editor.element.querySelector('[role=status]').textContent;
    const after = editor.value;
    editor.destroy();
    return [message === shown, message, after, document.querySelectorAll('.cm-editor').length];
  });
  assert.deepEqual([said[0], ...said.slice(2)], [true, 'ab', 1]);
  assert.match(said[1], /could not be started.*answered 404/);
  await page.close();
});

test('from a key to the finding', async () => {
  const {page, wrong} = await opened();
  const text = await readFile(new URL('../../../examples/documents/benefits.json', import.meta.url), 'utf8');
  const source = '{"type": "document", "title": "A source of the document", "url": "https://example.org/a/b/c"},\n    ';
  await set(page, text.replace('"sources": [', `"sources": [${source.repeat((20 * 1024 - text.length) / source.length)}`));
  await page.waitForFunction(() => window.diagnostics?.length === 0);
  const median = await page.evaluate(async () => {
    const {view} = window.editor;
    const at = window.editor.value.indexOf('purpose.benefits') + 'purpose.benefits'.length;
    const times = [];
    for (let n = 0; n < 40; n++) {
      const begun = performance.now();
      const old = window.diagnostics;
      view.dispatch({changes: n % 2 ? {from: at, to: at + 1} : {from: at, insert: 'x'}, userEvent: 'input.type'});
      while (window.diagnostics === old) await new Promise((done) => { const {port1, port2} = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
      times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[20];
  });
  console.log(`Chromium: from a key in a document of 20 KB to its squiggle ${median.toFixed(1)} ms (median)`);
  assert.deepEqual(wrong, []);
  await page.close();
});
