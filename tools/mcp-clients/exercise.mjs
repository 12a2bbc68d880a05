// All that a client can ask of the server. The clients check what they get, too:
// every result against the output schema that its tool declares.
import assert from 'node:assert/strict';
import {datachain, title} from './server.mjs';

export const viewURI = 'ui://service/datachain/view.html';
export const tools = ['get_element', 'get_elements', 'get_icon_url', 'get_schema', 'list_categories', 'list_elements', 'list_mappings',
  'list_schema_versions', 'render_datachain', 'resolve_datachain', 'upgrade_datachain', 'validate_datachain', 'validate_resolved'];
export const prompts = ['describe_system', 'explain_datachain', 'review_datachain'];

const version = datachain.schema_version;

// exercise uses a connected client, and returns how many things it checked. Where
// there are no sessions, another client may have rendered before.
export async function exercise(client, {sessions}) {
  let checks = 0;
  const check = (fact, what) => {
    checks++;
    assert.ok(fact, what);
  };
  const equal = (got, want, what) => {
    checks++;
    assert.deepEqual(got, want, what);
  };
  // call returns the envelope, which is the text, too.
  const call = async (name, args, wantError = false) => {
    const result = await client.callTool({name, arguments: args});
    equal(Boolean(result.isError), wantError, `${name}: isError`);
    equal(JSON.parse(result.content[0].text), result.structuredContent, `${name}: text and structured content`);
    return result.structuredContent;
  };
  const ok = async (name, args) => {
    const answer = await call(name, args);
    equal(answer.ok, true, `${name}: ${JSON.stringify(answer.errors)}`);
    return answer;
  };
  const fails = async (name, args, code, wantError) => {
    const answer = await call(name, args, wantError);
    equal([answer.ok, answer.errors[0].code], [false, code], name);
    return answer;
  };

  await lists(client, equal);
  await reads({ok, check, equal});
  await failures({fails, equal});
  await documents({ok, equal});
  await view(client, {ok, check, equal, sessions});
  await asks(client, {check, equal});
  return checks;
}

async function lists(client, equal) {
  equal((await client.listTools()).tools.map((t) => t.name).sort(), tools, 'tools');
  equal((await client.listPrompts()).prompts.map((p) => p.name).sort(), prompts, 'prompts');
  equal((await client.listResources()).resources.map((r) => r.uri), [viewURI], 'resources');
}

async function reads({ok, check, equal}) {
  const {versions} = (await ok('list_schema_versions', {})).data;
  check(versions.some((v) => v.id === version), 'the pinned version is listed');
  const schema = await ok('get_schema', {version, include: 'full'});
  equal(schema.meta.content_hash, schema.data.manifest.content_hash, 'content hash');
  check(Object.keys(schema.data.symbols).length > 0, 'symbols');
  equal((await ok('list_categories', {version, locales: ['fr']})).data.categories[0].name.map((t) => t.locale), ['fr'], 'locales');

  const all = [];
  for (let cursor; ;) {
    const page = await ok('list_elements', {version, limit: 20, ...(cursor ? {cursor} : {})});
    all.push(...page.data.elements.map((e) => e.id));
    cursor = page.meta.next_cursor;
    if (!cursor) break;
  }
  equal(all, schema.data.elements.map((e) => e.id), 'pages');
  const found = await ok('list_elements', {version, query: 'housing benefit', fields: 'all'});
  equal(found.data.elements[0].id, 'purpose.benefits', 'search');
  equal((await ok('get_element', {version, element_id: all[0]})).data.element.id, all[0], 'get_element');
  equal(Object.keys((await ok('get_elements', {version, element_ids: all.slice(0, 3)})).data.elements), all.slice(0, 3), 'get_elements');
  const icon = (await ok('get_icon_url', {version, element_id: all[0], variant: 'dark'})).data;
  equal(icon.variant, 'dark', 'variant');
  check((await (await fetch(icon.url)).text()).includes('<svg'), 'the icon is there');
}

async function failures({fails, equal}) {
  await fails('get_element', {version, element_id: 'nothing'}, 'element_not_found', true);
  await fails('get_element', {version: 'ai@2001-01-01-stable', element_id: 'x'}, 'unknown_version', true);
  await fails('get_element', {version: 'no version', element_id: 'x'}, 'invalid_arguments', true);
  await fails('list_elements', {version, limit: 'many'}, 'invalid_arguments', true);
  await fails('get_icon_url', {version, element_id: 'purpose.benefits', variant: 'pink'}, 'unknown_variant', true);
  const some = await fails('get_elements', {version, element_ids: ['purpose.benefits', 'nothing']}, 'element_not_found', false);
  equal(some.data.elements.nothing, null, 'a miss');
  const wrong = {...datachain, elements: datachain.elements.slice(1)};
  for (const name of ['validate_datachain', 'resolve_datachain', 'render_datachain']) {
    await fails(name, {version, datachain: wrong}, 'REQUIRED_CATEGORY_MISSING', false);
  }
  await fails('validate_datachain', {version, datachain: {}}, 'parse_error', false);
}

async function documents({ok, equal}) {
  await ok('validate_datachain', {version, datachain});
  const upgraded = (await ok('upgrade_datachain', {to: version, datachain})).data;
  equal(upgraded.report.changed, false, 'a document of this version needs nothing');
  const resolved = (await ok('resolve_datachain', {version, datachain})).data;
  equal(resolved.elements, datachain.elements, 'placements come back as sent');
  await ok('validate_resolved', {version, datachain: resolved});
}

async function view(client, {ok, check, equal, sessions}) {
  const read = async () => (await client.readResource({uri: viewURI})).contents[0];
  if (sessions) check((await read()).text.includes('<title>datachain (awaiting tool call)</title>'), 'placeholder');
  const {data} = await ok('render_datachain', {version, datachain});
  equal([data.resource_uri, data.element_count], [viewURI, datachain.elements.length], 'render_datachain');
  const page = await read();
  equal(page.mimeType, 'text/html;profile=mcp-app', 'mimeType');
  check(page.text.includes(`<title>${title}</title>`), 'the page');
  await assert.rejects(client.readResource({uri: 'ui://service/nothing'}), 'an unknown resource');
}

async function asks(client, {check, equal}) {
  const asked = await client.getPrompt({name: 'describe_system', arguments: {type: 'ai', description: 'A chat assistant of the library', language: 'fr'}});
  check(asked.messages.length > 0 && asked.messages.some((m) => m.content.text?.includes('A chat assistant of the library')), 'prompt');
  await assert.rejects(client.getPrompt({name: 'describe_system', arguments: {}}), /type/, 'a prompt without its arguments');
  const {completion} = await client.complete({ref: {type: 'ref/prompt', name: 'review_datachain'}, argument: {name: 'version', value: 'sensor@'}});
  equal(completion.values.every((v) => v.startsWith('sensor@')) && completion.values.length > 0, true, 'completion');
}
