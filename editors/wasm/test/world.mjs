// The command, published taxonomies and documents that the tests compare with.
import {execFile, spawn} from 'node:child_process';
import {createReadStream, existsSync} from 'node:fs';
import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {dirname, extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {serve as serveWith} from '../../../tools/browser/serve.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const build = join(root, 'editors/wasm/build');

// own is a directory of this process: files of tests run at the same time.
const own = join(build, 'processes', String(process.pid));

// command runs datachain and returns what it printed, whatever the exit code.
export function command(...args) {
  return new Promise((resolve, reject) => {
    execFile(join(build, 'datachain'), args, {maxBuffer: 1 << 28}, (err, stdout, stderr) => {
      if (err && typeof err.code !== 'number') reject(err);
      else resolve({stdout, stderr, code: err?.code ?? 0});
    });
  });
}

// publish builds the releases of a source into a directory.
async function publish(dir, source, ...flags) {
  await rm(dir, {recursive: true, force: true});
  await mkdir(dirname(dir), {recursive: true});
  const {code, stderr} = await command('schema', 'publish', source, '--store', dir, ...flags);
  if (code !== 0) throw new Error(stderr);
  return dir;
}

export const samples = (dir = join(own, 'samples')) => publish(dir, join(root, 'examples/taxonomies'));
export const trail = (dir = join(own, 'trail')) => publish(dir, join(root, 'validate/testdata/taxonomy'));

// serve starts the server with a store.
export const serve = (store) => serveWith(join(build, 'datachain'), '--store', store);

const types = {'.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml'};

// host serves a directory as a static host does, with further headers. A function can
// answer some requests in its place.
export async function host(dir, headers = {}, answers = () => false) {
  const server = createServer((request, response) => {
    if (answers(request, response)) return;
    const path = join(dir, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!path.startsWith(dir) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {...headers, 'Content-Type': types[extname(path)] ?? 'application/octet-stream'});
    createReadStream(path).pipe(response);
  });
  // A connection must not end while a client that was busy for long wants to reuse it.
  server.keepAliveTimeout = 0;
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return {url: `http://127.0.0.1:${server.address().port}/`, stop};
}

// sampleDocuments returns the sample documents by name, the invalid ones too.
export async function sampleDocuments() {
  const documents = {};
  for (const folder of ['', '_invalid/']) {
    const dir = join(root, 'examples/documents', folder);
    for (const name of (await readdir(dir)).filter((f) => f.endsWith('.json')).sort()) {
      documents[folder + name] = await readFile(join(dir, name), 'utf8');
    }
  }
  return documents;
}

// caseDocuments returns the documents of the conformance cases, and texts that are not JSON.
export async function caseDocuments() {
  const dir = join(root, 'validate/testdata/cases');
  const documents = {};
  for (const name of (await readdir(dir, {recursive: true})).filter((f) => f.endsWith('.json')).sort()) {
    documents[name] = JSON.stringify(JSON.parse(await readFile(join(dir, name), 'utf8')).document, null, 2);
  }
  Object.assign(documents, {
    'syntax/half.json': '{"id": "x", "elements": [', 'syntax/twice.json': '{"id": 1, "id": 2}', 'syntax/empty.json': '',
    'syntax/emoji.json': '{"😀": "é", "schema_version": "trail@2026-03-01-stable", "elements": [{"x": "😀", "element_id": 7}]}',
  });
  return documents;
}

// written writes documents as files below a directory, and returns the directory.
export async function written(name, documents) {
  const dir = join(own, 'documents', name);
  await rm(dir, {recursive: true, force: true});
  for (const [file, text] of Object.entries(documents)) {
    await mkdir(dirname(join(dir, file)), {recursive: true});
    await writeFile(join(dir, file), text);
  }
  return dir;
}

// judged returns what the command says about each file below a directory, by name.
export async function judged(dir, store, ...flags) {
  const {stdout} = await command('validate', dir, '--store', store, '--format', 'json', ...flags);
  const all = {};
  for (const {file, ...said} of JSON.parse(stdout).files) all[file.slice(file.indexOf(dir) + dir.length + 1)] = said;
  return all;
}

// asCommand returns a verdict as the command prints it: columns in characters only.
export function asCommand({ok, kind, version, issues}) {
  const point = ({line, column, offset}) => ({line, column, offset});
  return {
    ok, ...(kind && {kind}), ...(version && {version}),
    issues: issues.map(({range, ...issue}) => ({...issue, range: {start: point(range.start), end: point(range.end)}})),
  };
}
