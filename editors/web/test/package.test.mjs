// The package as npm publishes it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {gzipSync} from 'node:zlib';

const root = new URL('..', import.meta.url);

test('npm pack has everything', async () => {
  const [{files}] = JSON.parse(execFileSync('npm', ['pack', '--json', '--silent', '--dry-run'], {cwd: root, encoding: 'utf8'}));
  assert.deepEqual(files.map((f) => f.path).sort(), [
    'CHANGELOG.md', 'README.md', 'dist/LICENSE', 'dist/LICENSES.txt', 'dist/editor.js', 'dist/lsp.wasm', 'dist/types/index.d.ts', 'dist/types/lsp.d.ts',
    'dist/worker.js', 'index.d.ts', 'package.json',
  ]);
});

test('the bundle is small', async () => {
  const bundle = await readFile(new URL('dist/editor.js', root));
  const size = gzipSync(bundle).length;
  console.log(`editor.js: ${bundle.length} bytes, ${size} with gzip`);
  assert.ok(size < 200_000, `${size} bytes with gzip`);
});
