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

// inTurn sends what a person asks for, after what they asked for before: the form that is answered
// has what they chose.
let asked;
async function inTurn(request) {
  while (asked) await asked;
  asked = request().finally(() => { asked = undefined; });
  await asked;
}

// update brings the form up to date, or finds elements if it is told the button that does. It ends when
// something else is sent.
async function update(find) {
  while (asked) await asked;
  const button = find?.();
  if (find ? button : changes !== sent) send(new FormData(form(), button), form().getAttribute('action'));
}

// current returns a button in the form that there is now, or undefined.
const current = (button) => (button.isConnected ? button : [...form().elements].find((e) => e.type === 'submit' && e.name === button.name && e.value === button.value));

// send sends the form and shows the answer. submitter is the button that was pressed, or
// nothing if the person goes on elsewhere.
let running, changes = 0, sent = 0, pausedUntil = 0;
async function send(body, action, submitter) {
  clearTimeout(leaving);
  running?.abort();
  running = new AbortController();
  const {signal} = running;
  const before = changes, focused = document.activeElement;
  if (body && missing()) body.set('lists', 'all');
  // Names of fields change, or the document.
  const moves = /^(product$|(remove|up|down|begin|sample|upgrade) )/.test(submitter?.value) || body?.get('file')?.size > 0;
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
    while (held) await held;
    if (signal.aborted) return;
    sent = before;
    const stayed = moves || document.activeElement === focused || !document.activeElement?.matches('input, textarea, select');
    show(page, submitter && stayed ? new URL(action, location.href).hash : '', submitter, moves ? undefined : body);
  } catch (e) {
    if (e.name !== 'AbortError') say(site && !engine ? words.notLoaded : words.failed);
  } finally {
    if (moves && form()) form().inert = false;
    if (!signal.aborted) root.removeAttribute('aria-busy');
  }
}

// While a pointer or Space is down on something, the form stays: what replaced it would not be pressed.
let held, letGo;
function hold() {
  letGo?.();
  const own = held = new Promise((done) => {
    letGo = () => {
      if (held === own) held = undefined;
      done();
    };
  });
}
root.addEventListener('pointerdown', ({button, target}) => { if (button === 0 && !target.closest('select')) hold(); });
root.addEventListener('keydown', ({key}) => { if (key === ' ') hold(); });
for (const type of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
  addEventListener(type, () => { if (held) setTimeout(letGo, 50); }); // the click comes first
}

// since returns what was done in the form after it was sent, as a function that does it again in the
// form that was answered, or nothing.
function since(body) {
  const own = form();
  if (!own?.elements.open || body?.get('document') !== own.elements.document.value) return null;
  const begun = own.querySelector('.placement:has(> input[name=place])');
  const answer = begun && !body.getAll('place').includes(begun.dataset.element) ? begun : null;
  const question = answer?.closest('.question').id;
  answer?.remove(); // with its fields
  const now = new FormData(own);
  const open = question ?? now.get('open');
  const left = now.getAll('left').filter((id) => !body.getAll('left').includes(id));
  const changed = [...new Set([...now.keys(), ...body.keys()])].filter((name) => /^([a-z]:|find |locale$|also$)/.test(name) && `${now.getAll(name)}` !== `${body.getAll(name)}`);
  if (!answer && open === body.get('open') && changed.length === 0) return null;
  return () => {
    for (const e of form().elements) {
      if (!changed.includes(e.name) || e.type === 'hidden' || e.type === 'submit') continue;
      if (e.matches('[type=radio], [type=checkbox]')) e.checked = now.getAll(e.name).includes(e.value);
      else e.value = now.get(e.name);
      if (e.name.startsWith('find ')) filter(e.closest('.chooser'));
    }
    left.forEach(leave);
    const list = question && document.getElementById(question)?.querySelector('.chooser');
    if (list) fillIn(list, answer);
    if (!answer && open === body.get('open')) return;
    const other = root.querySelector(`.question[open]:not([id="${CSS.escape(open)}"])`);
    if (other) {
      other.dataset.unseen = '';
      other.open = false;
    }
    const wanted = document.getElementById(open);
    if (wanted) wanted.open = true;
    form().elements.open.value = open;
  };
}

// store keeps what is in the form in this browser, with values that the text of the document does
// not have: half typed, not sent yet, or refused.
let storing, kept = true;
function store() {
  clearTimeout(storing);
  storing = undefined;
  const own = form();
  if (!own?.elements.open || own.dataset.blank !== undefined && changes === 0) return;
  const fields = [...new FormData(own)].filter(([name, value]) => typeof value === 'string' && name !== 'document');
  kept = drafts.remember(text(), draft, fields);
}
addEventListener('pagehide', () => { if (storing) store(); });
addEventListener('pageshow', async (event) => { if (event.persisted) draft = await drafts.claim(draft); });
addEventListener('beforeunload', (event) => { if (!kept && form()?.elements.open) event.preventDefault(); });

// show replaces the form by that of another page. The focus stays where it was, or goes to what
// the button was about.
function show(page, hash, submitter, body) {
  const next = page.getElementById('composer');
  if (!next) throw new Error('no form');
  const {id, name, value, selectionStart} = document.activeElement ?? {};
  const top = document.activeElement?.getBoundingClientRect().top;
  const lastPage = document.getElementById('page');
  const again = since(body);
  root.replaceChildren(...next.childNodes);
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  // The last good summary stays while something is wrong.
  const summary = document.getElementById('page');
  if (summary?.hidden && lastPage?.querySelector('li')) summary.replaceWith(lastPage);
  prepare();
  if (form()?.elements.open) {
    again?.();
    store();
  } else {
    drafts.remember(text());
  }
  const there = !again && hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (there) {
    there.focus({preventScroll: true});
    (there.closest('summary')?.parentElement ?? there).scrollIntoView({block: 'start'});
    return;
  }
  const same = (id && document.getElementById(id)) || [...(form()?.elements ?? [])].find((e) => name && e.name === name && (e.type === 'text' || e.value === value));
  if (!same) return;
  same.focus({preventScroll: Boolean(!submitter)});
  if (same.matches('.tick input')) scrollBy({top: same.getBoundingClientRect().top - top, behavior: 'instant'}); // its answer is above it
  try {
    if (selectionStart !== undefined && selectionStart !== null) same.setSelectionRange(selectionStart, selectionStart);
  } catch {
    // It has no text.
  }
}

// press does what a button says, once however often it is pressed until that is answered. If it has
// to wait, it is pressed in the form that there is then, unless that has gone on to another question.
const pressing = new Set();
async function press(button) {
  const key = `${button?.name} ${button?.value}`, open = form().elements.open?.value;
  if (pressing.has(key)) return;
  pressing.add(key);
  await inTurn(async () => {
    const own = form(), here = button && current(button);
    const passed = /^(next|done)$/.test(button?.value) && own.elements.open?.value !== open;
    if (here !== undefined && !passed) await pressed(own, here);
  });
  pressing.delete(key);
}

// The second click of a double click is none: what was under the first one may have gone on.
root.addEventListener('click', (event) => {
  if (event.detail < 2 || !event.target.closest('[name=place], [name=set], [value=next]')) return;
  event.stopImmediatePropagation();
  event.preventDefault();
});

async function pressed(own, button) {
  const body = new FormData(own, button);
  const file = own.elements.file?.files?.[0];
  if (file && file.size > Number(words.max)) {
    say(words.large);
    return;
  }
  clearTimeout(finding);
  if (file || /^(product$|(begin|sample) )/.test(button?.value)) another();
  // An answer that is being filled in comes first: its fields are named for its place.
  if (button?.name === 'place' && own.querySelector('input[name=place]')) {
    body.delete('place');
    for (const e of own.querySelectorAll('input[name=place]')) body.append('place', e.value);
    body.append('place', button.value);
  }
  await send(body, button?.getAttribute('formaction') ?? own.getAttribute('action'), button ?? own);
}

// check shows everything that is left to do.
const check = () => inTurn(() => {
  const body = new FormData(form());
  body.set('do', 'check');
  return send(body, form().getAttribute('action'));
});

// saved says what the file that was just saved lacks.
let saving = false;
async function saved() {
  saving = true;
  await check();
  saving = false;
}

// another begins the draft of another document.
const another = async (id) => { draft = await drafts.claim(id); };

let native = false;
root.addEventListener('submit', async (event) => {
  const button = event.submitter;
  if (event.target.id !== 'compose' || native) return;
  if (button?.dataset.native === undefined) {
    event.preventDefault();
    press(button);
    return;
  }
  if (asked) { // its answer has what was chosen
    event.preventDefault();
    while (asked) await asked;
    const here = current(button);
    if (here) form().requestSubmit(here);
    return;
  }
  store();
  if (site) {
    event.preventDefault();
    deliver(button);
  } else if (button.formTarget === '_blank') {
    event.preventDefault();
    inTab(button.value);
  } else if (button.value === 'save') {
    setTimeout(saved); // after the browser has read the form
  }
});

// inTab shows the page of the document in another tab, or its sign if nothing is left to do, which is
// shown here.
// The tab has to be opened before anything is waited for.
async function inTab(does) {
  const tab = open('', 'datachain');
  await check();
  const button = form()?.querySelector(`[name=do][value=${does}]`);
  if (!button || does === 'sign' && form().dataset.ok === undefined) {
    tab?.close();
    return;
  }
  button.formTarget = 'datachain';
  native = true;
  form().requestSubmit(button);
  native = false;
  button.formTarget = '_blank';
}

// deliver does what a server and the browser do with a button of a static site: it saves a file,
// or shows a page in a tab.
async function deliver(button) {
  const tab = button.formTarget === '_blank' ? open('', '_blank') : null;
  const body = new FormData(form(), button);
  try {
    const response = await ask(form().getAttribute('action'), body);
    if (!response.ok) throw new Error(String(response.status));
    const page = button.value === 'save' ? null : await parsed(response.clone());
    if (page?.getElementById('composer')) { // it is not valid
      tab?.close();
      show(page, '#problems', button, body);
      return;
    }
    if (tab) {
      tab.opener = null;
      tab.location.replace(URL.createObjectURL(await response.blob()));
      await check();
      return;
    }
    save(await response.blob(), /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition'))?.[1] ?? '');
    await saved();
  } catch {
    tab?.close();
    say(engine ? words.failed : words.notLoaded);
  }
}

// save saves a file.
function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it first
}

// Sending opens the page of a forge or a mail. The text is checked first, and saved or copied if it
// is not part of the address: in another tab, nothing can be copied from this one.
root.addEventListener('click', async (event) => {
  const clip = event.target.closest('[data-clip]'), link = event.target.closest('a[data-send]');
  if (clip) await copy();
  if (!link) return;
  event.preventDefault();
  if (asked || changes !== sent) await check();
  const now = root.querySelector('a[data-send]');
  if (!now) return;
  if (now.dataset.copy !== undefined) await copy();
  if (now.dataset.save !== undefined) save(new Blob([text()], {type: 'application/json'}), now.dataset.save);
  const tab = now.protocol === 'mailto:' ? null : open('', '_blank');
  if (!tab) {
    open(now.href, '_self'); // a mail, or the browser opens no tabs
    return;
  }
  tab.opener = null;
  tab.location.replace(now.href);
});
async function copy() {
  try {
    await navigator.clipboard.writeText(text());
    say(words.clipped);
  } catch {
    say(words.failed); // the file has the text, too
  }
}

// A question that is closed was left. What was written in it is sent, so that the summary and what
// is left to do follow.
let leaving;
root.addEventListener('toggle', ({target}) => {
  const own = form();
  if (!target.matches('.question') || !own.contains(target)) return;
  if (target.open) {
    own.elements.open.value = target.id;
    return;
  }
  if (target.dataset.unseen !== undefined) { // it was open for no time
    delete target.dataset.unseen;
    return;
  }
  if (own.elements.open.value === target.id) own.elements.open.value = '';
  leave(target.id);
  if (changes === sent) return;
  clearTimeout(leaving);
  leaving = setTimeout(update, Math.max(50, pausedUntil - Date.now()));
}, true);
function leave(id) {
  const own = form();
  if (own.querySelector(`[name=left][value="${CSS.escape(id)}"]`)) return;
  own.append(Object.assign(document.createElement('input'), {type: 'hidden', name: 'left', value: id}));
}
root.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-open]');
  const question = link && document.getElementById(link.dataset.open);
  if (!question) return;
  event.preventDefault();
  question.open = true;
  const there = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  const field = there.matches('.question > div') ? question.querySelector('summary') : there;
  field.focus({preventScroll: true});
  field.scrollIntoView({block: 'center'});
});

// lists has the lists of elements, by their id, of a version in a language. A server sends them once,
// so that opening a question and typing in it costs no request.
let lists = {of: '', by: new Map()};
const edition = () => `${form()?.dataset.version} ${document.documentElement.lang}`;
const missing = () => lists.of !== edition() || [...root.querySelectorAll('.chooser[data-absent]')].length > 0;
function complete() {
  if (lists.of !== edition()) lists = {of: edition(), by: new Map()};
  for (const list of root.querySelectorAll('.chooser')) {
    if (list.dataset.absent === undefined) {
      const all = list.cloneNode(true), field = all.querySelector('input');
      field.value = ''; // what was typed before this script has started
      if (field.defaultValue === '') lists.by.set(list.id, all);
    } else if (lists.by.has(list.id)) {
      list.replaceWith(lists.by.get(list.id).cloneNode(true));
    }
  }
  for (const list of root.querySelectorAll('.chooser:not([data-absent])')) mark(list);
}

// load asks the server for the lists that the page does not have. What is open and typed stays.
async function load() {
  try {
    const body = new FormData(form());
    body.set('lists', 'all');
    const response = await ask(form().getAttribute('action'), body);
    if (!response.ok) return; // the next answer has them
    for (const list of (await parsed(response)).querySelectorAll('.chooser:not([data-absent])')) {
      if (!lists.by.has(list.id)) lists.by.set(list.id, list);
    }
    complete();
  } catch {
    // So has this one.
  }
}

// mark tells which elements of a list are answers already. One of them is reached with Tab.
function mark(list) {
  const placed = new Set([...root.querySelectorAll('.placement')].map((e) => e.dataset.element));
  for (const button of list.querySelectorAll('button[name=place]')) button.querySelector('.placed').hidden = !placed.has(button.value);
  for (const box of list.querySelectorAll('.tick input')) {
    box.checked = placed.has(box.value);
    box.name = box.checked ? '' : 'also';
    box.disabled = false;
  }
  const first = list.querySelector('.choices > li');
  if (first) reach(first);
}

// filter shows the elements of a list that match what is typed in its field: each word begins one
// of the element. Those that are found by their names come first. It returns whether the server may
// find others.
function filter(list) {
  const all = lists.by.get(list.id);
  const plain = (s) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
  const typed = plain(list.querySelector('input').value).trim();
  if (!all) return typed !== '';
  const has = (said) => typed.split(' ').every((word) => ` ${plain(said)}`.includes(` ${word}`));
  const named = [], described = [];
  for (const one of all.querySelectorAll('.choices > [data-words]')) {
    const name = `${one.querySelector('strong').textContent} ${one.dataset.words}`;
    if (has(name)) named.push(one.cloneNode(true));
    else if (has(`${name} ${one.querySelector('button .meta')?.textContent}`)) described.push(one.cloneNode(true));
  }
  const matches = [...named, ...described];
  list.querySelector('.choices').replaceChildren(...matches);
  mark(list);
  return typed !== '' && (matches.length === 0 || all.querySelector('.more-than') !== null);
}

// While one types in a list, it is filtered. The server is asked for what is not in the page.
let finding;
root.addEventListener('input', ({target}) => {
  const list = target.closest('.chooser');
  if (!list || target.type !== 'search') return;
  clearTimeout(finding);
  if (!filter(list)) return;
  const {value} = list.querySelector('[value^="find "]');
  finding = setTimeout(() => update(() => form().querySelector(`[value="${CSS.escape(value)}"]`)), Math.max(300, pausedUntil - Date.now()));
});

// Arrow keys move through a list. Enter in its field goes to the first match.
root.addEventListener('keydown', (event) => {
  const {target, key} = event;
  const list = target.closest?.('.chooser');
  if (!list || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [list.querySelector('input'), ...list.querySelectorAll('button[name=place]')];
  const at = stops.indexOf(target.closest('li')?.querySelector('button[name=place]') ?? target);
  let next;
  if (key === 'Enter' && at === 0) next = stops[1] ?? list.querySelector('[value^="find "]');
  else if (key === 'ArrowDown' && at >= 0) next = stops[at + 1];
  else if (key === 'ArrowUp' && at > 0) next = stops[at - 1];
  else if (key === 'Home' && at > 0) next = stops[1];
  else if (key === 'End' && at > 0) next = stops.at(-1);
  if (!next) return;
  event.preventDefault();
  if (next.name === 'do') next.click();
  else next.focus();
});

// One choice is reached with Tab: the one that was used last.
function reach(choice) {
  for (const one of choice.parentElement.children) {
    for (const control of one.querySelectorAll('summary, button, input')) control.tabIndex = one === choice ? 0 : -1;
  }
}
root.addEventListener('focusin', ({target}) => {
  const choice = target.closest('.choices > li');
  if (choice) reach(choice);
});

// An element that asks for something is sent with what is filled in: an answer costs one request. Its
// fields are named for the place that it gets when they are sent.
const placeholder = /\b987654\b/;
root.addEventListener('formdata', ({target, formData}) => {
  if (!target.querySelector('input[name=place]')) return;
  const place = JSON.parse(text()).elements?.length ?? 0;
  for (const [name, value] of [...formData]) {
    if (name === 'set') formData.set(name, value.replace(placeholder, place));
    if (!placeholder.test(name)) continue;
    formData.delete(name);
    formData.append(name.replace(placeholder, place), value);
  }
});
function fillIn(list, answer) {
  (list.closest('.add') ?? list).before(answer);
  list.hidden = true;
}
root.addEventListener('click', (event) => {
  const button = event.target.closest('button[name=place]'), needs = button?.parentElement.querySelector('template');
  const undo = event.target.closest('[data-undo]');
  if (undo) {
    const question = undo.closest('.question');
    undo.closest('.placement').remove();
    question.querySelector('.chooser').hidden = false;
    question.querySelector('.chooser input').focus();
    return;
  }
  if (!needs || form().querySelector('input[name=place]')) return;
  event.preventDefault();
  const answer = document.importNode(needs.content, true).querySelector('.placement');
  fillIn(button.closest('.chooser'), answer);
  changes++;
  (answer.querySelector('.field :is(input:not([type=hidden]), textarea, select, button)') ?? answer).focus({preventScroll: true});
  answer.scrollIntoView({block: 'nearest'});
});

root.addEventListener('input', ({target}) => {
  if (target.closest('.chooser')) return;
  changes++;
  storing ??= setTimeout(store, 300);
});
root.addEventListener('change', ({target}) => {
  if (target.type === 'file' && target.files.length && target.dataset.waits === undefined) form().querySelector('[value=check]').click();
  else if (target.name === 'locale') update(); // its fields
  else if (target.matches('.tick input')) tick(target);
});

// tick adds an answer to those of a question, which stays open, or takes it away.
function tick(box) {
  if (box.checked) {
    changes++;
    update();
    return;
  }
  box.closest('.question').querySelector(`.placement[data-element="${CSS.escape(box.value)}"] [value^="remove "]`).click();
}

// prepare adds what only scripts can do to a form.
function prepare() {
  complete();
  if (form()?.elements.open) say(saving ? form().dataset.saved : words.kept);
  const share = root.querySelector('[data-share]');
  if (share && typeof CompressionStream === 'function') {
    share.hidden = false;
    share.addEventListener('click', () => drafts.share(text(), form().action.replace(/#.*/, ''), root.querySelector('.share'), say, words));
  }
  const clip = root.querySelector('[data-clip]');
  if (clip) clip.hidden = false;
  const recent = document.getElementById('recent');
  if (recent) drafts.list(recent, openText);
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
  inTurn(() => send(body, form().getAttribute('action'), form()));
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
for (const e of form()?.elements ?? []) { // what was typed and chosen before
  const now = e.type === 'checkbox' || e.type === 'radio' ? e.checked === e.defaultChecked : !('defaultValue' in e) || e.value === e.defaultValue;
  if (!now) for (const type of ['input', 'change']) e.dispatchEvent(new Event(type, {bubbles: true}));
}
if (form()?.elements.open) {
  store();
  if (missing()) await load();
} else if (text() !== '') {
  drafts.remember(text());
}
await follow();
root.dataset.ready = ''; // for tests and styles
