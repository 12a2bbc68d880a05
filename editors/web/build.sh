#!/usr/bin/env bash
# Bundles the editor into dist, with the other files that serve uses. Needs npm, and
# editors/wasm/dist.
set -euo pipefail
cd "$(dirname "$0")"

../../tools/npm-install
rm -rf dist
node_modules/.bin/esbuild src/editor.js src/worker.js --bundle --minify --format=esm --target=es2022 \
	--legal-comments=none --outdir=dist --log-level=warning
mkdir -p dist/types
cp ../wasm/index.d.ts ../wasm/lsp.d.ts dist/types/
cp ../wasm/dist/lsp.wasm ../../LICENSE dist/
# The licences of what is in the bundle.
for name in node_modules/@codemirror/* node_modules/@lezer/* node_modules/@marijn/* node_modules/{codemirror,crelt,marked,style-mod,w3c-keyname}; do
	printf '%s\n\n' "${name#node_modules/}"
	cat "$name"/LICENSE*
	printf '\n\n'
done >dist/LICENSES.txt
