// The other operations answer as the command and the server do.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {api, DatachainError, files, load} from '../index.js';
import {build, command, host, sampleDocuments, samples, serve, written} from './world.mjs';

let store, server, documents, datachain;
before(async () => {
  store = await samples();
  server = await serve(store);
  documents = await sampleDocuments();
  datachain = await load({store: api(server.url)});
});
after(() => server?.stop());

const get = async (path) => (await fetch(`${server.url}/api/v2/${path}`)).text();

test('resolve', async () => {
  const dir = await written('resolve', documents);
  let resolved = 0;
  for (const [name, text] of Object.entries(documents)) {
    if (name.startsWith('_invalid/') || name.endsWith('.resolved.json')) continue;
    const {ok, document} = await datachain.resolve(text);
    assert.ok(ok, name);
    assert.equal(document.trim(), (await command('resolve', join(dir, name), '--store', store)).stdout.trim(), name);
    resolved++;
  }
  assert.ok(resolved >= 5);
  const wrong = await datachain.resolve(documents['_invalid/INSTANCE_ELEMENT_UNKNOWN.json']);
  assert.equal(wrong.ok, false);
  assert.equal(wrong.document, undefined);
  assert.equal(wrong.issues[0].code, 'INSTANCE_ELEMENT_UNKNOWN');
});

test('upgrade', async () => {
  const dir = await written('upgrade', documents);
  const to = 'ai@latest-beta';
  let changed = 0;
  for (const [name, text] of Object.entries(documents)) {
    if (name.startsWith('_invalid/') || !text.includes('"ai@')) continue;
    const {files: [want]} = JSON.parse((await command('upgrade', join(dir, name), '--to', to, '--store', store, '--format', 'json')).stdout);
    const {ok, text: moved, report} = await datachain.upgrade(text, {to});
    assert.deepEqual(report, want.report, name);
    assert.equal(moved, want.text ?? text, name);
    assert.equal(ok, report.counts.needs_person + report.counts.cannot === 0, name);
    const again = await datachain.upgrade(moved, {to});
    assert.equal(again.text, moved);
    assert.equal(again.report.changed, false);
    changed += report.changed;
  }
  assert.ok(changed > 0);
  const broken = await datachain.upgrade('{', {to});
  assert.deepEqual([broken.ok, broken.text, broken.report], [false, '{', undefined]);
  assert.equal(broken.issues[0].code, 'bad_request');
  await assert.rejects(datachain.upgrade(documents['benefits.json'], {}), {code: 'bad_request', name: 'DatachainError'});
  await assert.rejects(datachain.upgrade(documents['benefits.json'], {to: 'sensor@latest'}), {code: 'bad_request'});
});

test('render', async () => {
  const dir = await written('render', documents);
  for (const name of ['benefits.json', 'benefits.resolved.json', 'air-station-suggestion.resolved.json']) {
    for (const locale of ['en', 'fr']) {
      const {html, element_count} = await datachain.render(documents[name], {locale});
      const out = join(build, 'rendered.html');
      await command('render', join(dir, name), '--store', store, '--locale', locale, '-o', out);
      assert.equal(html, await readFile(out, 'utf8'), `${name} ${locale}`);
      assert.ok(element_count > 0);
    }
  }
  assert.equal((await datachain.render(documents['_invalid/parse_error.json'], {version: 'ai@latest'})).html, undefined);
});

test('search', async () => {
  for (const [query, options, path] of [
    ['hospital', {}, 'query=hospital'],
    ['hôpital', {locale: 'fr', fields: ['id', 'title'], locales: ['fr']}, 'query=h%C3%B4pital&locale=fr&fields=id,title&locales=fr'],
    ['', {category_id: 'rights', limit: 2, fields: ['all']}, 'category_id=rights&limit=2&fields=all'],
  ]) {
    const {ok, ...want} = JSON.parse(await get(`schemas/ai@latest/elements?${path}`));
    assert.ok(ok);
    assert.deepEqual(await datachain.search('ai@latest', query, options), want);
  }
});

test('icon', async () => {
  const {elements} = await datachain.search('sensor@latest', '', {limit: 200, fields: ['icon_variants']});
  assert.ok(elements.length > 20);
  for (const {id, icon_variants} of elements.slice(0, 10)) {
    for (const variant of icon_variants) {
      assert.equal(await datachain.icon('sensor@latest', id, variant), await get(`schemas/sensor@latest/elements/${id}/icon.${variant}.svg`));
    }
  }
  assert.equal(await datachain.icon('sensor@latest', elements[0].id), await get(`schemas/sensor@latest/elements/${elements[0].id}/icon.svg`));
});

test('a value in place of a text', async () => {
  assert.ok((await datachain.validate(JSON.parse(documents['benefits.json']))).ok);
  assert.ok((await datachain.validate(new TextEncoder().encode(documents['benefits.json']))).ok);
  assert.ok((await datachain.validate(new TextEncoder().encode(documents['benefits.json']).buffer)).ok);
  for (const wrong of [5, true, null, []]) {
    assert.deepEqual(await datachain.validate(wrong), await datachain.validate(JSON.stringify(wrong)));
  }
});

test('a store that gives values', async (t) => {
  const site = await host(store);
  t.after(site.stop);
  const published = files(site.url);
  const parsed = async (text) => JSON.parse(new TextDecoder().decode(await text));
  const odd = await load({store: {
    index: () => parsed(published.index()),
    release: async (needed) => (await published.release(needed)).buffer,
  }});
  assert.ok((await odd.validate(documents['benefits.json'])).ok);
  const error = await load({store: {index: async () => 5}}).then(() => assert.fail(), (e) => e);
  assert.ok(error instanceof DatachainError, String(error));
});

test('errors have the codes of the server', async () => {
  for (const [call, path] of [
    [() => datachain.search('ai@lates', ''), 'schemas/ai@lates/elements'],
    [() => datachain.search('ai', ''), 'schemas/ai/elements'],
    [() => datachain.search('ai@latest', '', {limit: 1000}), undefined],
    [() => datachain.search('ai@latest', '', {cursor: 'nonsense'}), 'schemas/ai@latest/elements?cursor=nonsense'],
    [() => datachain.search('ai@latest', 'x', {locale: '!'}), 'schemas/ai@latest/elements?query=x&locale=!'],
    [() => datachain.icon('ai@latest', 'purpose.triage', 'nope'), 'schemas/ai@latest/elements/purpose.triage/icon.nope.svg'],
    [() => datachain.icon('ai@latest', 'purpose.triag'), 'schemas/ai@latest/elements/purpose.triag/icon.svg'],
    [() => datachain.resolve('{'), undefined],
    [() => datachain.search('ai@latest', '', {limit: 'many'}), undefined],
  ]) {
    const error = await call().then(() => assert.fail(path), (e) => e);
    assert.ok(error instanceof DatachainError, String(error));
    const want = path ? JSON.parse(await get(path)).errors[0] : {code: 'bad_request'};
    assert.equal(error.code, want.code);
    if (path) assert.deepEqual([error.message, error.fix_hint], [want.message, want.fix_hint]);
  }
});

test('releases are loaded once, and verified', async (t) => {
  const static_ = await host(await samples());
  t.after(static_.stop);
  const asked = [];
  const counting = async (url, options) => {
    asked.push(String(url));
    return fetch(url, options);
  };
  const lazy = await load({store: files(static_.url, {fetch: counting})});
  assert.equal(asked.length, 1);
  const verdicts = await Promise.all([1, 2, 3].map(() => lazy.validate(documents['benefits.json'])));
  assert.ok(verdicts.every((v) => v.ok));
  assert.equal(asked.filter((u) => u.endsWith('.zip')).length, 1);
  assert.equal(asked.length, 2, 'the index and an archive');
  await lazy.open('sensor@latest');
  const before = asked.length;
  await lazy.refresh();
  await lazy.validate(documents['benefits.json']);
  assert.equal(asked.length, before + 1, 'what did not change is kept');

  const tampering = async (url, options) => {
    const response = await fetch(url, options);
    if (!String(url).endsWith('.zip') || !response.ok) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    bytes[bytes.length - 20] ^= 1;
    return new Response(bytes);
  };
  const tampered = await load({store: files(static_.url, {fetch: tampering})});
  await assert.rejects(tampered.open('ai@latest'), {code: 'upstream_error', name: 'DatachainError'});
  await assert.rejects(load({store: files(`${static_.url}nothing`)}), {code: 'upstream_error', name: 'DatachainError'});
});

test('a beta that changes is loaded again', async () => {
  const other = await api(server.url);
  const index = JSON.parse(new TextDecoder().decode(await other.index()));
  const stale = structuredClone(index);
  stale.versions.find((v) => v.id === 'ai@2026-11-18-beta').content_hash = `sha256-${'1'.repeat(64)}`;
  let reads = 0;
  const changing = await load({store: {index: async () => JSON.stringify(reads++ === 0 ? stale : index), release: other.release}});
  assert.equal((await changing.open('ai@latest-beta')).id, 'ai@2026-11-18-beta');
  assert.equal(reads, 2);
});

