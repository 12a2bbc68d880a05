// Taxonomies and documents with other texts than the examples: mirrored, to be read from
// right to left, or hostile.
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {datachain, documents, output, serve} from './datachain.mjs';

// texts returns JSON with change applied to every localized text.
export function texts(value, change) {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((t) => typeof t?.locale === 'string' && 'value' in t)) return change(value);
    return value.map((v) => texts(v, change));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, texts(v, change)]));
}

// releases returns the sample taxonomies, which it gets from a server the first time.
let samples;
const releases = () => samples ??= (async () => {
  const server = await serve();
  try {
    const get = async (path) => (await fetch(`${server.url}/api/v2/schemas${path}`)).json();
    return await Promise.all((await get('')).versions.map(({id}) => get(`/${id}/release`)));
  } finally {
    server.stop();
  }
})();

// source writes the sample taxonomies as authoring source, with other texts in some locales.
export async function source(name, locales, change) {
  const root = join(await output('sources'), name);
  await rm(root, {recursive: true, force: true});
  for (const release of await releases()) await write(root, release, locales, change);
  return root;
}

async function write(root, {manifest, datachain_type, categories, elements, symbols}, locales, change) {
  const folder = join(root, ...manifest.id.split('@'));
  for (const part of ['categories', 'elements', 'symbols']) await mkdir(join(folder, part), {recursive: true});
  const put = (file, v) => writeFile(join(folder, file), JSON.stringify(texts(v, (list) => change(list).filter((t) => locales.includes(t.locale)))));
  const {title, description, schemes} = manifest;
  await put('schema.json', {title, description, locales, schemes, datachain_type});
  for (const c of categories) await put(`categories/${c.id}.json`, c);
  for (const {icon_variants, ...e} of elements) {
    const inherited = categories.find((c) => c.id === e.category_id).variables ?? [];
    e.variables = e.variables.filter((v) => !inherited.some((i) => isDeepStrictEqual(i, v)));
    await put(`elements/${e.id}.json`, e);
  }
  for (const [id, svg] of Object.entries(symbols)) await writeFile(join(folder, `symbols/${id}.svg`), svg);
}

// page writes the page of a document after a change.
export async function page(folder, name, {change = (v) => v, locale, schemas, address, from = documents}) {
  const file = join(folder, `${name.replace(/\.json$/, '')}.${locale}`);
  await writeFile(`${file}.json`, JSON.stringify(change(JSON.parse(await readFile(join(from, name), 'utf8')))));
  await datachain('render', `${file}.json`, '--locale', locale, '-o', `${file}.html`, ...(schemas ? ['--schemas', schemas] : []), ...(address ? ['--address', address] : []));
  return `${file}.html`;
}

const letters = 'ابثدهفغحيجكلمنوبقرستعفوخيز';

// mirror adds the text in Arabic letters, so that the order of words can be checked without
// knowing Arabic.
export function mirror(list) {
  const {value} = list.find((t) => t.locale === 'en') ?? list[0];
  const mirrored = value.replace(/\{\{.*?\}\}|[a-z]/gi, (c) => letters[c.toLowerCase().charCodeAt(0) - 97] ?? c);
  return [{locale: 'en', value}, {locale: 'ar', value: mirrored}];
}

// stretch adds the text in German with the long words that German has: every second word is
// joined with the one before it.
export function stretch(list) {
  const {value} = list.find((t) => t.locale === 'en') ?? list[0];
  return [{locale: 'en', value}, {locale: 'de', value: value.replace(/([a-z]{4,}) ([a-z]{3,})/g, '$1$2')}];
}
