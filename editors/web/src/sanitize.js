// What may be in a hover. The server writes Markdown and escapes all texts of documents and
// taxonomies; this is the second lock: whatever it says, nothing else gets into the page.
const allowed = new Set(['P', 'STRONG', 'EM', 'CODE', 'PRE', 'UL', 'OL', 'LI', 'BR', 'A', 'IMG']);
const picture = /^data:image\/svg\+xml;base64,[A-Za-z0-9+/=]*$/; // scripts in images do not run

// sanitize returns HTML with allowed elements only. Of others, their text is kept, except
// for what is never shown.
export function sanitize(html) {
  const clean = document.implementation.createHTMLDocument('').body;
  copy(new DOMParser().parseFromString(html, 'text/html').body, clean);
  return clean.innerHTML;
}

function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.append(node.data);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      copyElement(node, to);
    }
  }
}

function copyElement(node, to) {
  if (node.namespaceURI !== 'http://www.w3.org/1999/xhtml' || ['SCRIPT', 'STYLE', 'TEMPLATE'].includes(node.tagName)) return;
  if (!allowed.has(node.tagName)) {
    copy(node, to);
    return;
  }
  const element = to.ownerDocument.createElement(node.tagName);
  if (node.tagName === 'IMG') {
    if (!picture.test(node.getAttribute('src') ?? '')) return;
    element.setAttribute('src', node.getAttribute('src'));
    element.setAttribute('alt', ''); // the title follows
  }
  if (node.tagName === 'A' && /^https?:/i.test(node.getAttribute('href') ?? '')) {
    element.setAttribute('href', node.getAttribute('href'));
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer');
  }
  if (['P', 'LI'].includes(node.tagName)) element.setAttribute('dir', 'auto');
  to.append(element);
  copy(node, element);
}
