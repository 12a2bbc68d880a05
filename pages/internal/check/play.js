// The playground with scripts: files, live checks, links that hold the document, and recent
// documents. Everything works without it, by the form.
const form = document.getElementById('play');
const area = document.getElementById('document');
const note = document.getElementById('note');
const results = document.getElementById('results');
const words = form.dataset;
const maxBytes = Number(words.max);
const drafts = await import(new URL(words.drafts, location.href));

// sendable is whether the document may be sent without being asked to: one that came with a
// link may not, until Check is pressed.
let sendable = true;
let editor; // the one of editors/web, if it was built
let broken = false; // whether the page was opened by a link that can't be read

const text = () => area.value;
const say = (message) => { note.textContent = message; };

// write puts a text into the editor.
function write(value) {
  area.value = value;
  if (editor && editor.value !== value) editor.value = value;
}

// check sends the form and shows the results. submitter is the button that was pressed, or
// nothing while a document is typed.
let running;
async function check(submitter) {
  running?.abort();
  if (tooLarge(text())) {
    results.removeAttribute('aria-busy');
    say(words.large);
    return;
  }
  running = new AbortController();
  const {signal} = running;
  results.setAttribute('aria-busy', 'true');
  try {
    const body = new FormData(form, submitter);
    body.delete('file'); // it is in the editor
    const sent = text();
    const response = await fetch(form.action, {method: 'POST', body, signal, headers: {Accept: 'text/html'}});
    if (response.status === 429 || response.status === 503) {
      say(response.status === 429 ? words.notePaused : words.noteFailed);
      pausedUntil = Date.now() + 1000 * Math.max(5, Number(response.headers.get('Retry-After')) || 0);
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    // Scripts in a parsed document do not run, and there are none.
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    const lastPage = results.querySelector('.document-page');
    results.replaceChildren(...page.getElementById('results').childNodes);
    if (lastPage?.querySelector('iframe') && !results.querySelector('iframe') && text().trim() !== '') results.append(lastPage); // the last good one
    const after = page.getElementById('document').value;
    if (submitter && after !== sent) write(after);
    if (submitter) results.querySelector('h2')?.focus();
    if (!editor) say(words.noteLive);
  } catch (e) {
    if (e.name !== 'AbortError') say(words.noteFailed);
  } finally {
    if (!signal.aborted) results.removeAttribute('aria-busy');
  }
}

form.addEventListener('submit', (event) => {
  const button = event.submitter;
  sendable = true;
  remember();
  if (button?.dataset.native !== undefined || button?.value === 'save') return; // answered by a file or another tab
  event.preventDefault();
  clearTimeout(timer);
  check(button);
});

// While a document is typed, it is checked when the typing pauses. A server allows 30 checks
// in a minute.
const pause = 900, interval = 2500;
let timer, last = 0, pausedUntil = 0;
function typed() {
  clearTimeout(timer);
  if (editor || !sendable || text().trim() === '' || tooLarge(text())) return;
  const wait = Math.max(pause, last + interval - Date.now(), pausedUntil - Date.now());
  timer = setTimeout(() => {
    last = Date.now();
    check();
  }, wait);
}
area.addEventListener('input', typed);

const tooLarge = (value) => new Blob([value]).size > maxBytes;

// Files: chosen, or dropped anywhere on the form.
async function open(file) {
  if (!file) return;
  if (file.size > maxBytes) {
    say(words.large);
    return;
  }
  write(await file.text());
  forget(location.hash);
  sendable = true;
  say(words.dropped);
  if (editor) return;
  check(form.querySelector('[value=check]'));
}
form.elements.file.addEventListener('change', async ({target}) => {
  await open(target.files[0]);
  target.value = '';
});
for (const name of ['dragenter', 'dragover']) {
  form.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('dropping');
  });
}
form.addEventListener('dragleave', (event) => {
  if (!form.contains(event.relatedTarget)) form.classList.remove('dropping');
});
form.addEventListener('drop', (event) => {
  form.classList.remove('dropping');
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  open(event.dataTransfer.files[0]);
});

// Links. The document is in the fragment, which browsers do not send.
const share = form.querySelector('[data-share]');
const shown = form.querySelector('.share');
if (typeof CompressionStream === 'function') share.hidden = false;
share.addEventListener('click', async () => {
  const link = await drafts.share(text(), form.action, shown, say, words);
  if (!link) return;
  history.replaceState(null, '', link.hash);
  remember();
});

// forget removes a document from the address, since it is no longer the one in the editor.
function forget(hash) {
  if (hash.startsWith('#doc=')) history.replaceState(null, '', location.pathname + location.search);
}

async function follow() {
  const packed = new URLSearchParams(location.hash.slice(1)).get('doc');
  if (!packed) return;
  try {
    write(await drafts.unpack(packed, maxBytes));
    sendable = false;
    results.replaceChildren();
    say(words.editor ? words.noteLocal : words.noteUnsent);
    broken = false;
  } catch {
    broken = true;
    say(words.broken);
  }
}
addEventListener('hashchange', follow);

// Places: select the text that a finding is about.
results.addEventListener('click', (event) => {
  const place = event.target.closest('a.place');
  if (!place) return;
  const {line, column, to} = place.dataset;
  const lines = text().split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  const from = start + Number(column) - 1;
  if (editor) {
    editor.view?.dispatch({selection: {anchor: from, head: Math.max(from, start + Number(to) - 1)}, scrollIntoView: true});
    editor.focus();
    event.preventDefault();
    return;
  }
  area.focus();
  area.setSelectionRange(from, Math.max(from, start + Number(to) - 1));
  area.scrollTop = (line - 4) * parseFloat(getComputedStyle(area).lineHeight);
});

// Recent documents, in the storage of this browser.
const recent = document.getElementById('recent');
const remember = () => { if (drafts.remember(text())) showRecent(); };
function showRecent() {
  drafts.list(recent, (value) => {
    write(value);
    forget(location.hash);
    sendable = true;
    typed();
    (editor ?? area).focus();
  });
}
showRecent();
// If the form was sent before this script ran, the document is in the page that answers it.
if (results.querySelector('.verdict')) remember();

// preview shows the page of the document below the editor, which makes it in this browser, when the
// typing pauses. While the document is invalid, the last good page stays.
let previewing;
function preview() {
  clearTimeout(previewing);
  if (!text().trim()) {
    results.querySelector('.document-page')?.remove();
    return;
  }
  previewing = setTimeout(async () => {
    const value = text();
    const html = await editor.preview().catch(() => '');
    if (!html || value !== text()) return; // there is none, or a newer one
    let shown = results.querySelector('.document-page');
    const page = new DOMParser().parseFromString(html, 'text/html');
    for (const script of page.querySelectorAll('script')) script.remove(); // none runs in the frame
    if (!shown) {
      shown = document.createElement('section');
      shown.className = 'document-page';
      shown.append(Object.assign(document.createElement('h2'), {textContent: words.page}));
      results.append(shown);
    }
    const frame = shown.querySelector('iframe') ?? Object.assign(document.createElement('iframe'), {title: words.page});
    frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    const source = `<!doctype html>${page.documentElement.outerHTML}`;
    if (frame.srcdoc !== source) frame.srcdoc = source;
    if (!frame.isConnected) shown.append(frame);
  }, 400);
}

// edit replaces the text field by the editor, if it was built: it checks in this browser.
async function edit() {
  if (!words.editor || typeof WebAssembly !== 'object') return;
  const {api, createEditor} = await import(new URL(words.editor, location.href));
  const host = document.getElementById('editor');
  const root = host.attachShadow({mode: 'open'});
  const inside = root.appendChild(document.createElement('div'));
  const made = createEditor(inside, {
    value: text(),
    label: form.querySelector('label[for=document]').textContent,
    locale: words.locale,
    phrases: JSON.parse(words.phrases),
    languageServer: {store: api(new URL(words.api, location.href)), baseURL: new URL(words.base || '/', location.href).href.replace(/\/$/, '')},
    onChange: (value) => {
      area.value = value;
      if (editor) preview();
    },
  });
  Object.assign(made.element.style, {minHeight: '16rem', maxHeight: '75vh'}); // the buttons below stay in reach
  await made.ready;
  editor = made;
  host.hidden = false;
  area.hidden = true;
  if (editor.value !== area.value) editor.value = area.value;
  if (!results.querySelector('.verdict')) preview();
  if (!broken) say(words.noteLocal);
}

await follow();
form.dataset.ready = ''; // for tests and styles
edit().catch(() => { delete words.editor; if (sendable && !broken) say(words.noteLive); });
if (!words.editor && sendable && text().trim() !== '' && !results.querySelector('.verdict')) typed();
