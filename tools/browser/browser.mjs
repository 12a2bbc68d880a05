// Chromium, and pages that record everything that our pages must not do.
import {existsSync} from 'node:fs';
import {mkdir, readFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import puppeteer from 'puppeteer-core';
import {build, here} from './datachain.mjs';

// executable returns the browser: that of the environment variable CHROMIUM, the pinned one
// if it supports this machine, or an installed one.
export async function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (process.platform === 'linux' && process.arch === 'x64') {
    // It unpacks itself into the temporary directory and reuses whatever is there, so each
    // version gets its own directory.
    const {devDependencies} = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
    process.env.TMPDIR = join(build, `chromium-${devDependencies['@sparticuz/chromium']}`);
    await mkdir(process.env.TMPDIR, {recursive: true});
    return (await import('@sparticuz/chromium')).default.executablePath();
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error('Chromium was not found. Install it, or set the environment variable CHROMIUM to its path.');
}

// slow is how many times slower pages run, to find tests that depend on a fast machine:
// SLOW=6 make browser.
const slow = Number(process.env.SLOW ?? 1);

// patience is how long to wait for what will happen, in milliseconds. Most of it is for
// machines that do other work.
export const patience = 120_000;

// launch starts a browser with reproducible rendering and without network access.
export async function launch() {
  return puppeteer.launch({
    executablePath: await executable(),
    headless: 'shell',
    timeout: patience,
    args: [
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars',
      '--font-render-hinting=none', '--force-color-profile=srgb', '--disable-lcd-text',
      '--force-prefers-reduced-motion', // a page that scrolls smoothly moves away from a click
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

// patient opens a page that waits as long as it takes.
export async function patient(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  if (slow > 1) await page.emulateCPUThrottling(slow);
  return page;
}

// watched opens a page that records what goes wrong: errors and warnings, requests that are
// not allowed, dialogs, policy violations, and traps that were called.
export async function watched(browser, allowed = () => false) {
  const page = await patient(browser);
  const wrong = [];
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && wrong.push(`console: ${m.text()}`));
  page.on('pageerror', (e) => wrong.push(`error: ${e.message}`));
  page.on('dialog', (d) => {
    wrong.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  await page.exposeFunction('__wrong', (what) => wrong.push(what));
  await page.evaluateOnNewDocument(() => {
    const tell = window.__wrong;
    window.trap = (why = '') => tell?.(`trap: ${why}`);
    for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => tell?.(`trap: ${name}`);
    addEventListener('securitypolicyviolation', (e) => tell?.(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  let address = '';
  await page.setRequestInterception(true);
  page.on('request', (r) => {
    const url = r.url();
    if (url === address || allowed(url)) return r.continue();
    wrong.push(`request: ${url}`);
    return r.abort();
  });
  const open = async (target) => {
    address = target.includes('://') ? target : pathToFileURL(target).href;
    return page.goto(address, {waitUntil: 'load'});
  };
  return {page, wrong, open};
}

// eventually waits for a condition that the test checks, not the page.
export async function eventually(condition, what) {
  for (const begun = Date.now(); !await condition();) {
    if (Date.now() - begun > patience) throw new Error(`This never happened: ${typeof what === 'function' ? await what() : what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

// settled waits until changes are drawn.
export const settled = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
}));

// tooWide returns what makes a page wider than its window, or an empty string.
export const tooWide = (page) => page.evaluate(() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return '';
  const wide = [...document.querySelectorAll('body *')].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.right > room + 1 || box.left < -1;
  });
  return `${document.documentElement.scrollWidth} px in ${room} px: ${wide.slice(-3).map((e) => `${e.tagName}.${e.className?.baseVal ?? e.className}`).join(', ')}`;
});

// cutTexts lists texts that are cut off.
export const cutTexts = (page) => page.evaluate(() => [...document.querySelectorAll('main *:not(svg *)')].filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).overflowX !== 'visible').map((e) => e.innerText));

// picture saves a screenshot. A long page takes a second, so most are saved only with
// PICTURES=all.
export async function picture(page, path, always = false) {
  if (always || process.env.PICTURES === 'all') await page.screenshot({path, fullPage: true});
}
