// The form that writes a document, with scripts: buttons do not load the page again, links hold
// the document, and this browser keeps it. On a server, everything works without it, by the form.
// In a static site, the code of the server runs in a Worker, which is loaded when it is needed.
const root = document.getElementById('composer');
const words = root.dataset;
const drafts = await import(new URL(words.drafts, location.href));
const form = () => document.getElementById('compose');
const say = (message) => {
  const note = document.getElementById('note');
  if (note) note.textContent = message;
};

// The text of the document. Carriage returns are kept as another character, since browsers
// change line ends in forms.
const text = () => form()?.elements.document?.value.replaceAll('\x1f', '\r') ?? '';

// site describes how the form of a static site is answered. Without it, there is a server.
const site = document.body.dataset.site ? JSON.parse(document.body.dataset.site) : null;
const code = site && await import(new URL(site.script, location.href));
let engine;
async function ask(action, body, signal) {
  if (!site) return fetch(action, {method: 'POST', body, signal, headers: {Accept: 'text/html'}});
  if (!engine) say(words.loading);
  const drop = () => { engine = undefined; };
  engine ??= code.answers(site, drop);
  engine.catch(drop);
  const response = await (await engine)(site.page, new URL(action, location.href).search.slice(1), body);
  signal?.throwIfAborted();
  return response;
}
// parsed returns the page of a response. Scripts in it do not run, and there are none.
const parsed = async (response) => new DOMParser().parseFromString(await response.text(), 'text/html');

// send sends the form and shows the answer. submitter is the button that was pressed, or
// nothing while fields are filled in.
let running, changes = 0, dirty = false;
async function send(body, action, submitter) {
  running?.abort();
  running = new AbortController();
  const {signal} = running;
  const before = changes;
  root.setAttribute('aria-busy', 'true');
  try {
    const response = await ask(action, body, signal);
    if (response.status === 429 || response.status === 503) {
      pausedUntil = Date.now() + 1000 * Math.max(5, Number(response.headers.get('Retry-After')) || 0);
      say(response.status === 429 ? words.paused : words.failed);
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    const page = await parsed(response);
    if (signal.aborted || !submitter && changes !== before) return;
    show(page, new URL(action, location.href).hash, submitter);
  } catch (e) {
    if (e.name !== 'AbortError') say(site && !engine ? words.notLoaded : words.failed);
  } finally {
    if (!signal.aborted) root.removeAttribute('aria-busy');
  }
}

// show replaces the form by that of another page. The focus stays where it was, or goes to what
// the button was about.
function show(page, hash, submitter) {
  const next = page.getElementById('composer');
  if (!next) throw new Error('no form');
  const focused = document.activeElement;
  const {id, name, value, selectionStart} = focused ?? {};
  const lastPage = document.getElementById('page');
  root.replaceChildren(...next.childNodes);
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  // The last good page stays while something is wrong.
  const frame = document.getElementById('page');
  if (frame?.hidden && lastPage?.querySelector('iframe')) frame.replaceWith(lastPage);
  prepare();
  dirty = text() !== '';
  drafts.remember(text());
  const there = submitter && hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (there) {
    (there.matches('.chooser') ? there.querySelector('input') : there).focus({preventScroll: true});
    there.scrollIntoView({block: 'start'});
    return;
  }
  const again = (id && document.getElementById(id)) || [...(form()?.elements ?? [])].find((e) => name && e.name === name && (e.type === 'text' || e.value === value));
  if (!again) return;
  again.focus({preventScroll: Boolean(!submitter)});
  try {
    if (selectionStart !== undefined && selectionStart !== null) again.setSelectionRange(selectionStart, selectionStart);
  } catch {
    // It has no text.
  }
}

function press(button) {
  const own = form();
  const body = new FormData(own, button);
  const file = own.elements.file?.files?.[0];
  if (file && file.size > Number(words.max)) {
    say(words.large);
    return;
  }
  clearTimeout(timer);
  send(body, button?.getAttribute('formaction') ?? own.getAttribute('action'), button ?? own);
}

root.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (event.target.id !== 'compose') return;
  if (button?.dataset.native !== undefined) {
    dirty = false; // a file, another tab, or the other form of the same text
    if (button.value === 'json') drafts.remember(text());
    if (!site) return;
    event.preventDefault();
    deliver(button);
    return;
  }
  event.preventDefault();
  press(button);
});

// deliver does what a server and the browser do with a button of a static site: it saves a file,
// or shows a page in a tab, which has to be opened before anything is waited for.
async function deliver(button) {
  const tab = button.formTarget === '_blank' ? open('', '_blank') : null;
  try {
    const response = await ask(form().getAttribute('action'), new FormData(form(), button));
    if (!response.ok) throw new Error(String(response.status));
    const page = button.value === 'save' ? null : await parsed(response.clone());
    if (page?.getElementById('composer')) { // it is not valid any more
      tab?.close();
      show(page, '#problems', button);
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    if (tab) {
      tab.opener = null;
      tab.location.replace(link.href);
      return;
    }
    link.download = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition'))?.[1] ?? '';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it first
  } catch {
    tab?.close();
    say(engine ? words.failed : words.notLoaded);
  }
}

// The list of elements is searched by Enter, not checked. Arrow keys move through it, and Escape
// closes it.
root.addEventListener('keydown', (event) => {
  const {target, key} = event;
  const list = target.closest?.('.chooser');
  if (!list || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const field = list.querySelector('input');
  const stops = [field, ...list.querySelectorAll('.choice > button')];
  const at = stops.indexOf(target.closest('.choice')?.querySelector(':scope > button') ?? target);
  let next;
  if (key === 'Enter' && target.dataset.do) next = root.querySelector(`button[value="${CSS.escape(target.dataset.do)}"]`);
  else if (key === 'Escape') next = list.querySelector('[value=close]');
  else if (key === 'ArrowDown' && at >= 0) next = stops[at + 1];
  else if (key === 'ArrowUp' && at > 0) next = stops[at - 1];
  else if (key === 'Home' && at > 0) next = stops[1];
  else if (key === 'End' && at > 0) next = stops.at(-1);
  if (!next) return;
  event.preventDefault();
  if (key === 'Enter' || key === 'Escape') next.click();
  else next.focus();
});

// One choice is reached with Tab: the one that was used last.
function reach(choice) {
  for (const one of choice.parentElement.children) {
    for (const control of one.querySelectorAll('summary, button')) control.tabIndex = one === choice ? 0 : -1;
  }
}
root.addEventListener('focusin', ({target}) => {
  const choice = target.closest('.choice');
  if (choice) reach(choice);
});

// The next open question is the one after the place of the focus, and the first one after the last.
root.addEventListener('click', (event) => {
  const link = event.target.closest('[data-next]');
  if (!link) return;
  const places = [...root.querySelectorAll('.summary a')].map((a) => document.getElementById(decodeURIComponent(a.hash.slice(1)))).filter((e) => e?.closest('.question'));
  places.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  const next = places.find((e) => stay?.isConnected && e !== stay && !e.contains(stay) && stay.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) ?? places[0];
  if (!next) return;
  event.preventDefault();
  next.focus({preventScroll: true});
  next.scrollIntoView({block: 'start'});
});
addEventListener('keydown', (event) => {
  const link = event.altKey && !event.ctrlKey && event.key === 'n' && root.querySelector('[data-next]');
  if (!link) return;
  event.preventDefault();
  link.click();
});
// stay is where the focus is in the questions.
let stay;
root.addEventListener('focusin', ({target}) => { if (target.closest('.question')) stay = target; });

// While fields are filled in, what is left to do is kept up to date. A server allows 30 checks
// in a minute.
const pause = 900, interval = 5000;
let timer, last = 0, pausedUntil = 0;
root.addEventListener('input', (event) => {
  if (event.target.name !== 'q') changes++;
  dirty = true;
});
root.addEventListener('change', ({target}) => {
  if (target.type === 'file') {
    if (target.files.length) form().querySelector('[value=check]').click();
    return;
  }
  if (target.name === 'q' || !form()?.elements.open) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = Date.now();
    const own = form();
    if (own?.elements.open) send(new FormData(own), own.getAttribute('action'));
  }, Math.max(pause, last + interval - Date.now(), pausedUntil - Date.now()));
});
addEventListener('beforeunload', (event) => { if (dirty && form()?.elements.open) event.preventDefault(); });

// prepare adds what only scripts can do to a form.
function prepare() {
  const share = root.querySelector('[data-share]');
  if (share && typeof CompressionStream === 'function') {
    share.hidden = false;
    share.addEventListener('click', () => drafts.share(text(), form().action, root.querySelector('.share'), say, words));
  }
  const recent = document.getElementById('recent');
  if (recent) drafts.list(recent, openText);
  const next = root.querySelector('[data-next]'); // browsers have different keys for access keys
  next?.removeAttribute('accesskey');
  next?.setAttribute('aria-keyshortcuts', 'Alt+N');
  const choice = root.querySelector('.choice:has(> button)');
  if (choice) reach(choice);
}

// openText opens a text in the form.
function openText(value) {
  const body = new FormData();
  body.set('file', new Blob([value], {type: 'application/json'}), 'document.json');
  send(body, form().getAttribute('action'), form());
}

// follow reads a document in the address. It is not sent anywhere until a button is pressed.
async function follow() {
  const packed = new URLSearchParams(location.hash.slice(1)).get('doc');
  if (!packed) return;
  if (form()?.elements.open) {
    location.reload(); // after asking
    return;
  }
  try {
    form().elements.document.value = (await drafts.unpack(packed, Number(words.max))).replaceAll('\r', '\x1f');
    history.replaceState(null, '', location.pathname + location.search);
    say(words.unsent);
    form().querySelector('[value=check]').focus();
  } catch {
    say(words.broken);
  }
}
addEventListener('hashchange', follow);

// In a static site, the page first says what the form needs. A state in the address is shown by
// the code of the server.
async function begin() {
  const needs = document.getElementById('needs');
  if (!code.works()) return;
  if (location.search.length > 1) {
    const [status, ...instead] = needs.querySelector('.notice').children;
    status.textContent = words.loading;
    for (const e of instead) e.hidden = true;
    await send(undefined, location.href);
    if (!engine) {
      status.textContent = words.notLoaded;
      for (const e of instead) e.hidden = false;
      return;
    }
  }
  needs.remove();
  root.hidden = false;
}

if (site) await begin();
prepare();
if (text() !== '') drafts.remember(text());
await follow();
root.dataset.ready = ''; // for tests and styles
