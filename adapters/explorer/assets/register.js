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

// counted writes a number of things. A form that the language does not have is empty.
function counted(forms, n) {
  const lang = `${document.documentElement.lang}-u-nu-latn`;
  return (forms[new Intl.PluralRules(lang).select(n)] || forms.other).replace('%s', new Intl.NumberFormat(lang).format(n));
}

// The button says how many documents it compares.
addEventListener('change', ({target}) => {
  const button = target.form?.querySelector('[data-compare]');
  if (!button) return;
  const n = new FormData(target.form).getAll('documents').join().split(',').filter(Boolean).length;
  button.textContent = n > 1 ? counted(JSON.parse(button.dataset.compare), n) : button.dataset.compareNone;
});

// A static site has no server to search: the form filters all documents of the list.
const fold = (text) => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toUpperCase().toLowerCase();

// wordsOf returns the words of a text. Scripts without spaces have pairs of letters instead, as
// in the file of words.
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}ー]+/u;
function wordsOf(text) {
  const pieces = fold(text).split(/[^\p{L}\p{N}]+/u).flatMap((piece) => piece.split(new RegExp(`(${unspaced.source})`, 'u')));
  return pieces.filter(Boolean).flatMap((piece) => {
    const letters = unspaced.test(piece) ? [...piece] : [];
    return letters.length > 2 ? letters.slice(1).map((letter, i) => letters[i] + letter) : [piece];
  });
}

// isForm reports whether two words may be forms of one, such as camera and cameras, or the English cat and cats.
const english = document.documentElement.lang.startsWith('en');
function isForm(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return (n >= 5 && n >= Math.floor(Math.max(a.length, b.length) / 2)) || (english && (`${a}s` === b || a === `${b}s`));
}

// isNear reports whether a few letters turn a word into another one: two, or one in a short word.
function isNear(a, b) {
  const most = a.length < 4 ? 0 : a.length < 8 ? 1 : 2;
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last] = [[], [...Array(b.length + 1).keys()]];
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let k = 0; k < b.length; k++) {
      row.push(Math.min(row[k] + 1, last[k + 1] + 1, last[k] + (a[i] === b[k] ? 0 : 1)));
      if (i && k && a[i] === b[k - 1] && a[i - 1] === b[k]) row[k + 1] = Math.min(row[k + 1], before[k - 1] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length] <= most;
}

// searcher returns a function that finds documents by words as a server does: those that have any of
// them, in this or another form, or a synonym. It returns their scores by slug.
function searcher({documents, words, synonyms}) {
  const index = Object.entries(words).map(([word, hits]) => [fold(word), hits]);
  const empty = new Set(index.filter(([, hits]) => hits.length === 0).map(([word]) => word)); // the, of
  const groups = (synonyms ?? []).map((group) => group.map(wordsOf));
  // scores adds up the best of what matches has to say about each document.
  const scores = (matches) => {
    const best = new Map();
    for (const [word, hits] of index) {
      const weight = matches(word);
      for (let i = 0; weight && i < hits.length; i += 2) best.set(hits[i], Math.max(best.get(hits[i]) ?? 0, weight * hits[i + 1]));
    }
    return best;
  };
  const weigh = (asked, unfinished) => (word) => (word === asked ? 1 : isForm(word, asked) ? 2 / 3 : unfinished && word.startsWith(asked) ? 1 / 2 : 0);
  const says = (asked, phrase) => asked.some((_, i) => phrase.every((word, k) => asked[i + k] && (word === asked[i + k] || isForm(word, asked[i + k]))));
  return (asked) => {
    const found = new Map();
    const add = (list, share) => { for (const [at, score] of list) found.set(at, (found.get(at) ?? 0) + share * score); };
    for (const group of groups.filter((list) => list.some((phrase) => says(asked, phrase)))) {
      for (const phrase of group.filter((other) => !says(asked, other))) {
        const lists = phrase.filter((word) => !empty.has(word)).map((word) => scores(weigh(word, false)));
        for (const list of lists) add([...list].filter(([at]) => lists.every((other) => other.has(at))), 1 / 2);
      }
    }
    const missed = [];
    asked.forEach((word, i) => {
      const list = scores(weigh(word, i === asked.length - 1));
      add(list, 1);
      if (list.size === 0) missed.push(word);
    });
    if (found.size === 0) for (const word of missed) add(scores((other) => (isNear(word, other) ? 2 / 5 : 0)), 1);
    return new Map([...found].map(([at, score]) => [documents[at], score]));
  };
}

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
  const {list, words: wordList, document: pattern, counts, statuses, nothing} = form.dataset;
  const forms = JSON.parse(counts); // of plurals, empty for those that the language does not have
  const names = JSON.parse(statuses);
  const results = document.getElementById('results');
  const whole = [...results.childNodes];
  let loaded, search, turn = 0;
  const load = (file) => fetch(file).then((response) => response.json());
  const element = (name, className, ...content) => {
    const e = document.createElement(name);
    e.className = className;
    e.append(...content);
    return e;
  };
  const row = (d) => {
    const link = element('a', '', d.title);
    link.href = pattern.replace('%s', d.slug);
    link.className = 'cover';
    const foot = [names[d.status], d.organisation?.name, d.places?.[0]?.name].filter(Boolean).join(' · ');
    return element('li', 'record', element('span', 'icon'), element('div', '', element('h3', '', link), element('p', '', d.description ?? ''), element('p', 'meta', foot)));
  };
  const update = async () => {
    const mine = ++turn;
    const asked = new FormData(form);
    const words = wordsOf(asked.get('q'));
    const wanted = [...asked].filter(([name, value]) => name !== 'q' && value !== '');
    if (words.length + wanted.length === 0) {
      results.replaceChildren(...whole);
      return;
    }
    const {documents} = await (loaded ??= load(list));
    const scores = words.length > 0 && (await (search ??= load(wordList).then(searcher)))(words);
    if (mine !== turn) return; // something else was typed meanwhile
    const found = documents.filter((d) => (!scores || scores.has(d.slug)) && wanted.every(([field, value]) => valuesOf(d, field).some((v) => fold(v) === fold(value))));
    if (scores) found.sort((a, b) => scores.get(b.slug) - scores.get(a.slug));
    const title = element('h2', '', counted(forms, found.length));
    const status = element('div', '', title);
    status.setAttribute('role', 'status');
    results.replaceChildren(element('section', 'found', status, found.length > 0 ? element('ol', 'rows icons', ...found.map(row)) : element('p', '', nothing)));
  };
  if (!location.protocol.startsWith('http')) return; // browsers load no files
  form.hidden = false;
  addEventListener('input', (event) => event.target.form === form && update()); // also of fields elsewhere
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
}

for (const form of document.querySelectorAll('form[data-list]')) filterStatic(form);
