// Strings that try to be more than text. Each calls trap() if it succeeds.
export const attacks = [
  '"><script>trap()</script>', `'><img src=x onerror=trap()>`, '" onmouseover="trap()" x="', `' onfocus='trap()' autofocus='`,
  '</title></style></script><svg onload=trap()>', '<!--', '-->', ']]>', '</svg></main><iframe srcdoc="<script>parent.trap()</script>">',
  'javascript:trap()', 'java\tscript:trap()', 'data:text/html,<script>trap()</script>', 'https://a.example/"onclick="trap()', 'vbscript:trap()',
  '${trap()}', '`trap()`', '&lt;script&gt;trap()&lt;/script&gt;', '&#x3c;script>trap()</script>', '<details open ontoggle=trap()>',
  '\u202Ekcatta\u202C \u2066x\u2067y\u2068z\u2069', '\u2028\u2029\r\n', '#7D2E46" onload="trap()', 'url(javascript:trap())',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=trap()>', '<base href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=//evil.example">', '<a href=javascript:trap()>x</a>', '<style>@import "//evil.example"</style>',
  '<link rel=stylesheet href=//evil.example>', '<object data="javascript:trap()">', '<noscript><p title="</noscript><img src=x onerror=trap()>">',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=trap()>#x"></svg>', '<template><script>trap()</script></template>', '{{constructor.constructor("trap()")()}}',
];

// URLs that links must not have, and some that they may.
const addresses = ['javascript:trap()', 'JaVaScRiPt:trap()//https://a.example', 'data:text/html,<script>trap()</script>', 'https://a.example/?"onclick="trap()',
  'vbscript:trap()', 'https://user:secret@a.example/', '//evil.example', 'file:///etc/passwd', 'blob:https://a.example/x', 'https://a.example/fine', ' https://a.example/ fine '];

// Fields that must stay as they are for the document to be valid.
const fixed = /(^|_)(id|ids|refs|version|at|locale|shape|type|kind|confidence|categories|required|color|icon_variants|role|scheme|relation)$/;

// attacked returns JSON with a different attack after every free string. Some attacks are
// not valid in a taxonomy.
export function attacked(value, turn, taxonomy) {
  let n = turn * 5;
  const walk = (key, v) => {
    if (typeof v === 'string') {
      if (fixed.test(key)) return v;
      n++;
      if (key === 'url' || key === 'target') return addresses[n % addresses.length];
      const attack = attacks[n % attacks.length];
      return `${v} ${taxonomy && /\{\{|[\r\n]/.test(attack) ? attacks[0] : attack}`;
    }
    if (Array.isArray(v)) return v.every((x) => typeof x === 'string') && key === 'value' ? v : v.map((x) => walk(key, x));
    if (v === null || typeof v !== 'object') return v;
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, walk(k, x)]));
  };
  if (typeof value === 'string') n += value.length;
  return walk('', taxonomy || typeof value === 'string' ? value : rich(value));
}

// rich adds the fields that the sample document lacks.
function rich(doc) {
  const first = doc.elements[0];
  first.citation = 'cited';
  first.label = 'labelled';
  first.sources = addresses.map((url) => ({type: 'law', title: 'Law', url, citation: 'section'}));
  first.actions = ['email', 'url', 'phone', 'form', 'postal'].flatMap((type) => addresses.map((target) => ({type, label: 'Do it', target})));
  doc.authoring_provenance = {...doc.authoring_provenance, kind: 'ai_generated', model: 'Parrot', generated_at: '2026-01-01T00:00Z'};
  return doc;
}

// retired pins a version that is not published, so only the snapshot in the document is
// used.
export function retired(doc) {
  return {...doc, schema_version: 'ai@2001-01-01-stable'};
}
