// The list of documents: what is near, and the search of a static site. The position stays in
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

// A static site has no server to search: the form filters all documents of the list.
const fold = (text) => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

// valuesOf returns what a document has in a field of the form.
function valuesOf(entry, field) {
  const point = entry.summary?.find((p) => p.role === field);
  switch (field) {
    case 'organisation': return [entry.organisation?.id, entry.organisation?.name];
    case 'theme': return entry.themes ?? [];
    case 'place': return (entry.places ?? []).map((p) => p.name);
    case 'data':
    case 'risk': return point?.context ? [point.context.id] : (point?.entries ?? []).map((e) => e.element_id);
    default: return [entry[field]];
  }
}

function filterStatic(form) {
  const {list, document: pattern, counts, statuses} = form.dataset;
  const forms = JSON.parse(counts); // of plurals, empty for those that the language does not have
  const names = JSON.parse(statuses);
  const results = document.getElementById('results');
  const whole = [...results.childNodes];
  let loaded;
  const element = (name, className, ...content) => {
    const e = document.createElement(name);
    e.className = className;
    e.append(...content);
    return e;
  };
  const row = (d) => {
    const link = element('a', '', d.title);
    link.href = pattern.replace('%s', d.slug);
    const foot = [names[d.status], d.organisation?.name, d.places?.[0]?.name].filter(Boolean).map((text) => element('span', '', text));
    return element('li', 'card record', element('div', '', element('h3', '', link), element('p', '', d.description ?? ''), element('p', 'foot', ...foot)));
  };
  const update = async () => {
    const asked = new FormData(form);
    const words = fold(asked.get('q')).split(/\s+/).filter(Boolean);
    const wanted = [...asked].filter(([name, value]) => name !== 'q' && value !== '');
    if (words.length + wanted.length === 0) {
      results.replaceChildren(...whole);
      return;
    }
    const {documents} = await (loaded ??= fetch(list).then((response) => response.json()));
    const found = documents.filter((d) => {
      const text = fold(JSON.stringify(d));
      return words.every((word) => text.includes(word)) && wanted.every(([field, value]) => valuesOf(d, field).some((v) => fold(v) === fold(value)));
    });
    const {lang} = document.documentElement;
    const plural = forms[new Intl.PluralRules(lang).select(found.length)] || forms.other;
    const count = plural.replace('%s', found.length.toLocaleString(`${lang}-u-nu-latn`));
    const title = element('h2', '', count);
    const status = element('div', '', title);
    status.setAttribute('role', 'status');
    results.replaceChildren(status, element('ol', 'rows-of-documents', ...found.map(row)));
  };
  if (!location.protocol.startsWith('http')) return; // browsers load no files
  form.hidden = false;
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
}

for (const form of document.querySelectorAll('form[data-list]')) filterStatic(form);
