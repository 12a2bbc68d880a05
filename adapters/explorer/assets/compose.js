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

// draft is the id under which this browser keeps the document.
let draft = await drafts.claim();

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
  if (body && lists.of !== edition()) body.set('lists', 'all');
  const moves = /^(remove|up|down) /.test(submitter?.value); // names of fields change
  if (moves) form().inert = true;
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
    const late = changes === before ? [] : [...form().elements].filter((e) => isField(e) && body.has(e.name) && body.get(e.name) !== e.value);
    show(page, new URL(action, location.href).hash, submitter);
    for (const {name, value} of late) { // what was typed in the meantime
      const field = [...(form()?.elements ?? [])].find((e) => isField(e) && e.name === name);
      if (field) field.value = value;
    }
    if (late.length > 0) plan();
  } catch (e) {
    if (e.name !== 'AbortError') say(site && !engine ? words.notLoaded : words.failed);
  } finally {
    if (moves && form()) form().inert = false;
    if (!signal.aborted) root.removeAttribute('aria-busy');
  }
}

// isField reports whether a control is a text of the document. They are named for what they change.
const isField = (e) => /^[a-z]:/.test(e.name) && e.matches('input:not([type]), input[type=text], textarea');

// store keeps what is in the form in this browser, with values that the text of the document does
// not have: half typed, not sent yet, or refused.
let storing;
function store() {
  clearTimeout(storing);
  storing = undefined;
  const own = form();
  if (!own?.elements.open) return;
  const fields = dirty || own.querySelector('[id^="r-f-"]') ? [...new FormData(own)].filter(([name, value]) => typeof value === 'string' && name !== 'document') : undefined;
  drafts.remember(text(), draft, fields);
}
addEventListener('pagehide', () => { if (storing) store(); });
addEventListener('pageshow', async (event) => { if (event.persisted) draft = await drafts.claim(draft); });

// show replaces the form by that of another page. The focus stays where it was, or goes to what
// the button was about.
function show(page, hash, submitter) {
  const next = page.getElementById('composer');
  if (!next) throw new Error('no form');
  const focused = document.activeElement;
  const {id, name, value, selectionStart} = focused ?? {};
  const lastPage = document.getElementById('page');
  const found = [...next.querySelectorAll('.chooser[hidden]')];
  for (const list of found) list.remove();
  root.replaceChildren(...next.childNodes);
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  if (found.length > 0) lists = {of: edition(), by: new Map(found.map((list) => [list.id, list]))};
  // The last good page stays while something is wrong.
  const frame = document.getElementById('page');
  if (frame?.hidden && lastPage?.querySelector('iframe')) frame.replaceWith(lastPage);
  prepare();
  dirty = false;
  if (form()?.elements.open) store();
  else drafts.remember(text());
  dirty = text() !== '';
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
  clearTimeout(finding);
  answered = button?.value.startsWith('place ') ? button.closest('.question')?.id : undefined;
  if (file || /^(begin$|sample )/.test(button?.value)) another();
  send(body, button?.getAttribute('formaction') ?? own.getAttribute('action'), button ?? own);
}

// another begins the draft of another document.
const another = async (id) => { draft = await drafts.claim(id); };

root.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (event.target.id !== 'compose') return;
  if (button?.dataset.native !== undefined) {
    store();
    dirty = false; // a file, another tab, or the other form of the same text
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

// lists has the lists of elements, by their id, of a version in a language. A server sends them once,
// so that opening one and typing in it costs no request.
let lists = {of: '', by: new Map()};
const edition = () => `${form()?.dataset.version} ${document.documentElement.lang}`;

root.addEventListener('click', (event) => {
  const button = event.target.closest('button[name=do]');
  const [does, id] = button?.value.split(' ') ?? [];
  const shown = root.querySelector('.chooser'), behind = root.querySelector('p[data-behind]');
  if (does !== 'open' && does !== 'close' || shown && !behind) return; // the server put it there
  const list = does === 'open' && lists.by.get(`list-${id}`)?.cloneNode(true);
  if (does === 'open' && !list) return;
  event.preventDefault();
  shown?.remove();
  if (behind) {
    behind.hidden = false;
    delete behind.dataset.behind;
  }
  form().elements.open.value = list ? id : '';
  if (!list) {
    behind.querySelector('button').focus();
    return;
  }
  const row = button.closest('p');
  row.dataset.behind = '';
  row.hidden = true;
  list.hidden = false;
  row.before(list);
  fill(list);
  list.querySelector('input').focus({preventScroll: true});
  list.scrollIntoView({block: 'start'});
});

// fill shows the elements of a list that match what is typed in its field: each word begins one of
// the element. It returns whether the server may find others.
function fill(list) {
  const all = lists.by.get(list.id);
  const plain = (s) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const typed = plain(list.querySelector('input').value).trim();
  if (!all) return typed !== '';
  const placed = JSON.parse(text()).elements?.map?.((e) => e?.element_id) ?? [];
  const has = (said) => typed.split(' ').every((word) => ` ${plain(said)}`.includes(` ${word}`));
  const named = [], described = [];
  for (const one of all.querySelectorAll('.choice')) {
    const title = [...one.querySelector('h3').childNodes].filter((e) => !e.matches?.('.badge')).map((e) => e.textContent).join('');
    const name = `${title} ${one.dataset.words}`;
    if (has(name)) named.push(one.cloneNode(true));
    else if (has(`${name} ${one.querySelector(':scope > div > p')?.textContent}`)) described.push(one.cloneNode(true));
  }
  const matches = [...named, ...described];
  for (const one of matches) {
    const button = one.querySelector(':scope > button');
    button.setAttribute('formaction', button.getAttribute('formaction').replace(/#.*/, `#p-${placed.length}`));
    one.querySelector('.placed').hidden = !placed.includes(button.value.slice('place '.length));
  }
  list.querySelector('.choices').replaceChildren(...matches);
  if (matches.length > 0) reach(matches[0]);
  return typed !== '' && (matches.length === 0 || all.querySelector('.more-than') !== null);
}

// While one types in a list, it is filtered. The server is asked for what is not in the page.
root.addEventListener('input', ({target}) => {
  const list = target.name === 'q' && target.closest('.chooser');
  if (!list) return;
  clearTimeout(finding);
  if (!fill(list)) return;
  const button = list.querySelector('[value^="find "]');
  finding = setTimeout(() => send(new FormData(form(), button), form().getAttribute('action')), Math.max(typing, pausedUntil - Date.now()));
});

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
const pause = 900, interval = 5000, typing = 300;
let timer, finding, last = 0, pausedUntil = 0;
// answered is the question that got an answer last. What is filled in there is sent with the next
// request: an answer costs one.
let answered;
root.addEventListener('input', () => {
  changes++;
  dirty = true;
  storing ??= setTimeout(store, 300);
});
root.addEventListener('change', ({target}) => {
  if (target.type === 'file') {
    if (target.files.length) form().querySelector('[value=check]').click();
    return;
  }
  if (target.name === 'q' || !form()?.elements.open) return;
  if (answered && target.closest('.question')?.id === answered) {
    const group = target.closest('.field');
    if (!target.value || !group) return;
    for (const open of group.querySelectorAll('.wrong.todo')) open.remove();
    for (const link of root.querySelectorAll('.summary a')) {
      if (group.id && link.hash === `#${group.id}` || link.hash === `#${target.id}`) link.closest('li').remove();
    }
    return;
  }
  answered = undefined;
  plan();
});

// plan sends the form when the typing pauses.
function plan() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    last = Date.now();
    const own = form();
    if (own?.elements.open) send(new FormData(own), own.getAttribute('action'));
  }, Math.max(pause, last + interval - Date.now(), pausedUntil - Date.now()));
}
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

// openText opens a text in the form, with what was typed besides.
async function openText(value, {id, fields}) {
  const body = new FormData();
  if (fields) {
    for (const [name, typed] of fields) body.append(name, typed);
    body.set('document', value.replaceAll('\r', '\x1f'));
  } else {
    body.set('file', new Blob([value], {type: 'application/json'}), 'document.json');
  }
  await another(id);
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
if (form()?.elements.open) {
  store();
  send(new FormData(form()), form().getAttribute('action')); // for the lists
} else if (text() !== '') {
  drafts.remember(text());
}
await follow();
root.dataset.ready = ''; // for tests and styles
