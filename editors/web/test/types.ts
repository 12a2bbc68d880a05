// A program that uses the whole interface. It is compiled, not run.
import {api, createEditor, startLanguageServer, type Editor} from '../index.js';

export async function everything(): Promise<string> {
  const server = await startLanguageServer({store: api('https://example.org')});
  const first: Editor = createEditor(document.body, {
    server, value: '{}', label: 'Document', locale: 'fr', theme: 'dark', cspNonce: 'x', uri: 'inmemory:///x.datachain.json',
    phrases: {Problems: 'Problèmes'}, onChange: (value) => console.log(value.length),
    onDiagnostics: (found) => console.log(found.map((d) => `${d.code} ${d.range.start.line} ${d.message}`)),
  });
  const second = createEditor(document.body, {languageServer: {store: api('https://example.org')}});
  await second.ready;
  second.value = first.value;
  first.format();
  second.focus();
  second.destroy();
  return second.kind;
}
