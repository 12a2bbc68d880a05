// Unpacks the layers of an image for a platform: node image.mjs LAYOUT ARCHITECTURE DIRECTORY.
// LAYOUT is the directory of an OCI layout.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const [layout, architecture, directory] = process.argv.slice(2);
const blob = ({digest}) => join(layout, 'blobs', digest.replace(':', '/'));
const read = (of) => JSON.parse(readFileSync(blob(of)));
const images = (index) => index.manifests.map(read).flatMap((m) => (m.manifests ? images(m) : [m]));

const image = images(JSON.parse(readFileSync(join(layout, 'index.json')))).find((i) => read(i.config).architecture === architecture);
for (const layer of image.layers) execFileSync('tar', ['-xzf', blob(layer), '-C', directory]);
console.log(read(image.config).config.User); // as it runs
