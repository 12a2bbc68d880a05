// Checks a proof in this browser. A Worker runs the verifier, which is loaded when the form is
// first sent; the files that the reader chooses are sent nowhere.
const form = document.getElementById('verify');
const results = document.getElementById('results');
const note = document.getElementById('note');
const words = form.dataset;
const fields = form.elements;

// start starts the Worker, once. If it ends or can't be started, the next check tries again.
let verifier;
function start() {
  verifier ??= import(new URL(words.script, location.href)).then(({connect}) => connect(words, () => { verifier = undefined; }));
  verifier.catch(() => { verifier = undefined; });
  return verifier;
}

// base64 encodes the bytes of a file: those that are not text are the verifier's to refuse.
function base64(blob) {
  if (blob.size > Number(words.max)) throw new RangeError(words.large);
  if (blob.size === 0) return '';
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return base64(await response.blob());
}

// check verifies the files that were chosen. If none is the document, it is that of the site,
// with the proof of the site unless another one was chosen.
async function check() {
  const chosen = (field) => field.files[0] && base64(field.files[0]);
  const here = fields.resolved.files.length === 0;
  const call = start();
  const [document, proof, trust] = await Promise.all([
    here ? fetched(words.document) : chosen(fields.resolved),
    chosen(fields.proof) ?? (here ? fetched(words.proof) : undefined),
    chosen(fields.trust),
  ]);
  return JSON.parse(await (await call)({part: {document, proof, trust}}));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (results.ariaBusy === 'true') return;
  results.ariaBusy = 'true';
  note.textContent = words.checking;
  try {
    show(await check());
  } catch (e) {
    show({failure: e instanceof RangeError ? e.message : words.failed, own: true});
  }
  note.textContent = '';
  results.ariaBusy = 'false';
  results.querySelector('h2').focus();
});

// A result is about the files that were checked, not about those that are chosen next.
form.addEventListener('change', () => results.replaceChildren());

// make makes an element with a text, which is English unless it is one of the page.
function make(name, text, english = false) {
  const element = document.createElement(name);
  element.textContent = text;
  if (english) Object.assign(element, {lang: 'en', dir: 'ltr'});
  return element;
}

// show shows what the verifier says, in its own words.
// A report of the snapshot alone is not ok, but says what is proven.
function show({ok, scope, failure, own, error, advice, proven, claimed, not_proven: unproven}) {
  const verdict = document.createElement('section');
  verdict.className = `verdict ${ok ? 'good' : scope ? 'todo' : 'bad'}`;
  const title = make('h2', failure ? words.unchecked : ok ? words.good : scope ? words.snapshot : words.bad);
  title.tabIndex = -1;
  verdict.append(title);
  for (const sentence of [failure ?? (scope ? '' : error), advice]) if (sentence) verdict.append(make('p', sentence, !own));
  for (const [name, list] of scope ? [[words.proven, proven], [words.claimed, claimed], [words.unproven, unproven]] : []) {
    const rows = document.createElement('dl');
    for (const {what, why} of list) {
      const row = document.createElement('div');
      row.append(make('dt', what, true), make('dd', why, true));
      rows.append(row);
    }
    verdict.append(make('h3', name), rows);
  }
  results.replaceChildren(verdict);
}

if (typeof WebAssembly === 'object' && typeof Worker === 'function') {
  document.getElementById('unavailable').hidden = true;
  form.hidden = false;
}
