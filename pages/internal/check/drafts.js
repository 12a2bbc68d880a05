// Documents that are not stored on a server: in links, and in the storage of this browser. The
// pages that check and write documents share them.

// Documents in links: compressed (DEFLATE, RFC 1951), then base64url (RFC 4648) without
// padding. The language server writes the same form.

// pack returns a text as it is in a link.
export async function pack(text) {
  const bytes = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  let binary = '';
  for (const b of bytes) binary += String.fromCharCode(b);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

// unpack returns the text of a link. It fails if it is malformed, or larger than most bytes.
export async function unpack(packed, most) {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error('too large');
    }
    parts.push(value);
  }
  return new TextDecoder('utf-8', {fatal: true}).decode(await new Blob(parts).arrayBuffer());
}

// share shows a link to the page with a text, selects and copies it, and returns it, or null
// after saying that it would be too long.
const maxLink = 100_000;
export async function share(text, page, shown, say, words) {
  const link = new URL(page);
  link.hash = `doc=${await pack(text)}`;
  if (link.href.length > maxLink) {
    say(words.long);
    return null;
  }
  shown.hidden = false;
  shown.querySelector('input').value = link.href;
  shown.querySelector('input').select();
  try {
    await navigator.clipboard.writeText(link.href);
    say(words.copied);
  } catch {
    // The link is selected, to be copied by hand.
  }
  return link;
}

// Recent documents.
const key = 'datachain.recent', maxRecent = 8, maxKept = 200_000;
function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list.filter((d) => typeof d?.text === 'string' && typeof d.name === 'string') : [];
  } catch {
    return [];
  }
}
function keep(list) {
  try {
    if (list.length > 0) localStorage.setItem(key, JSON.stringify(list));
    else localStorage.removeItem(key);
  } catch {
    if (list.length > 1) keep(list.slice(0, -1)); // there is no room; or storage is off
  }
}

// remember keeps a text, and returns whether it is one to keep. A form has a draft with an id, and
// fields with values that the text does not have; other texts are told apart by their names.
export function remember(value, id, fields) {
  if (value.trim() === '' || value.length > maxKept) return false;
  const name = nameOf(value, fields);
  const old = (d) => (id === undefined && d.id === undefined ? d.name === name : d.id === id) || d.text === value && !d.fields;
  keep([{name, text: value, time: Date.now(), id, fields}, ...kept().filter((d) => !old(d))].slice(0, maxRecent));
  return true;
}

// claim returns the id of a draft for this page: the given one or, if there is none or another tab
// has it, a new one. So tabs do not overwrite what was typed in others.
let release = () => {};
export function claim(id) {
  release();
  const own = id ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  return new Promise((resolve) => {
    if (!navigator.locks) { // without HTTPS
      resolve(id ? claim() : own);
      return;
    }
    navigator.locks.request(`${key}.${own}`, {ifAvailable: true}, (lock) => {
      resolve(lock ? own : claim());
      return lock && new Promise((done) => { release = done; });
    });
  });
}
addEventListener('pagehide', () => release()); // a page that holds a lock is not kept for Back

// nameOf returns the name of a document, or '' if it has none, or is being typed. A title that is in
// the fields of a form comes first.
function nameOf(value, fields = []) {
  const lang = document.documentElement.lang;
  const typed = fields.filter(([field, title]) => /^l:[^:]*:title$/.test(field) && title !== '');
  const title = (typed.find(([field]) => field === `l:${lang}:title`) ?? typed[0])?.[1];
  if (title) return title.slice(0, 100);
  try {
    const {title, id} = JSON.parse(value);
    const name = (Array.isArray(title) && (title.find((t) => t.locale === lang) ?? title[0])?.value) || id;
    if (typeof name === 'string' && name !== '') return name.slice(0, 100);
  } catch {
    // It is no JSON yet.
  }
  return '';
}

// list shows the recent documents in a section, and calls open with the one that is chosen.
export function list(section, open) {
  const all = kept();
  section.hidden = all.length === 0;
  section.querySelector('ul').replaceChildren(...all.map((d) => {
    const item = document.createElement('li'), button = document.createElement('button'), time = document.createElement('time');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = d.name || section.dataset.untitled;
    button.addEventListener('click', () => open(d.text, d));
    time.dateTime = new Date(d.time).toISOString();
    time.textContent = new Date(d.time).toLocaleDateString(`${document.documentElement.lang}-u-nu-latn`);
    item.append(button, ' ', time);
    return item;
  }));
  section.querySelector('[data-forget]').onclick = () => {
    keep([]);
    list(section, open);
  };
}
