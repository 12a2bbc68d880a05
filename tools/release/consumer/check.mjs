// Bundles the entries with esbuild and Vite, and checks that each has the modules that it
// needs and no others.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {build as esbuild} from 'esbuild';
import {build as vite} from 'vite';

const wanted = {small: ['datachain'], server: ['lsp'], editor: ['lsp']};
for (const [name, modules] of Object.entries(wanted)) {
  await vite({
    configFile: false, logLevel: 'error', base: './', worker: {format: 'es'},
    build: {outDir: `out/${name}`, assetsInlineLimit: 0, target: 'es2022', rollupOptions: {input: `${name}.js`}},
  });
  const files = readdirSync(`out/${name}/assets`);
  const found = files.filter((f) => f.endsWith('.wasm')).map((f) => f.split('-')[0]);
  assert.deepEqual([...new Set(found)].sort(), modules, `${name}: ${files}`);
  console.log(`vite ${name}: ${files.join(' ')}`);

  await esbuild({entryPoints: [`${name}.js`], bundle: true, format: 'esm', outdir: `out/esbuild/${name}`, logLevel: 'error'});
}

// esbuild leaves addresses beside the bundle; the modules are imported as files.
await esbuild({
  stdin: {contents: "import wasm from '@datachain-go/wasm/datachain.wasm'; console.log(wasm);", resolveDir: '.'},
  bundle: true, format: 'esm', loader: {'.wasm': 'file'}, outdir: 'out/esbuild/file', logLevel: 'error',
});
assert.ok(readdirSync('out/esbuild/file').some((f) => f.endsWith('.wasm')));

// In Node, without a bundler.
const {load} = await import('@datachain-go/wasm');
const store = {index: async () => ({versions: []}), release: async () => assert.fail()};
assert.deepEqual((await load({store})).versions(), []);
const version = (name) => JSON.parse(readFileSync(`node_modules/@datachain-go/${name}/package.json`)).version;
assert.equal(version('wasm'), version('editor'));
process.exit(0); // the module waits for calls
