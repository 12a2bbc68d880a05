// The design of pages, measured: one left edge, five sizes of text, targets, what fits on phones, and accessibility.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {picture, settled, watched} from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// opened is a page of a server in a window of a width.
export async function opened(browser, server, address, width, {height = 900, scripts = true} = {}) {
  const {page, open} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({width, height, deviceScaleFactor: 1});
  await open(server.url + address);
  if (scripts) await settled(page);
  return page;
}

// shown lists the visible elements that a selector matches, each with its name and its box.
export const shown = (page, selector) => page.$$eval(selector, (list) => list.filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.visually-hidden, .skip, .sheet')).map((e) => {
  const {x, y, width, height, right, bottom} = e.getBoundingClientRect();
  return {name: `${e.localName}.${e.className?.baseVal ?? e.className}: ${e.textContent.trim().slice(0, 40)}`, x, y, width, height, right, bottom, inline: getComputedStyle(e).display === 'inline'};
}));

const edges = ['.brand > :first-child', 'h1', 'main.document .first > *', 'main > section > h2, .columns > :not(aside) h2:not(aside *), .rest > section > h2', '.rows.icons:first-of-type', '.placement', '.board', '.groups > section:first-child'];
const controls = 'button, .button, summary, input:not([type=checkbox], [type=radio], [type=hidden]), select, a[href], label:has(input)';

// deviations lists what is not as the design says, in windows of 1366, 320 and 390 px, and what axe finds. Pictures
// are saved with the beginning of a path.
export async function deviations(page, pictures) {
  const found = [];
  const rtl = await page.evaluate(() => document.documentElement.dir === 'rtl');
  for (const part of edges) {
    for (const box of await shown(page, part)) {
      const edge = Math.round(rtl ? 1366 - box.right : box.x);
      if ((part === 'h1' || !box.inline) && Math.abs(edge - 107) > 1) found.push(`${part} ${box.name} begins at ${edge}`);
    }
  }
  const low = async (least) => found.push(...(await shown(page, controls)).filter((b) => !b.inline && b.height < least - 0.5).map((b) => `${b.name} is ${b.height} high, not ${least}`));
  await low(32);
  found.push(...await page.evaluate(texts));
  await picture(page, `${pictures}-1366.png`);
  for (const [width, height] of [[320, 256], [390, 844]]) { // 320 by 256 is 1280 by 1024 at 400 %
    await page.setViewport({width, height, deviceScaleFactor: 1});
    await settled(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide !== width) found.push(`${wide} px wide in ${width}`);
    found.push(...await page.evaluate(titles));
  }
  await low(44);
  await picture(page, `${pictures}-390.png`);
  await page.evaluate(axe);
  for (const [width, scheme] of [[390, 'light'], [390, 'dark'], [1366, 'dark'], [1366, 'light']]) {
    await page.setViewport({width, height: 844, deviceScaleFactor: 1});
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
    await settled(page);
    found.push(...await page.evaluate(async (where) => {
      const {violations} = await window.axe.run(document, {iframes: false, rules: {'target-size': {enabled: true}}}); // part of WCAG 2.2, off by default
      return violations.map((v) => `${where}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join('; ')}`);
    }, `${width} ${scheme}`));
  }
  return found;
}

// texts lists, on a wide page, texts of other sizes, wide texts, and what only the eye can open.
function texts() {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || e.closest('code, kbd, pre, samp, svg, script, style, h1, textarea, option, .sheet') || !e.checkVisibility()) continue;
    const size = getComputedStyle(e).fontSize;
    if (!['14px', '17px', '20px', '24px'].includes(size)) found.add(`${size}: ${e.localName}.${e.className}: ${n.data.trim().slice(0, 30)}`);
  }
  const probe = document.body.appendChild(document.createElement('span'));
  probe.textContent = '0'.repeat(100);
  const ch = probe.getBoundingClientRect().width / 100;
  probe.remove();
  for (const e of document.querySelectorAll('p:not(.notice, .sheet *), dd')) {
    if (e.checkVisibility() && e.textContent.length > 80 && e.getBoundingClientRect().width > 70 * ch * Math.max(1, parseFloat(getComputedStyle(e).fontSize) / 17)) found.add(`wider than 70 characters: ${e.textContent.slice(0, 40)}`);
  }
  for (const e of document.querySelectorAll('details:not([open])')) {
    if (e.querySelector('summary').checkVisibility() && getComputedStyle(e, '::details-content').contentVisibility === 'visible') found.add(`open to the eye alone: ${e.textContent.trim().slice(0, 40)}`);
  }
  return [...found];
}

// titles lists, on a phone, a small h1, titles that touch the control beside them, and, except in tools, low links that are
// alone on a line.
function titles() {
  const found = [];
  for (const e of document.querySelectorAll('h1:not(.sheet *)')) if (parseFloat(getComputedStyle(e).fontSize) < 28) found.push(`h1 of ${getComputedStyle(e).fontSize}`);
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  for (const placement of document.querySelectorAll('.placement')) {
    const title = placement.querySelector('h3, h4'), control = placement.querySelector('summary');
    if (!title?.checkVisibility() || !control?.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(title);
    const box = control.getBoundingClientRect();
    if ([...range.getClientRects()].some((r) => touch(r, box))) found.push(`the title touches what is beside it: ${title.textContent.trim().slice(0, 40)}`);
  }
  if (document.querySelector('.top.tools')) return found; // tools have dense lists of links
  for (const link of document.querySelectorAll('main a[href]')) {
    if (!link.checkVisibility() || link.closest('.sheet, .visually-hidden') || getComputedStyle(link, '::after').position === 'absolute') continue;
    let block = link.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    if (block.textContent.trim() === link.textContent.trim() && link.getBoundingClientRect().height < 43.5) found.push(`a link alone on a line is ${link.getBoundingClientRect().height} high: ${link.textContent.trim().slice(0, 40)}`);
  }
  return found;
}
