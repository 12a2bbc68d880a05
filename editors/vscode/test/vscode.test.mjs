// Uses the extension in VS Code as a person does. Screenshots are in build.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {build, start} from './vscode.mjs';

const valid = readFileSync(new URL('../../../examples/documents/air-station.json', import.meta.url), 'utf8');
const wrong = valid.replace('purpose.environment', 'purpose.enviroment');
const started = valid.replace('purpose.environment', '');
const second = JSON.stringify({...JSON.parse(valid), id: 'second-station', title: [{locale: 'en', value: 'The second station'}]});
const source = fileURLToPath(new URL('../../../cmd/internal/command/testdata/tree/schemas/bikes', import.meta.url));
const program = join(build, 'datachain');

let code, page;
before(async () => {
  code = await start({'air.datachain.json': wrong, 'new.datachain.json': started, 'second.datachain.json': second, 'gaps.datachain.json': '{"schema_version": "sensor@2026-11-15-stable", "elements": []}', 'drafts/of/bikes': source, 'drafts/of/bikes/2026-09-01-beta/elements/more.yaml': 'id: data.more\n', 'other.json': '{"name": "x"}'});
  page = code.page;
});
after(() => code?.stop());

// step is a test that leaves a screenshot.
const step = (name, run) => test(name, async () => {
  try {
    await run();
  } finally {
    await page.screenshot({path: join(build, `${name.replaceAll(/\W+/g, '-')}.png`)});
  }
});

// panel returns the frame of the preview.
async function panel() {
  for (;;) {
    for (const frame of page.frames()) {
      const own = await frame.evaluate(() => !!document.getElementById('note')).catch(() => false);
      if (own) return frame;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

const shows = (frame, selector, text) => frame.waitForFunction((s, t) => document.querySelector(s)?.textContent.includes(t), {timeout: 30_000, polling: 50}, selector, text);

step('a missing program is explained', async () => {
  await code.open('other.json');
  await code.open('air.datachain.json');
  await code.seen('.notification-list-item', 'The program datachain was not found');
  await code.seen('.notification-list-item', 'Copy Install Command');
});

step('a program that is too old is explained', async () => {
  const old = join(build, 'old-datachain');
  writeFileSync(old, '#!/bin/sh\nexit 2\n', {mode: 0o755});
  await code.configure({'datachain.path': old});
  await code.seen('.notification-list-item', 'has no language server: it is too old');
});

step('findings appear once the setting is right', async () => {
  await code.configure({'datachain.path': program});
  await page.waitForSelector('.squiggly-error', {timeout: 60_000});
  await code.seen('.statusbar-item', 'the built-in sample taxonomies');
  await code.command('Problems: Focus on Problems View');
  await code.seen('.markers-panel', 'There is no element "purpose.enviroment"');
  await code.seen('.markers-panel', 'INSTANCE_ELEMENT_UNKNOWN');
});

step('a hover shows the icon', async () => {
  await code.command('View: Toggle Panel Visibility');
  await code.command('Notifications: Clear All Notifications');
  const [x, y] = await page.evaluate(() => {
    const text = [...document.querySelectorAll('.view-line span span')].find((e) => e.textContent === '"device.station"');
    const box = text.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  await page.mouse.move(x, y);
  await code.seen('.monaco-hover', 'Defined in sensor@');
  const drawn = await page.evaluate(() => {
    const image = document.querySelector('.monaco-hover img');
    return image?.src.startsWith('data:image/svg+xml') && image.complete && image.naturalWidth > 0;
  });
  assert.ok(drawn, 'the hover has no picture');
});

step('a quick fix repairs the document', async () => {
  await code.at('7:22');
  await code.press('Control', '.');
  await code.seen('.action-widget', 'Write purpose.environment');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.squiggly-error', {hidden: true});
  await code.seen('.view-line', '"purpose.environment"');
});

step('the preview follows what is typed', async () => {
  await code.command('Datachain: Open Preview to the Side');
  const frame = await panel();
  await shows(frame, 'main h1', 'Air on the market square');
  await page.mouse.move(1, 1);
  await page.screenshot({path: join(build, 'editors.png')}); // as in docs
  await frame.evaluate(() => window.scrollTo(0, 200));
  await code.at('3:45');
  await page.keyboard.type('XY');
  await shows(frame, 'main h1', 'XY');
  assert.equal(await frame.evaluate(() => window.scrollY), 200);
  await page.keyboard.type('"');
  await shows(frame, '#note', 'This is the last valid version.');
  await shows(frame, 'main h1', 'XY');
});

step('the preview is current again', async () => {
  const frame = await panel();
  await page.keyboard.press('Backspace');
  await frame.waitForFunction(() => document.getElementById('note').textContent === '', {timeout: 30_000});
  assert.ok(await frame.evaluate(() => [...document.querySelectorAll('main svg')].length > 3));
});

step('a code lens resolves the document', async () => {
  await code.seen('.codelens-decoration', 'Preview as page');
  const lens = await page.evaluateHandle(() => [...document.querySelectorAll('.codelens-decoration a')].find((a) => a.textContent === 'Resolve'));
  await lens.asElement().click();
  await code.seen('.tab.active', 'Untitled');
  await code.seen('.view-line', '"description": [],'); // the resolved form has every field
});

step('the preview follows the active document', async () => {
  await code.open('second.datachain.json');
  await shows(await panel(), 'main h1', 'The second station');
  await code.open('other.json');
  await code.open('air.datachain.json');
  await shows(await panel(), 'main h1', 'the market square');
  assert.equal(await page.$$eval('.tab[aria-label*="Preview"]', (list) => list.length), 1);
});

step('documents are formatted', async () => {
  await code.open('second.datachain.json');
  await code.press('Control', 'Shift', 'i'); // by VS Code
  await code.seen('.view-line', '"id": "second-station",'); // it was on one line
  await page.waitForFunction(() => ![...document.querySelectorAll('.view-line')].some((e) => e.textContent.includes('"locale"') && e.textContent.includes('"value"')));
  assert.equal(await page.$('.monaco-dialog-box'), null, 'there is one formatter');
});

step('elements are completed by title', async () => {
  await code.open('new.datachain.json');
  await code.at('7:21');
  await page.keyboard.type('weather');
  await code.seen('.suggest-widget .monaco-list-row', 'Air, noise and weather');
});

step('a completion writes the id', async () => {
  await page.keyboard.press('Enter');
  await code.seen('.view-line', '"purpose.environment"');
  await page.waitForSelector('.editor-instance .squiggly-error', {hidden: true});
});

step('tab leads through a placement, and its values are offered', async () => {
  await code.open('gaps.datachain.json');
  await code.at('1:61');
  // Takes the item that is offered for a text, or for an empty value when it is asked for.
  const take = async (typed, label) => {
    if (typed) await page.keyboard.type(typed);
    else await code.press('Control', 'Space');
    await code.seen('.suggest-widget.visible .monaco-list-row.focused', label);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.suggest-widget.visible', {hidden: true});
  };
  await take('surr', 'Measurements of the surroundings');
  await code.seen('.view-line', '"context_type_id": "", "variables": [{"id": "measured", "value": [""]}]}');
  await take('', 'Identifies people');
  await page.keyboard.press('Tab');
  await take('', 'air quality');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' ');
  // Titles stand between the values, so the line is read in parts.
  for (const part of ['"context_type_id": "identifies_people"', '"value": ["air_quality"', ']}]} ]}']) await code.seen('.view-line', part);
});

step('the preview follows the theme', async () => {
  const frame = await panel();
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'light');
  await code.command('Preferences: Toggle between Light/Dark Themes');
  await frame.waitForFunction(() => document.documentElement.dataset.theme === 'dark', {timeout: 30_000});
});

step('schema sources have findings', async () => {
  await code.configure({'datachain.path': program, 'datachain.schemas': '${workspaceFolder}/drafts/of'});
  await code.seen('.statusbar-item', 'drafts/of');
  await code.open('more.yaml');
  await page.waitForSelector('.squiggly-error', {timeout: 60_000});
});
