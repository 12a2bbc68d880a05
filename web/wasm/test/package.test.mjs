// The size of the module, and the package as npm publishes it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {brotliCompressSync, constants} from 'node:zlib';
import {build, host, root, samples} from './world.mjs';

const package_ = join(root, 'web/wasm');

// budget is the size of the module as a page downloads it.
const budget = 2_300_000;

test('the module fits its budget', async () => {
  const module = await readFile(join(package_, 'dist/datachain.wasm'));
  // Compressing takes half a minute, so the size of a module is remembered.
  const note = join(build, `size-${createHash('sha256').update(module).digest('hex')}.txt`);
  let size = Number(await readFile(note, 'utf8').catch(() => '0'));
  if (!size) {
    size = brotliCompressSync(module, {params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: module.length,
    }}).length;
    await mkdir(build, {recursive: true});
    await writeFile(note, String(size));
  }
  console.log(`datachain.wasm: ${module.length} bytes, ${size} with brotli`);
  assert.ok(size <= budget, `${size} bytes with brotli; the budget is ${budget}`);
});

test('npm pack has everything', async (t) => {
  const dir = join(build, 'packed');
  await rm(dir, {recursive: true, force: true});
  await mkdir(dir, {recursive: true});
  const [{filename, files}] = JSON.parse(execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', dir], {cwd: package_, encoding: 'utf8'}));
  assert.deepEqual(files.map((f) => f.path).sort(), [
    'README.md', 'dist/LICENSE', 'dist/datachain.wasm', 'dist/wasm_exec.js', 'index.d.ts', 'index.js', 'package.json', 'stores.js',
  ]);
  execFileSync('tar', ['-xzf', join(dir, filename), '-C', dir]);
  const store = await host(await samples());
  t.after(store.stop);
  const {files: published, load} = await import(join(dir, 'package/index.js'));
  const datachain = await load({store: published(store.url)});
  assert.equal((await datachain.open('ai@latest')).status, 'stable');
});
