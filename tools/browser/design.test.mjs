// The design of the pages, measured: edges, first screens, sizes of text and targets, what fits on
// a phone and on paper, and what citizens are led to. With the sample register and long documents
// in German and Arabic. REAL names a directory with the directories schemas and documents: the pages
// of its documents are measured, too.
import assert from 'node:assert/strict';
import {cp, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, settled, watched} from './browser.mjs';
import {build, here, output, serve} from './datachain.mjs';
import {deviations, opened, shown} from './design.mjs';

const register = join(here, '../../examples/register');
// Titles of 90 letters and more, the words of a purpose, and the name of an office.
const long = {
  de: ['Verkehrsüberwachungskameras an der Donaudampfschifffahrtsgesellschaftskapitänskreuzung am Mühlplatz', 'Zwei Kameras zählen Fahrzeuge, Fahrräder und Fußgänger, damit die Ampeln rechtzeitig umschalten.', 'Tiefbau- und Verkehrsamt der Stadt Lindenau'],
  ar: ['كاميرات مراقبة حركة المرور عند تقاطع شارع المطحنة القديمة بجوار المكتبة المركزية وسط البلدة', 'تعدّ كاميرتان السيارات والدراجات والمشاة لكي تتغيّر إشارات المرور في الوقت المناسب.', 'إدارة الطرق في مدينة ليندناو'],
};
const board = '/compare?documents=mill-street,housing-benefit,library-visitors';
const citizens = ['/', '/d?q=camera&theme=Traffic', '/d?theme=none', '/d?select=1', '/d?select=1&documents=mill-street,library-chat', '/d/mill-street', '/d/housing-benefit', '/d/library-visitors', '/d/mill-street/history', '/changes', '/changes?lang=ar', '/d/long-de?lang=de', '/d/long-ar?lang=ar', '/?lang=ar', board, `${board},library-chat,long-de,long-ar`, '/compare', '/d/mill-stret', '/d/mill-street/sign.html', '/d/mill-street/sign.html?kind=label&mono=1', '/d/long-de/sign.html?lang=de&kind=notice&size=A4', '/d/long-ar/sign.html?lang=ar'];
const tools = ['/t', '/t/sensor@latest', '/t/sensor@latest/e/device.camera', '/t/sensor@latest/c/device', '/compare?old=sensor@2026-06-15-stable&new=sensor@latest', '/codes', '/compose', '/t/sensor@latest/e/nothing'];


// real are the addresses of the documents in REAL.
const real = [];
for (const file of process.env.REAL ? await readdir(join(process.env.REAL, 'documents')) : []) {
  if (!file.endsWith('.json')) continue;
  const {id, register} = JSON.parse(await readFile(join(process.env.REAL, 'documents', file), 'utf8'));
  const address = `/d/${register?.slug ?? id}`;
  real.push(address, `${address}/history`, `${address}/sign.html`);
}

let browser, folder, server, realServer;
before(async () => {
  folder = await output('design');
  const shelf = join(build, 'design-shelf');
  await rm(shelf, {recursive: true, force: true});
  await mkdir(shelf);
  await cp(register, shelf, {recursive: true});
  const text = JSON.parse(await readFile(join(register, 'mill-street-crossing.json'), 'utf8'));
  for (const [lang, [title, words, office]] of Object.entries(long)) {
    const say = (value) => [{locale: lang, value}];
    const own = (v) => (v.id === 'contact' ? v.value[0].value : v.id === 'organisation' ? office : words);
    const elements = text.elements.map((e) => ({...e, label: e.label && say(office), variables: e.variables?.map((v) => (Array.isArray(v.value) && v.value[0]?.locale ? {...v, value: say(own(v))} : v))}));
    elements.splice(1, 0, {element_id: 'purpose.environment', variables: [{id: 'in_short', value: say(words)}]});
    const places = Array.from({length: 7}, (_, i) => ({name: say(`${title.slice(0, 30)} ${i + 1}`), address: say(`${words.slice(0, 25)} ${i + 1}`)}));
    await writeFile(join(shelf, `long-${lang}.json`), JSON.stringify({...text, id: `long-${lang}`, title: say(title), description: say(words), elements, register: {...text.register, slug: `long-${lang}`, places}}));
    await writeFile(join(shelf, `titled-${lang}.json`), JSON.stringify({...text, id: `titled-${lang}`, title: say(title), register: {...text.register, slug: `titled-${lang}`}}));
  }
  const settings = await readFile(join(shelf, 'register.yaml'), 'utf8');
  await writeFile(join(shelf, 'register.yaml'), settings.replace('languages: [en, fr, es]', 'languages: [en, fr, es, de, ar]'));
  server = await serve('--samples', '--documents', shelf);
  if (real.length > 0) realServer = await serve('--schemas', join(process.env.REAL, 'schemas'), '--documents', join(process.env.REAL, 'documents'), '--base-url', 'https://register.example');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
  realServer?.stop();
});

const visit = (address, width, options) => opened(browser, real.includes(address) ? realServer : server, address, width, options);

for (const address of [...citizens, ...tools, ...real]) {
  test(`${address} has one left edge, five sizes of text, fits on phones and is accessible`, async () => {
    const page = await visit(address, 1366);
    assert.deepEqual(await deviations(page, join(folder, address.replaceAll(/\W+/g, '-'))), []);
    await page.close();
  });
}

test('results begin on the first screen', async () => {
  for (const address of ['/', '/?lang=de', '/?lang=ar']) { // in these, the title has two lines on a phone
    const page = await visit(address, 1366);
    for (const [width, most] of [[1366, 340], [390, 400]]) {
      await page.setViewport({width, height: 844, deviceScaleFactor: 1});
      await settled(page);
      const [first] = await shown(page, '.record');
      assert.ok(first.y <= most, `${address}, ${width}: the first result begins at ${first.y}`);
    }
    await page.close();
  }
});

// With the Tab key, from the skip link to the end: every control once, each in view and marked.
test('every control is reached by keyboard, and its focus is visible', async () => {
  for (const address of ['/', '/d?select=1', '/d/mill-street', board, '/d/mill-street/sign.html', '/compose']) {
    for (const width of [1366, 390]) {
      const page = await visit(address, width);
      if (address === '/compose') await page.waitForSelector('#composer[data-ready]');
      const controls = await page.$$eval('a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, summary, [tabindex="0"]', (list) =>
        list.filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})).map((e, i) => { e.dataset.stop = i; return e.outerHTML.slice(0, 120); }));
      const reached = new Set();
      for (;;) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
          const e = document.activeElement, {top, bottom, left, right} = e.getBoundingClientRect();
          const marked = [null, '::after'].map((pseudo) => getComputedStyle(e, pseudo)).some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2);
          return {body: e === document.body, stop: e.dataset.stop, html: e.outerHTML.slice(0, 120), visible: marked && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth};
        });
        if (at.body || reached.has(at.stop)) break;
        assert.ok(at.visible, `${address}, ${width}: ${at.html}`);
        reached.add(at.stop);
      }
      assert.deepEqual(controls.filter((_, i) => !reached.has(String(i))), [], `${address}, ${width}: can't be reached`);
      await page.close();
    }
  }
});

test('a summary ends in its action on the first screen of a phone', async () => {
  for (const [address, most] of [['/d/mill-street', 800], ['/d/housing-benefit', 900], ['/d/long-de?lang=de', 800], ['/d/long-ar?lang=ar', 800]]) {
    const page = await visit(address, 390);
    const [action] = await shown(page, '.short .button');
    assert.ok(action.bottom <= most, `${address}: the first action ends at ${action.bottom}`);
    const title = await page.$eval('h1', (e) => parseFloat(getComputedStyle(e).fontSize));
    assert.ok(title >= 28, `${address}: the title has ${title} px`);
    if (address === '/d/mill-street') {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 4900, `the page is ${height} high`);
    }
    assert.equal(await page.$$eval('.short *', (list) => list.filter((e) => getComputedStyle(e).webkitLineClamp !== 'none').length), 0, 'nothing is cut');
    await page.close();
  }
});

test('long titles, many places and facts fit on a phone', async () => {
  for (const address of ['/d/mill-street', '/d/long-de?lang=de', '/d/long-ar?lang=ar']) {
    const page = await visit(address, 390);
    const alone = await page.$$eval('main a[href]', (list) => list.filter((a) => {
      let block = a.parentElement;
      while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement;
      return a.checkVisibility() && block.textContent.trim() === a.textContent.trim() && a.getBoundingClientRect().height < 43.5;
    }).map((a) => `${a.textContent} is ${a.getBoundingClientRect().height} high`));
    assert.deepEqual(alone, [], `${address}: links alone on a line`);
    const gaps = await page.$$eval('.placement:has(.means)', (list) => list.map((e) => {
      const range = document.createRange(), meaning = e.querySelector('.means > summary').getBoundingClientRect();
      range.selectNodeContents(e.querySelector('h3'));
      const lines = [...range.getClientRects()].filter((box) => box.top < meaning.bottom && box.bottom > meaning.top);
      return Math.min(...lines.map((box) => Math.max(meaning.left - box.right, box.left - meaning.right)));
    }));
    for (const gap of gaps) assert.ok(gap >= 4, `${address}: a title is ${gap} px from Meaning`);
    const facts = await page.$('aside section details');
    assert.equal(await facts.evaluate((d) => d.open), false, 'facts are closed on phones');
    await (await facts.$('summary')).click();
    const seen = async () => (await shown(page, 'aside .facts dd li')).length;
    const folded = address === '/d/mill-street' ? 0 : 5;
    assert.equal((await page.$$('.others > details')).length, folded ? 1 : 0);
    assert.equal(await seen(), 0);
    if (folded) await page.click('.others summary');
    assert.equal(await seen(), folded, 'the places after two');
    await page.close();
  }
});

test('what is open to the eye is open in the accessibility tree', async () => {
  for (const scripts of [true, false]) {
    const page = await visit('/d/mill-street', 1366, {scripts});
    for (const fold of await page.$$('aside details')) {
      const seen = await fold.$eval(':scope > :last-child', (e) => e.checkVisibility({contentVisibilityAuto: true}) && e.getBoundingClientRect().height > 0);
      assert.equal(await fold.evaluate((d) => d.open), seen);
      assert.equal(seen, scripts, 'without scripts it is a button that works');
    }
    if (!scripts) {
      await page.click('aside details > summary');
      assert.ok(await page.$eval('aside .facts', (e) => e.checkVisibility({contentVisibilityAuto: true})));
    }
    await page.setViewport({width: 390, height: 844, deviceScaleFactor: 1});
    if (scripts) await page.waitForFunction(() => !document.querySelector('aside details[open]'));
    await page.close();
  }
});

test('rights are blocks with their buttons below, and a letter can be copied', async () => {
  for (const [address, width] of [['/d/housing-benefit', 390], ['/d/housing-benefit', 1366], ['/d/long-ar?lang=ar', 1366]]) {
    const page = await visit(address, width);
    const rights = await page.$$eval('.right', (list) => list.map((e) => {
      const box = (selector) => e.querySelector(selector)?.getBoundingClientRect();
      return {top: e.getBoundingClientRect().top, bottom: e.getBoundingClientRect().bottom, title: box('p').bottom, button: box('.button')?.top};
    }));
    rights.forEach((right, i) => {
      assert.ok(right.button >= right.title, `${address}, ${width}: the button is below the title`);
      if (i > 0) assert.ok(Math.abs(right.top - rights[i - 1].bottom - 16) <= 1, `${right.top - rights[i - 1].bottom} px apart`);
    });
    await page.close();
  }
  await browser.defaultBrowserContext().overridePermissions(server.url, ['clipboard-read', 'clipboard-sanitized-write', 'clipboard-write']);
  const page = await visit('/d/mill-street?lang=en', 390);
  await page.click('.mail > summary');
  await page.click('.mail button');
  await page.waitForFunction(() => document.querySelector('.mail button').textContent === 'Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^roads@lindenau\.example\s+See, correct or delete your data/);
  assert.match(copied, /Articles 15 to 17/);
  await page.close();
});

test('citizens are led to tools by the foot alone', async () => {
  for (const address of citizens) {
    const page = await visit(address, 1366);
    const links = await page.$$eval('a[href]', (list) => list.filter((a) => !a.closest('footer.end, .technical, .notice')).map((a) => new URL(a.href).pathname));
    assert.deepEqual(links.filter((path) => /^\/(t|compose|play|codes|docs)\b/.test(path)), [], address);
    await page.close();
  }
});

test('a document prints on two sheets, with its facts in lines', async () => {
  const page = await visit('/d/mill-street', 1366);
  const pdf = Buffer.from(await page.pdf({preferCSSPageSize: true, format: 'A4', printBackground: true})).toString('latin1');
  assert.equal([...pdf.matchAll(/\/Type\s*\/Page\b/g)].length, 2);
  await page.emulateMediaType('print');
  const lines = await page.$$eval('aside .facts > div', (list) => list.map((e) => e.querySelector('dd').getBoundingClientRect().y - e.querySelector('dt').getBoundingClientRect().y));
  for (const distance of lines) assert.ok(Math.abs(distance) < 6, `${distance}`);
  assert.equal(new Set(await page.$$eval('aside .facts > div', (list) => list.map((e) => Math.round(e.getBoundingClientRect().x)))).size, 2, 'facts are in two columns');
  const foot = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--document'));
  assert.equal(JSON.parse(foot), 'Town of Lindenau · register@lindenau.example · 0123 4500', 'the foot of a sheet names the publisher');
  assert.equal((await shown(page, '.end')).length, 0);
  await page.close();
});

// chosen is what a sign page shows: the fields, and the kind, width and languages of the sheet.
const chosen = (page) => page.evaluate(() => {
  const sheet = document.querySelector('.sheet');
  return {
    fields: [...document.querySelectorAll('.choose :checked')].map((e) => e.value).join(' '), kind: sheet?.className.match(/is-(sign|notice|label|card)/)[1],
    width: sheet && Math.round(parseFloat(getComputedStyle(sheet).getPropertyValue('--w'))), languages: sheet && [...new Set([...sheet.querySelectorAll(':scope section p')].map((p) => p.lang))].join(' '),
  };
});

test('every kind, size and language of a sign is reached by mouse without scripts', async () => {
  const page = await visit('/d/mill-street', 1366, {scripts: false});
  await Promise.all([page.waitForNavigation(), page.click('a[href="/d/mill-street/sign.html"]')]);
  assert.equal((await shown(page, '[data-print]')).length, 0, 'Print needs scripts');
  assert.equal((await shown(page, '.hint .unscripted')).length, 1);
  const choose = async (...fields) => {
    for (const field of fields) await page.click(`label:has([value="${field}"])`);
    await Promise.all([page.waitForNavigation(), page.click('.choose [type=submit]:not([formaction])')]);
    return chosen(page);
  };
  for (const [size, width] of Object.entries({A6: 105, A4: 210, Letter: 216, A3: 297, A5: 148})) assert.deepEqual(await choose(size), {fields: `sign ${size} en`, kind: 'sign', width, languages: 'en'});
  assert.deepEqual(await choose('fr'), {fields: 'sign A5 en fr', kind: 'sign', width: 148, languages: 'en fr'});
  assert.deepEqual(await choose('es'), {fields: 'sign A5 en fr es', width: null, languages: null}, 'three languages keep the fields');
  assert.match(await page.$eval('#preview', (e) => e.textContent), /one or two languages/);
  assert.deepEqual(await choose('en', 'notice', 'A4'), {fields: 'notice A4 fr es', kind: 'notice', width: 210, languages: 'fr es'});
  for (const kind of ['label', 'card']) assert.deepEqual(await choose(kind), {fields: `${kind} A4 fr es`, kind, width: 210, languages: 'fr es'});
  assert.deepEqual(await choose('sign', '1'), {fields: 'sign A4 fr es 1', kind: 'sign', width: 210, languages: 'fr es'});
  await page.close();
});

test('a sign follows what is chosen, and is printed alone, at its size', async () => {
  const {page, open, wrong} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await page.setViewport({width: 1366, height: 900});
  await open(`${server.url}/d/mill-street/sign.html`);
  await settled(page);
  assert.equal((await shown(page, '[data-print]')).length, 1);
  assert.equal((await shown(page, '.unscripted')).length, 0, 'Update is for pages without scripts');
  for (const [field, width] of [['A3', 297], ['fr', 297], ['A5', 148]]) {
    await page.click(`label:has([value="${field}"])`);
    await page.waitForFunction((size) => new URLSearchParams(location.search).getAll(size.length > 1 && /A/.test(size) ? 'size' : 'languages').includes(size), {}, field);
    assert.equal((await chosen(page)).width, width);
    const {sheet, column} = await page.evaluate(() => ({sheet: document.querySelector('.sheet').offsetWidth, column: document.querySelector('.paper').clientWidth}));
    assert.ok(sheet <= column, `the sheet is ${sheet} wide, its column ${column}`);
  }
  const pdf = Buffer.from(await page.pdf({preferCSSPageSize: true, printBackground: true})).toString('latin1');
  assert.equal([...pdf.matchAll(/\/Type\s*\/Page\b/g)].length, 1);
  const [, w, h] = pdf.match(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/).map(Number);
  assert.ok(Math.abs(w - 148 / 25.4 * 72) < 1 && Math.abs(h - 210 / 25.4 * 72) < 1, `${w} by ${h} points`);
  await page.emulateMediaType('print');
  assert.deepEqual(await page.evaluate(() => {
    const others = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) if (n.data.trim() && n.parentElement.checkVisibility() && !n.parentElement.closest('.sheet, style')) others.push(n.data.trim());
    const {x, y, width, height} = document.querySelector('.sheet').getBoundingClientRect();
    return {others, x, y, width: Math.round(width / 96 * 25.4), height: Math.round(height / 96 * 25.4)};
  }), {others: [], x: 0, y: 0, width: 148, height: 210});
  assert.deepEqual(wrong, []);
  await page.close();
});

test('a label is one line, or two if its title is long, and scaled to its column', async () => {
  for (const [address, lines] of [['/d/mill-street/sign.html?kind=label', 1], ['/d/titled-de/sign.html?kind=label&lang=de', 2], ['/d/titled-ar/sign.html?kind=label&lang=ar', 2]]) {
    const page = await visit(address, 1366);
    // A part that begins below all before it is on another line.
    assert.equal(await page.$$eval('.sheet > *', (parts) => parts.map((e) => e.getBoundingClientRect()).reduce((found, {top, bottom}) => ({count: found.count + (top >= found.end), end: Math.max(found.end, bottom)}), {count: 0, end: 0}).count), lines, address);
    await page.close();
  }
});

test('where a sign does not fit, a button chooses a size on which it does', async () => {
  const page = await visit('/d/mill-street/sign.html?languages=en,fr', 1366, {scripts: false});
  await page.click('label:has([value="A6"])');
  await Promise.all([page.waitForNavigation(), page.click('.choose [type=submit]:not([formaction])')]);
  assert.deepEqual(await chosen(page), {fields: 'sign A6 en fr', width: null, languages: null});
  await Promise.all([page.waitForNavigation(), page.click('#preview .button')]);
  assert.deepEqual(await chosen(page), {fields: 'sign A5 en fr', kind: 'sign', width: 148, languages: 'en fr'});
  await page.close();
});

test('the code to embed a card is copied, and shows the card in a page of another site', async () => {
  const page = await visit('/d/mill-street/sign.html', 1366);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { window.copied = text; }}}));
  await page.click('label:has([value="card"])');
  await page.waitForSelector('[data-copy]:not([hidden])');
  await page.click('[data-copy]');
  const code = await page.evaluate(() => window.copied);
  assert.match(code, /^<iframe src="https:\/\/register\.lindenau\.example\/d\/mill-street\/card\?languages=en" title="Cameras at the Mill Street crossing" width="100%" height="320" loading="lazy"><\/iframe>$/);
  const {page: other} = await watched(browser, (url) => url.startsWith(`${server.url}/`));
  await other.setContent(code.replace('https://register.lindenau.example', server.url));
  const frame = await (await other.waitForSelector('iframe')).contentFrame();
  await frame.waitForSelector('.is-card');
  assert.ok(await frame.$eval('.is-card', (e) => e.getBoundingClientRect().bottom) <= 320);
  await other.close();
  await page.close();
});

test('nothing on a board is bold but tags, and equal rows can be hidden', async () => {
  const page = await visit('/compare?documents=mill-street,long-de', 1366);
  assert.deepEqual(await page.$$eval('.board td, .board td *:not(.tag, .tag *)', (list) => [...new Set(list.map((e) => getComputedStyle(e).fontWeight))]), ['400']);
  const rows = await page.$$eval('.board tbody tr.same', (list) => list.length);
  assert.ok(rows > 0);
  await page.click('#differ');
  assert.equal((await shown(page, '.board tbody tr.same')).length, 0);
  await page.close();
});

test('arrows, bars and columns are mirrored in right-to-left pages', async () => {
  const drawn = async (address) => {
    const page = await visit(address, 1366);
    const transforms = await page.evaluate(() => [getComputedStyle(document.querySelector('.back'), '::before').transform, getComputedStyle(document.querySelector('.bars')).transform]);
    // Where the texts of each column begin, from the start of the page.
    const columns = await page.$$eval('.board tbody:first-of-type tr', (rows) => {
      const rtl = document.documentElement.dir === 'rtl', found = [];
      for (const row of rows) {
        [...row.cells].forEach((cell, i) => {
          const range = document.createRange();
          range.selectNodeContents(cell.querySelector('p') ?? cell);
          const edges = [...range.getClientRects()].map((r) => Math.round(rtl ? innerWidth - r.right : r.left));
          if (!cell.matches('.absent')) (found[i] ??= new Set()).add(Math.min(...edges));
        });
      }
      return found.map((edges) => edges.size);
    });
    await page.close();
    return {transforms, columns};
  };
  const compared = '/compare?documents=mill-street,long-de,long-ar&lang=';
  const ltr = await drawn(`${compared}en`), rtl = await drawn(`${compared}ar`);
  assert.deepEqual(ltr.columns, [1, 1, 1, 1]);
  assert.deepEqual(rtl.columns, [1, 1, 1, 1]);
  assert.notEqual(ltr.transforms[0], rtl.transforms[0]);
  assert.deepEqual([ltr.transforms[1], rtl.transforms[1]], ['none', 'matrix(-1, 0, 0, 1, 0, 0)']);
});

test('documents are chosen where one is, and stay chosen in a search', async () => {
  const page = await visit('/d?select=1&documents=mill-street&lang=en', 1366, {height: 500});
  const bar = () => page.$eval('.chosen', (e) => e.textContent.trim().replace(/\s+/g, ' '));
  const counted = (n) => page.waitForFunction((n) => document.querySelector('.chosen span').textContent.startsWith(n), {}, n);
  assert.equal(await bar(), '1 chosen · Select 2 to 6 systems to compare. · Clear');
  const box = '.record .pick[aria-checked="false"]';
  await page.$eval(box, (e) => e.scrollIntoView());
  const top = await page.evaluate(() => scrollY);
  assert.ok(top > 0);
  await page.focus(box);
  const slug = await page.$eval(box, (e) => e.dataset.slug);
  await page.keyboard.press('Space');
  await counted('2');
  assert.equal(await bar(), '2 chosen · Compare · Clear');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.slug), slug, 'the box keeps the focus');
  assert.equal(await page.evaluate(() => scrollY), top);
  assert.ok(page.url().endsWith(`documents=mill-street%2C${slug}&lang=en&select=1`), page.url());
  const last = await page.$$eval('.chosen', (bars) => bars.at(-1).getBoundingClientRect().toJSON());
  assert.deepEqual([last.height, last.bottom], [56, 500], 'a bar at the bottom of the screen');
  await page.type('#q', 'crossing');
  await page.waitForFunction(() => location.search.includes('q=crossing'));
  assert.equal(await bar(), '2 chosen · Compare · Clear');
  assert.ok((await page.$eval('header a[hreflang="fr"], header a[lang="fr"]', (e) => e.href)).includes(slug), 'in other languages, too');
  await page.close();
});

test('documents are chosen and compared, and filters removed, without scripts', async () => {
  const page = await visit('/d?theme=none', 1366, {scripts: false});
  const follow = (link) => Promise.all([page.waitForNavigation(), page.click(link)]);
  await follow('.chips a');
  await follow('.found .button.quiet');
  for (let i = 0; i < 2; i++) await follow('.record .pick[aria-checked="false"]');
  await follow('.chosen a');
  assert.equal(await page.$eval('h1', (e) => e.textContent), 'Compare 2 systems');
  await page.close();
});

test('a date and the link beside it are in the order of the page', async () => {
  for (const [address, rtl] of [['/d/mill-street', false], ['/d/long-ar?lang=ar', true]]) {
    const page = await visit(address, 1366);
    const [date, link] = await page.$eval('aside .facts dd:has(a[href*="/history"])', (e) => ['bdi', 'a'].map((part) => e.querySelector(part).getBoundingClientRect().x));
    assert.equal(date > link, rtl, `${address}: ${date}, ${link}`);
    await page.close();
  }
});
