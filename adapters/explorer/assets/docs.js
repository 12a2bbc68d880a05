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

// show shows a response: JSON indented, pictures as pictures, the rest as text.
async function show(box, response) {
  const type = response.headers.get('Content-Type') ?? '';
  const head = document.createElement('p'), pre = document.createElement('pre');
  head.textContent = `${response.status} ${response.statusText} · ${type}`;
  pre.tabIndex = 0;
  pre.dir = 'ltr';
  let text = await response.text();
  if (type.startsWith('application/json')) {
    try {
      text = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // As it is.
    }
  }
  pre.textContent = text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text;
  box.replaceChildren(head);
  if (response.ok && type.startsWith('image/svg+xml')) {
    const picture = document.createElement('img');
    picture.src = response.url;
    picture.alt = '';
    box.append(picture);
  }
  box.append(pre);
}

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const box = form.querySelector('[role="status"]');
    box.hidden = false;
    box.textContent = form.dataset.sending;
    try {
      const {url, options} = request(form);
      await show(box, await fetch(url, options));
    } catch {
      box.textContent = form.dataset.failed;
    }
  });
}
