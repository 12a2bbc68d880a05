// Talks to a server with the client that was generated from the description: if
// this compiles, the types hold, and if it runs, the server does.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type {components, paths} from './build/api.js';

const [baseUrl, documents] = process.argv.slice(2);
assert.ok(baseUrl && documents, 'usage: main.js URL FOLDER');
// The description says that values of a list stand between commas; this client
// has to be told.
const querySerializer = {array: {style: 'form', explode: false}} as const;
const client = createClient<paths>({baseUrl, headers: {'Service-Client': 'clienttest'}, querySerializer});

// The list of versions.
const schemas = await client.GET('/api/v2/schemas');
assert.ok(schemas.data?.ok);
const version = schemas.data.versions.find((v) => v.aliases.includes('sensor@latest'))?.id;
assert.ok(version);

// Reads, typed to the last field.
const path = {version: 'sensor@latest'};
const manifest = await client.GET('/api/v2/schemas/{version}/manifest', {params: {path}});
assert.equal(manifest.data?.version, version);
assert.equal(manifest.data.manifest.content_hash, manifest.response.headers.get('Service-Content-Hash'));
const categories = await client.GET('/api/v2/schemas/{version}/categories', {params: {path, query: {locales: ['en']}}});
const first: components['schemas']['Category'] | undefined = categories.data?.categories[0];
assert.ok(first?.name.every((text) => text.locale === 'en'));

// Every page of a list.
const seen = new Set<string>();
let cursor: string | null = null;
do {
  const query: {limit: number; cursor?: string; fields: string[]} = {limit: 7, fields: ['id', 'icon_variants'], ...(cursor ? {cursor} : {})};
  const page: {data?: components['schemas']['ElementList']} = await client.GET('/api/v2/schemas/{version}/elements', {params: {path, query}});
  assert.ok(page.data);
  page.data.elements.forEach((element) => seen.add(element.id));
  cursor = page.data.meta.next_cursor;
  if (!cursor) assert.equal(seen.size, page.data.meta.total);
} while (cursor);

// A search, an element, its icon.
const found = await client.GET('/api/v2/schemas/{version}/elements', {params: {path, query: {query: 'camera', limit: 1}}});
const element_id = found.data?.elements[0]?.id;
assert.ok(element_id);
const icon = await client.GET('/api/v2/schemas/{version}/elements/{element_id}/icon.{variant}.svg', {
  params: {path: {...path, element_id, variant: 'dark'}},
  parseAs: 'text',
});
assert.match(icon.data ?? '', /^<svg /);

// A document: validated, resolved, and validated again.
const document: components['schemas']['DatachainInstance'] = JSON.parse(await readFile(`${documents}/air-station.json`, 'utf8'));
const verdict = await client.POST('/api/v2/schemas/{version}/validate', {params: {path}, body: document});
assert.deepEqual(verdict.data, {ok: true, warnings: []});
const resolved = await client.POST('/api/v2/schemas/{version}/resolve', {params: {path}, body: document});
assert.ok(resolved.data && 'schema_snapshot' in resolved.data);
const again = await client.POST('/api/v2/schemas/{version}/validate_resolved', {params: {path}, body: resolved.data});
assert.equal(again.data?.ok, true);
const wrong = await client.POST('/api/v2/schemas/{version}/validate', {params: {path}, body: {...document, elements: [{element_id: 'purpose.nothing'}]}});
assert.ok(wrong.data && !wrong.data.ok);
assert.equal(wrong.data.errors[0]?.code, 'INSTANCE_ELEMENT_UNKNOWN');

// Failures are typed, too.
const missing = await client.GET('/api/v2/schemas/{version}/manifest', {params: {path: {version: 'sensor@lates'}}});
assert.equal(missing.response.status, 404);
assert.equal(missing.error?.errors[0]?.code, 'not_found');
assert.match(missing.error.errors[0].fix_hint ?? '', /sensor@latest/);
const malformed = await client.GET('/api/v2/schemas/{version}/elements', {params: {path, query: {cursor: 'nonsense'}}});
assert.equal(malformed.error?.errors[0]?.message, 'Invalid pagination cursor.');

console.log(`client: ${seen.size} elements of ${version}, documents and failures as described`);
