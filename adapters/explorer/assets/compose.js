// The form that writes a document, with scripts: buttons do not load the page again, links hold
// the document, and this browser keeps it. Everything works without it, by the form.
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
    const response = await fetch(action, {method: 'POST', body, signal, headers: {Accept: 'text/html'}});
    if (response.status === 429 || response.status === 503) {
      pausedUntil = Date.now() + 1000 * Math.max(5, Number(response.headers.get('Retry-After')) || 0);
      say(response.status === 429 ? words.paused : words.failed);
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    // Scripts in a parsed document do not run, and there are none.
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted || !submitter && changes !== before) return;
    show(page, new URL(action, location.href).hash, submitter);
  } catch (e) {
    if (e.name !== 'AbortError') say(words.failed);
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
    return;
  }
  event.preventDefault();
  press(button);
});

// The list of elements is searched by Enter, not checked.
root.addEventListener('keydown', (event) => {
  const {target} = event;
  if (event.key !== 'Enter' || !target.dataset?.do || event.isComposing) return;
  event.preventDefault();
  root.querySelector(`button[value="${CSS.escape(target.dataset.do)}"]`)?.click();
});

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
  if (recent) drafts.list(recent, open);
}

// open opens a text in the form.
function open(value) {
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

prepare();
if (text() !== '') drafts.remember(text());
await follow();
root.dataset.ready = ''; // for tests and styles
