// A program that uses the whole interface. It is compiled, not run.
import {api, files, load, DatachainError, type Finding, type Store} from '../index.js';
import {startLanguageServer, type LanguageServer} from '../lsp.js';
import {serve} from '../lsp-worker.js';

export async function everything(text: string): Promise<string[]> {
  const own: Store = {index: async () => '{"versions":[]}', release: async ({id, archive}) => archive ?? id};
  const datachain = await load({store: Math.random() < 0.5 ? api('https://example.org') : files(new URL('https://example.org'), {headers: {a: 'b'}})});
  await load({store: own, wasm: fetch('datachain.wasm')});
  const manifest = await datachain.open(datachain.versions()[0]!.id);
  try {
    const issues: Finding[] = (await datachain.validate(text, {strict: true, version: manifest.id})).issues;
    const fixed = await datachain.fix({id: 'x'});
    const resolved = await datachain.resolve(new Uint8Array());
    const {text: moved, report} = await datachain.upgrade(text, {to: 'ai@latest', from: 'ai@2026-09-01-beta', drop: true});
    const left: string[] = (report?.entries ?? []).filter((e) => e.class !== 'done').map((e) => `${moved.length} ${e.path ?? e.old_path} ${e.message}`);
    const page = await datachain.search('ai@latest', 'hospital', {locale: 'en', fields: ['all'], limit: 3});
    const svg = await datachain.icon(page.version, page.elements[0]!.id, 'dark');
    const rendered = await datachain.render(text, {locale: 'fr'});
    return [...left, ...issues.map((i) => `${i.code} ${i.range.start.utf16}`), fixed.text, resolved.document ?? '', svg, rendered.html ?? '', page.meta.next_cursor ?? ''];
  } catch (e) {
    if (e instanceof DatachainError) return [e.code, e.fix_hint ?? '', ...(e.known ?? [])];
    throw e;
  }
}

export async function editing(): Promise<void> {
  const server: LanguageServer = await startLanguageServer({store: api('https://example.org'), origin: 'example.org', baseURL: 'https://example.org', wasm: new URL('https://example.org/lsp.wasm')});
  server.transport.subscribe((message: string) => console.log(message));
  server.transport.send('{}');
  await server.refresh();
  server.stop();
  const {port1, port2} = new MessageChannel();
  serve(port2);
  await startLanguageServer({store: api('https://example.org'), worker: port1});
  await startLanguageServer({store: api('https://example.org'), worker: () => new Worker('lsp-worker.js', {type: 'module'})});
}
