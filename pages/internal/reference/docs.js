// The documentation with scripts: examples with the address of this server, and forms that
// make the requests.
const standIn = 'http://localhost:8080';
for (const code of document.querySelectorAll('.sample code')) {
  code.textContent = code.textContent.replaceAll(standIn, location.origin);
}

// A link to an operation opens it.
function reveal() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
}
addEventListener('hashchange', reveal);
reveal();

// request returns the address and the options of the request that a form describes.
function request(form) {
  let path = form.dataset.try;
  const query = new URLSearchParams(), options = {method: form.dataset.method};
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.dataset.in === 'body') options.body = field.value;
    else if (field.value !== '') query.set(field.name, field.value);
  }
  // The description has paths below the root of the server, as this page is.
  const url = new URL(`.${path}`, location.href);
  url.search = query;
  return {url, options};
}

// named returns an element with a text, which can be scrolled by keyboard.
function named(tag, label, text) {
  const element = document.createElement(tag);
  Object.assign(element, {tabIndex: 0, dir: 'ltr', textContent: text});
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', label);
  return element;
}

// headersOf lists the headers of a response, to be opened.
function headersOf(response, label) {
  const details = document.createElement('details'), summary = document.createElement('summary');
  summary.textContent = label;
  const list = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  details.append(summary, named('pre', label, list));
  return details;
}

// show shows a response: JSON indented, pictures as pictures, the rest as text. Only its status
// is read out.
async function show(box, response) {
  const type = response.headers.get('Content-Type') ?? '';
  let text = await response.text();
  if (type.startsWith('application/json')) {
    try {
      text = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // As it is.
    }
  }
  const parts = [headersOf(response, box.dataset.headers)];
  if (response.ok && type.startsWith('image/svg+xml')) {
    const picture = document.createElement('img');
    picture.src = response.url;
    picture.alt = '';
    parts.push(picture);
  }
  parts.push(named('pre', box.getAttribute('aria-label'), text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text));
  say(box, `${response.status} ${response.statusText} · ${type}`, ...parts);
}

// say shows a message in place of what was there, and parts below it.
function say(box, message, ...parts) {
  const status = box.querySelector('[role="status"]');
  box.hidden = false;
  status.textContent = message;
  box.replaceChildren(status, ...parts);
}

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const box = form.querySelector('.outcome-box');
    say(box, form.dataset.sending);
    try {
      const {url, options} = request(form);
      await show(box, await fetch(url, options));
    } catch {
      say(box, form.dataset.failed);
    }
  });
}
