// The sizes of the modules, and the package as npm publishes it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';
import {build, host, root, samples} from './world.mjs';

const package_ = join(root, 'editors/wasm');

// budgets are the sizes of the modules as a page downloads them: hosts compress those of the
// package, and 'datachain site' compresses the one that searches a site.
const budgets = {
  'datachain.wasm': {how: 'brotli', most: 2_300_000},
  'lsp.wasm': {how: 'brotli', most: 2_800_000},
  'site.wasm': {how: 'gzip', most: 6_300_000},
};

// brotli returns the size of a module with brotli, or more if that is within the budget: the best
// quality takes half a minute instead of seconds, and saves 13 % of what quality 9 gives.
async function brotli(module, most) {
  const size = async (quality) => (await promisify(brotliCompress)(module, {params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: module.length,
  }})).length;
  const quick = Math.ceil(0.9 * await size(9));
  return quick <= most ? quick : size(constants.BROTLI_MAX_QUALITY);
}

const gzipped = async (module) => (await promisify(gzip)(module, {level: constants.Z_BEST_COMPRESSION})).length;

test('the modules fit their budgets', async () => {
  await Promise.all(Object.entries(budgets).map(async ([name, {how, most}]) => {
    const module = await readFile(join(package_, 'dist', name));
    const size = await (how === 'gzip' ? gzipped(module) : brotli(module, most));
    console.log(`${name}: ${module.length} bytes, ${size} with ${how}`);
    assert.ok(size <= most, `${name} has ${size} bytes with ${how}; the budget is ${most}`);
  }));
});

test('npm pack has everything', async (t) => {
  const dir = join(build, 'packed');
  await rm(dir, {recursive: true, force: true});
  await mkdir(dir, {recursive: true});
  const [{filename, files}] = JSON.parse(execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', dir], {cwd: package_, encoding: 'utf8'}));
  assert.deepEqual(files.map((f) => f.path).sort(), [
    'CHANGELOG.md', 'README.md', 'calls.js', 'dist/LICENSE', 'dist/datachain.wasm', 'dist/lsp.wasm', 'dist/wasm_exec.js', 'error.js', 'index.d.ts', 'index.js',
    'lsp-server.js', 'lsp-worker.d.ts', 'lsp-worker.js', 'lsp.d.ts', 'lsp.js', 'module.js', 'package.json', 'stores.js',
  ]);
  execFileSync('tar', ['-xzf', join(dir, filename), '-C', dir]);
  const store = await host(await samples());
  t.after(store.stop);
  const {files: published, load} = await import(join(dir, 'package/index.js'));
  const datachain = await load({store: published(store.url)});
  assert.equal((await datachain.open('ai@latest')).status, 'stable');
});
