// The JSON Schema of a version in an editor that has nothing installed: the language
// service of VS Code, which many editors use.
import assert from 'node:assert/strict';
import {before, test} from 'node:test';
import service from 'vscode-json-languageservice';
import {command, sampleDocuments} from './world.mjs';

let editor, ids;
before(async () => {
  const {stdout} = await command('schema', 'json-schema', 'ai@latest', '--samples', '--locale', 'fr');
  const schema = JSON.parse(stdout);
  ids = schema.else.properties.elements.items.properties.element_id.enum;
  editor = service.getLanguageService({clientCapabilities: service.ClientCapabilities.LATEST});
  editor.configure({validate: true, schemas: [{uri: 'schema://ai', fileMatch: ['*'], schema}]});
});

// at opens a document with the cursor at ¦.
async function at(marked) {
  const offset = marked.indexOf('¦');
  const document = service.TextDocument.create('file:///x.json', 'json', 1, marked.replace('¦', ''));
  const parsed = editor.parseJSONDocument(document);
  const position = document.positionAt(offset);
  const {items} = await editor.doComplete(document, position, parsed);
  return {
    items: Object.fromEntries(items.map((i) => [i.label, i])),
    hover: JSON.stringify((await editor.doHover(document, position, parsed))?.contents),
    problems: (await editor.doValidation(document, parsed)).map((d) => d.message),
  };
}

const placing = (placement) => `{"id":"x","schema_version":"ai@2026-11-15-stable","created_at":"2026-06-01T10:00Z","elements":[${placement}]}`;

test('completes whole placements by title', async () => {
  const {items} = await at(placing('¦'));
  const {insertText, textEdit} = items['Tri médical'];
  const text = textEdit?.newText ?? insertText;
  for (const part of ['"purpose.triage"', '${1|trial,in_use,ending|}', '"service"', '"locale": "fr"']) assert.ok(text.includes(part), text);
});

test('completes ids with titles', async () => {
  const {items} = await at(placing('{"element_id": "¦"}'));
  assert.equal(items['"purpose.triage"'].detail, 'Tri médical');
  assert.match(JSON.stringify(items['"purpose.triage"'].documentation), /À quoi il sert/);
  assert.deepEqual(Object.keys(items).sort(), ids.map((id) => JSON.stringify(id)).sort());
});

test('completes what the element has', async () => {
  const known = '"element_id": "purpose.triage"';
  assert.ok(!('context_type_id' in (await at(placing('{¦}'))).items));
  assert.ok('context_type_id' in (await at(placing(`{${known}, ¦}`))).items);
  assert.deepEqual(Object.keys((await at(placing(`{${known}, "context_type_id": ¦}`))).items), ['"trial"', '"in_use"', '"ending"']);
  assert.deepEqual(Object.keys((await at(placing(`{${known}, "variables": [{"id": ¦}]}`))).items), ['"service"', '"in_short"', '"benefit"', '"alternatives"', '"scale"']);
  assert.ok('text in fr' in (await at(placing(`{${known}, "variables": [{"id": "service", "value": ¦}]}`))).items);
});

test('shows titles on hover', async () => {
  assert.match((await at(placing('{"element_id": "purpose.tri¦age"}'))).hover, /Tri médical/);
});

test('reports what is missing', async () => {
  const {problems} = await at(placing('¦{"element_id": "purpose.triage", "variables": []}'));
  assert.ok(problems.includes('The variable service (Service où il est utilisé) is required.'), problems.join('\n'));
  assert.ok(problems.includes('The category decision (Qui décide) needs 1 to 3 placements.'), problems.join('\n'));
});

test('accepts valid documents', async () => {
  let checked = 0;
  for (const [name, text] of Object.entries(await sampleDocuments())) {
    if (name.startsWith('_invalid/') || !text.includes('ai@2026-11-15-stable')) continue;
    assert.deepEqual((await at(`¦${text}`)).problems, [], name);
    checked++;
  }
  assert.ok(checked > 2, `${checked} documents`);
});
