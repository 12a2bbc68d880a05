// The list of documents: what is near, and the filter of a static site. The position stays in
// the browser: it only sorts a list that is loaded without it.

const radians = Math.PI / 180;

// kilometres returns the distance of two positions, as [longitude, latitude].
function kilometres(a, b) {
  const [x, y] = [(b[0] - a[0]) * radians, (b[1] - a[1]) * radians];
  const h = Math.sin(y / 2) ** 2 + Math.cos(a[1] * radians) * Math.cos(b[1] * radians) * Math.sin(x / 2) ** 2;
  return 12742 * Math.asin(Math.min(1, Math.sqrt(h)));
}

// positions returns all positions of a GeoJSON geometry.
function positions(coordinates) {
  return typeof coordinates[0] === 'number' ? [coordinates] : coordinates.flatMap(positions);
}

// linked returns a list entry that leads to a document.
function linked(address, title, note) {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.textContent = title;
  entry.append(link, ' ', note);
  return entry;
}

const most = 10;

async function near(button) {
  const place = document.getElementById('near');
  const say = (text) => { place.textContent = text; };
  say(button.dataset.note);
  try {
    const [{coords}, response] = await Promise.all([
      new Promise((found, failed) => navigator.geolocation.getCurrentPosition(found, failed, {maximumAge: 60000, timeout: 20000})),
      fetch(button.dataset.near),
    ]);
    const here = [coords.longitude, coords.latitude];
    const nearest = new Map();
    for (const {geometry, properties} of (await response.json()).features) {
      if (!geometry) continue;
      const distance = Math.min(...positions(geometry.coordinates).map((p) => kilometres(here, p)));
      const known = nearest.get(properties.slug);
      if (!known || distance < known.distance) nearest.set(properties.slug, {distance, properties});
    }
    const title = document.createElement('h3');
    title.textContent = button.dataset.title;
    const list = document.createElement('ol');
    list.className = 'plain';
    const number = new Intl.NumberFormat(`${document.documentElement.lang}-u-nu-latn`, {maximumSignificantDigits: 2});
    for (const {distance, properties} of [...nearest.values()].sort((a, b) => a.distance - b.distance).slice(0, most)) {
      list.append(linked(button.dataset.document.replace('%s', properties.slug), properties.title, button.dataset.distance.replace('%s', number.format(distance))));
    }
    place.replaceChildren(title, list);
  } catch {
    say(button.dataset.failed);
  }
}

function nearButtons() {
  for (const button of document.querySelectorAll('[data-near]')) button.hidden = !navigator.geolocation || !location.protocol.startsWith('http');
}

addEventListener('click', (event) => {
  const button = event.target.closest('[data-near]');
  if (button) near(button);
});
nearButtons();
new MutationObserver(nearButtons).observe(document.getElementById('results'), {childList: true});

// counted writes a number of things. A form that the language does not have is empty.
function counted(forms, n) {
  const lang = `${document.documentElement.lang}-u-nu-latn`;
  return (forms[new Intl.PluralRules(lang).select(n)] || forms.other).replace('%s', new Intl.NumberFormat(lang).format(n));
}

// A box before a document is a link to the list with the other choice. Only the list is replaced, so
// that one stays where one is.
let chosen, running; // the choice that is being fetched

async function choose(box) {
  const {slug} = box.dataset;
  chosen ??= new Set(box.closest('.found').querySelector('[data-chosen]').dataset.chosen.split(',').filter(Boolean));
  if (!chosen.delete(slug)) chosen.add(slug);
  const shown = new URL(box.href);
  shown.hash = '';
  chosen.size ? shown.searchParams.set('documents', [...chosen].join()) : shown.searchParams.delete('documents');
  const part = new URL(shown);
  part.searchParams.set('part', 'results');
  running?.abort();
  const {signal} = running = new AbortController();
  try {
    const response = await fetch(part, {signal});
    const html = await response.text();
    if (!response.ok) throw new Error(html);
    document.getElementById('results').innerHTML = html;
  } catch {
    if (!signal.aborted) location.assign(box.href);
    return;
  }
  const state = [...chosen].join();
  chosen = undefined;
  history.replaceState(null, '', shown);
  document.getElementById(`r-${slug}`)?.querySelector('.pick').focus();
  for (const field of document.querySelectorAll('#search [name="documents"]')) field.value = state;
  for (const link of document.querySelectorAll('header a[href*="select="]')) { // of languages
    const other = new URL(link.href);
    state ? other.searchParams.set('documents', state) : other.searchParams.delete('documents');
    link.href = other;
  }
}

const boxOf = (event) => event.target.closest('a[role="checkbox"]');
addEventListener('click', (event) => {
  const box = boxOf(event);
  if (!box || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  choose(box);
});
addEventListener('keydown', (event) => {
  if (event.key !== ' ' || !boxOf(event)) return;
  event.preventDefault();
  choose(boxOf(event));
});

// A static site has no server to search: the form hides the entries that do not show all words.
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

function filterStatic(form) {
  const counts = JSON.parse(form.dataset.counts); // of plurals, empty for those that the language does not have
  const entries = [...document.querySelectorAll('#results li.record')].map((entry) => [entry, fold(entry.textContent)]);
  const title = document.getElementById('found'), nothing = document.getElementById('nothing');
  const update = () => {
    const words = fold(new FormData(form).get('q')).split(/\s+/);
    let n = 0;
    for (const [entry, text] of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) n++;
    }
    title.textContent = counted(counts, n);
    nothing.hidden = n > 0;
  };
  form.hidden = false;
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
}

for (const form of document.querySelectorAll('form[data-counts]')) filterStatic(form);
