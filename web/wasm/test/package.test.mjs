// The size of the module, and the package as npm publishes it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {promisify} from 'node:util';
import {brotliCompress, constants} from 'node:zlib';
import {build, host, root, samples} from './world.mjs';

const package_ = join(root, 'web/wasm');

// budgets are the sizes of the modules as a page downloads them.
const budgets = {'datachain.wasm': 2_300_000, 'lsp.wasm': 2_800_000};

// compressed returns the size of a module with brotli, or one that is within the budget:
// compressing well saves a tenth, and takes half a minute instead of seconds.
async function compressed(module, budget) {
  const size = async (quality) => (await promisify(brotliCompress)(module, {params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: module.length,
  }})).length;
  const quick = await size(9);
  return quick <= budget ? quick : size(constants.BROTLI_MAX_QUALITY);
}

test('the modules fit their budgets', async () => {
  await Promise.all(Object.entries(budgets).map(async ([name, budget]) => {
    const module = await readFile(join(package_, 'dist', name));
    const size = await compressed(module, budget);
    console.log(`${name}: ${module.length} bytes, ${size} with brotli`);
    assert.ok(size <= budget, `${name} has ${size} bytes with brotli; the budget is ${budget}`);
  }));
});

test('npm pack has everything', async (t) => {
  const dir = join(build, 'packed');
  await rm(dir, {recursive: true, force: true});
  await mkdir(dir, {recursive: true});
  const [{filename, files}] = JSON.parse(execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', dir], {cwd: package_, encoding: 'utf8'}));
  assert.deepEqual(files.map((f) => f.path).sort(), [
    'README.md', 'calls.js', 'dist/LICENSE', 'dist/datachain.wasm', 'dist/lsp.wasm', 'dist/wasm_exec.js', 'error.js', 'index.d.ts', 'index.js',
    'lsp-worker.d.ts', 'lsp-worker.js', 'lsp.d.ts', 'lsp.js', 'module.js', 'package.json', 'stores.js',
  ]);
  execFileSync('tar', ['-xzf', join(dir, filename), '-C', dir]);
  const store = await host(await samples());
  t.after(store.stop);
  const {files: published, load} = await import(join(dir, 'package/index.js'));
  const datachain = await load({store: published(store.url)});
  assert.equal((await datachain.open('ai@latest')).status, 'stable');
});
