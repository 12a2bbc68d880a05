// Drives Helix through editors/helix/languages.toml in a terminal that tmux holds: mistakes are
// fixed, a document is written with completions and tab stops, and ids are found and
// renamed across files. HELIX is the command, by default hx.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const home = mkdtempSync(join(tmpdir(), 'datachain-helix-'));
const program = resolve('build/datachain');
const hx = process.env.HELIX ?? 'hx';
let starts = 0; // each has a socket of its own: a server that was told to end holds its socket for a moment
const tmux = (...args) => execFileSync('tmux', ['-S', join(home, `tmux-${starts}`), '-f', '/dev/null', ...args], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
const screen = () => tmux('capture-pane', '-p');

// Waits until something of the screen or a file holds, and returns it.
async function until(what, holds) {
  for (const end = Date.now() + 20000; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) {
    const found = holds(screen());
    if (found) return found;
  }
  assert.fail(`waited in vain for ${what}:\n${screen()}`);
}

const shows = (part) => until(part, (s) => s.includes(part));
const absent = (part) => until(`no ${part}`, (s) => !s.includes(part));
const literally = (text) => tmux('send-keys', '-l', text.replace(/;$/, '\\;')); // tmux ends a command at a semicolon
const keys = (...names) => tmux('send-keys', ...names);

// Leaves menus, prompts and the insert mode. A terminal takes a key that follows an escape at once for a part of it, so nothing
// but time tells them apart.
async function normal() {
  keys('Escape');
  await new Promise((done) => setTimeout(done, 60));
  keys('Escape');
  await shows(' NOR ');
  await new Promise((done) => setTimeout(done, 60));
}

async function command(line) {
  await normal();
  literally(':');
  await until('the prompt', (s) => s.trimEnd().split('\n').at(-1).startsWith(':'));
  literally(line);
  keys('Enter');
  await until('the end of the prompt', (s) => !s.trimEnd().split('\n').at(-1).startsWith(':'));
}

// Selects a part of the text. The cursor is on its last character.
async function at(part) {
  await normal();
  keys('g', 'e', '/'); // a search goes on at the beginning
  await shows('search:');
  literally(part.replace(/[[\]{}().*+?^$|\\]/g, '\\$&'));
  keys('Enter');
  await until('the search to end', (s) => !s.includes('search:'));
}

// Saves the text, and returns it.
async function saved(file) {
  await command('write');
  await shows('written');
  return readFileSync(file, 'utf8');
}

function folder(name, files) {
  const dir = join(home, name);
  mkdirSync(join(dir, '.git'), {recursive: true});
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
  return dir;
}

// Starts Helix with a file of a folder.
async function start(dir, file) {
  const env = {XDG_CONFIG_HOME: join(home, 'config'), XDG_CACHE_HOME: join(home, 'cache'), PATH: `${resolve('build')}:${process.env.PATH}`};
  starts++;
  tmux('new-session', '-d', '-x', '230', '-y', '50', '-c', dir, 'env', ...Object.entries(env).map(([k, v]) => `${k}=${v}`), ...hx.split(' '), file);
  await shows(' NOR ');
}

function stop() {
  try { tmux('kill-server'); } catch { /* it did not start */ }
}

// Opens the menu of actions, and runs one of them. The menu is below the cursor, with the first action selected.
async function act(title) {
  keys('Space', 'a');
  const menu = await until(title, (s) => s.includes(title) && s.split('\n'));
  const below = menu.findIndex((line) => line.includes(title)) - Number(tmux('display-message', '-p', '#{cursor_y}')) - 1;
  keys(...Array(below).fill('Down'), 'Enter');
}

const sensor = 'sensor@2026-11-15-stable';

// Each fix of a mistake, in the order in which they are made: where the cursor is, the title of the action, and what it writes.
const mistakes = `{
  "title": "Market square",
  "schema_version": "${sensor}",
  "elements": [
    {"element_id": "purpose.environment", "context_type_id": "always_on", "lable": "Air"},
    {"element_id": "device.station"},
    {"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": [{"id": "measured", "value": "air_quality"}]},
    {"element_id": "responsible.in_charge", "variables": [{"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]}]}
  ]
}
`;
const fixes = [
  ['{', 'Add id', '"id": "mistakes"'],
  ['{', 'Add created_at', '"created_at": "20'],
  ['"Market', 'Write [{"locale": "en", "value": "Market square"}]', '"title": [{"locale": "en", "value": "Market square"}]'],
  ['lable', 'Write label', '"label": "Air"'],
  ['always_on', 'Remove context_type_id', '{"element_id": "purpose.environment", "label": "Air"}'],
  ['{"element_id": "device.station', 'Set the context “Always on” (always_on)', '"device.station", "context_type_id": "always_on"'],
  ['air_quality', 'Write ["air_quality"]', '"value": ["air_quality"]'],
  ['"variables": [{"id": "organ', 'Add the required variable contact', '"id": "contact"'],
];

async function repairing() {
  const dir = folder('fixes', {'mistakes.datachain.json': mistakes});
  await start(dir, 'mistakes.datachain.json');
  await shows('The datachain has no id');
  for (const [part, title, written] of fixes) {
    await at(part);
    await act(title);
    await shows(written);
  }
  stop();
  console.log(`${fixes.length} fixes: passed`);
}

// Reads a hover, and pins a version that is there.
async function hovering() {
  const valid = JSON.parse(readFileSync('../../examples/documents/air-station.json', 'utf8'));
  const dir = folder('hover', {
    'valid.datachain.json': JSON.stringify(valid, null, 2), 'old.datachain.json': JSON.stringify({...valid, schema_version: 'sensor@2020-01-01-stable'}),
  });
  await start(dir, 'valid.datachain.json');
  await at('data.surroundings');
  keys('Space', 'k');
  const hover = await until('a hover', (s) => s.includes('Measurements of the surroundings') && s);
  assert.ok(!hover.includes('\\'), hover);

  // Helix shows no lenses; the finding and the actions say that the version is not known.
  await command('open old.datachain.json');
  await shows('old.datachain.json');
  await at('sensor@2020-01-01-stable');
  await shows('no schema version sensor@2020-01-01-stable');
  await act(`Pin the latest version, ${sensor}`);
  await shows(`"schema_version":"${sensor}"`);
  stop();
  console.log('hover and an unknown version: passed');
}

// Types what an item begins with, waits for it, and takes the first one. The list may open by itself; else it is asked for.
async function accept(typed, label) {
  if (typed) literally(typed);
  for (let polls = 1; !screen().includes(label) && polls < 1000; polls++) {
    if (polls % 20 === 0) keys('C-x');
    await new Promise((done) => setTimeout(done, 20));
  }
  await shows(label);
  keys('C-n', 'Enter');
  await absent(label);
}

// Writes a valid document from an empty file with completions: a tab goes to the next gap, where its values are offered.
async function writing() {
  const dir = folder('new', {});
  const file = join(dir, 'new.datachain.json');
  await start(dir, file);
  keys('i');
  await shows(' INS ');
  await accept('sensor', `Datachain (${sensor})`);
  literally('market-square');
  keys('Tab');
  await accept('envir', 'Air, noise and weather (purpose.environment)');
  for (const [typed, label, ...gaps] of [
    ['stati', 'Air and weather station (device.station)', 'Always on (always_on)'],
    ['surr', 'Measurements of the surroundings (data.surroundings)', 'Identifies people (identifies_people)', 'air quality (air_quality)'],
    ['in_ch', 'Organisation in charge (responsible.in_charge)', '', ''],
  ]) {
    literally(',');
    keys('Enter');
    await accept(typed, label);
    for (const gap of gaps) {
      if (gap) await accept('', gap);
      else literally('environment@lindenau.example');
      keys('Tab');
    }
  }
  await shows(' INS ');
  await until('no findings', (s) => !s.includes('●'));
  // After completions Helix sends changes out of order.
  const text = await saved(file);
  execFileSync(program, ['validate', '--samples', '--strict', file]);
  assert.equal(JSON.parse(text).elements.length, 4);

  writeFileSync(join(dir, 'title.datachain.json'), `{"schema_version": "${sensor}", "title": , "elements": []}`);
  await command('open title.datachain.json');
  await at('"title": ');
  keys('a');
  await accept('', 'text (en)');
  literally('Market');
  await shows('"title": [{"locale": "en", "value": "Market"}], "elements"');
  stop();
  console.log('a document from an empty file, and a title: passed');
}

// Finds and renames ids of a schema source that the project file names, in the source and in a document.
async function renaming() {
  const dir = folder('project', {'datachain.yaml': 'schemas: taxonomies\n'});
  cpSync('../../cmd/datachain/testdata/tree/schemas/bikes', join(dir, 'taxonomies/bikes'), {recursive: true});
  cpSync('../../cmd/datachain/testdata/tree/documents/good.json', join(dir, 'bikes.datachain.json'));
  const elements = join(dir, 'taxonomies/bikes/2026-09-01-beta/elements/all.yaml');
  await start(dir, elements);
  await at('id: data.trips');
  keys('g', 'r');
  await until('references in both files', (s) => /all\.yaml/.test(s) && /bikes\.datachain\.json/.test(s));
  await normal();

  await at('id: data.trips');
  keys('Space', 'r');
  await shows('rename-to:');
  keys('C-u');
  literally('data.rides');
  keys('Enter');
  await shows('id: data.rides');
  await command('write-all');
  const renamed = join(dir, 'bikes.datachain.json'); // which is not there while Helix replaces it
  await until('the renamed document', () => existsSync(renamed) && readFileSync(renamed, 'utf8').includes('"data.rides"'));
  execFileSync(program, ['schema', 'lint', '--errors-only', join(dir, 'taxonomies')]);
  execFileSync(program, ['validate', '--schemas', join(dir, 'taxonomies'), join(dir, 'bikes.datachain.json')]);

  keys('Space', 's');
  await until('an outline', (s) => /data\.battery/.test(s) && /Symbol|symbol|│/.test(s));
  await normal();
  stop();
  console.log('project file, references, rename and outline: passed');
}

rmSync(home, {recursive: true, force: true, maxRetries: 5});
mkdirSync(join(home, 'config/helix'), {recursive: true});
cpSync('../../editors/helix/languages.toml', join(home, 'config/helix/languages.toml'));
try {
  await repairing();
  await hovering();
  await writing();
  await renaming();
} finally {
  stop();
  rmSync(home, {recursive: true, force: true, maxRetries: 5});
}
