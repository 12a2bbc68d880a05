// Makes the pages quicker to use. Everything works without it: forms are sent, and links
// followed, as usual.

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// site describes the search of a static site. Without it, a server makes the parts of pages.
const site = document.body.dataset.site ? JSON.parse(document.body.dataset.site) : null;
const searches = !site || (location.protocol.startsWith('http') && typeof WebAssembly === 'object' && typeof DecompressionStream === 'function');

// part fetches a part of the page. The search of a static site is loaded when it is first used.
let finder;
async function part(url, signal) {
  if (site) return (await (finder ??= startFinder()))(site.page, url.search.slice(1), signal);
  const response = await fetch(url, {signal, headers: {Accept: 'text/html'}});
  return response.ok ? response.text() : null;
}

// startFinder starts the search of a static site. If it can't be started, or ends, the next
// search starts it again; a search that only fails leaves it running.
function startFinder() {
  const drop = () => { if (finder === started) finder = undefined; };
  const started = import(new URL(site.script, location.href)).then(({start}) => start(site, drop));
  started.catch(drop);
  return started;
}

// latest returns a function that fetches a part of a page and drops what is no longer
// wanted when it arrives. say shows a message, or nothing once there is none.
function latest(say) {
  let running;
  return async (url) => {
    running?.abort();
    const {signal} = running = new AbortController();
    if (site && !finder) say(site.loading);
    try {
      const text = await part(url, signal);
      if (signal.aborted) return null;
      say('');
      return text;
    } catch {
      if (site && !signal.aborted) say(site.failed);
      return null; // superseded, or there is no connection: the form still works
    }
  };
}

// stateOf returns the address of a form as if it were sent.
function stateOf(form) {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value !== '') url.searchParams.append(name, value);
  return url;
}

// Forms whose fields have data-live replace a part of the page as one types.
function live(form) {
  const target = document.getElementById(form.querySelector('[data-live]').dataset.live);
  if (!target || !searches) return;
  const note = form.querySelector('[role="status"]');
  const get = latest((message) => note && (note.textContent = message));
  const show = async (shown) => {
    const wanted = new URL(shown);
    wanted.searchParams.set('part', target.id);
    const html = await get(wanted);
    if (html === null) return false;
    target.innerHTML = html;
    history.replaceState(null, '', shown);
    spy();
    unfold();
    copyButtons(target);
    return true;
  };
  const update = () => show(stateOf(form));
  for (const type of ['input', 'change']) addEventListener(type, (event) => event.target.form === form && update()); // also of fields elsewhere
  form.addEventListener('submit', (event) => {
    if (event.submitter?.hasAttribute('formaction')) return; // asks for a file
    event.preventDefault();
    update();
  });
  if (site) restore(form, target, show);
}

// restore shows what the address of a static page asks for, and pages of results, which are
// no files.
function restore(form, target, show) {
  form.hidden = false;
  const asked = new URLSearchParams(location.search);
  const fields = [...form.querySelectorAll('[data-live]')].filter((field) => asked.get(field.name));
  for (const field of fields) field.type === 'checkbox' ? field.checked = true : field.value = asked.get(field.name);
  if (fields.length > 0) show(new URL(location.href));
  target.addEventListener('click', async (event) => {
    const link = event.target.closest('.pages a');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (await show(new URL(link.href))) target.scrollIntoView();
  });
}

// What wide pages show unfolded is open for screen readers, too.
const wide = matchMedia('(min-width: 60rem)');
function unfold() {
  for (const details of document.querySelectorAll('.fold.wide')) {
    details.open = wide.matches;
    details.firstElementChild.tabIndex = wide.matches ? -1 : 0;
  }
}
wide.addEventListener('change', unfold);

// The navigation beside a catalog marks the section that one is at.
let watcher;
function spy() {
  watcher?.disconnect();
  const links = new Map();
  for (const a of document.querySelectorAll('[data-spy]')) {
    a.removeAttribute('aria-current');
    const section = document.getElementById(decodeURIComponent(a.hash.slice(1)));
    if (section) links.set(section, a);
  }
  const visible = new Set();
  watcher = new IntersectionObserver((entries) => {
    for (const e of entries) e.isIntersecting ? visible.add(e.target) : visible.delete(e.target);
    const first = [...links.keys()].find((s) => visible.has(s));
    if (!first) return;
    for (const [section, a] of links) section === first ? a.setAttribute('aria-current', 'true') : a.removeAttribute('aria-current');
  }, {rootMargin: '-15% 0px -70% 0px'});
  for (const section of links.keys()) watcher.observe(section);
}

// drawn returns a picture as PNG, 512 pixels wide.
async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 512;
  canvas.getContext('2d').drawImage(image, 0, 0, 512, 512);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

// Buttons that copy the text of another element, or their own value, and pictures if the
// browser can.
function copyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy], [data-png]')) {
    const {copy, png} = button.dataset;
    button.hidden = !navigator.clipboard || png && !window.ClipboardItem;
    button.onclick = async () => {
      const from = copy?.startsWith('#') ? document.querySelector(copy) : null;
      if (png) await navigator.clipboard.write([new ClipboardItem({'image/png': drawn(png)})]);
      else await navigator.clipboard.writeText(from ? from.textContent : copy);
      const before = button.textContent;
      button.textContent = button.dataset.copied;
      await wait(1500);
      button.textContent = before;
    };
  }
}

// A menu closes on Escape and when one leaves it.
for (const menu of document.querySelectorAll('details.menu')) {
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  addEventListener('click', (event) => menu.contains(event.target) || (menu.open = false));
}

for (const form of new Set([...document.querySelectorAll('[data-live]')].map((field) => field.form))) live(form);
copyButtons(document);
spy();
unfold();
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
document.body.dataset.ready = ''; // for tests and styles
