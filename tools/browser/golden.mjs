// Golden screenshots: pictures that are compared with committed ones.
//
// UPDATE=1 writes them instead. Look at each one before committing it.
import assert from 'node:assert/strict';
import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import pixelmatch from 'pixelmatch';
import {PNG} from 'pngjs';
import UPNG from 'upng-js';
import {here, output} from './datachain.mjs';

export const update = process.env.UPDATE === '1';

// Pictures are compared square by square: a change of one place is not lost in a large
// picture. In each square a few pixels may differ, because browsers smooth edges differently
// on different processors.
const side = 48;

// exact is for drawings, and smooth for pages with text: pixels that differ only in how an
// edge was smoothed are ignored, and colours are those of a palette.
export const exact = {threshold: 0.04, includeAA: true, tolerated: 4};
export const smooth = {threshold: 0.02, includeAA: false, tolerated: 24};

// squares lists the squares with more than the tolerated differences.
function squares(mask, {width, height}, tolerated) {
  const found = [];
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      let n = 0;
      for (let j = y; j < Math.min(y + side, height); j++) {
        for (let i = x; i < Math.min(x + side, width); i++) n += mask[(j * width + i) * 4 + 3] > 0;
      }
      if (n > tolerated) found.push(`${n} pixels at ${x},${y}`);
    }
  }
  return found;
}

// differences compares two pictures of the same size, and returns the squares that differ and
// a picture of the pixels that do.
export function differences(want, got, {tolerated, ...options}) {
  const mask = new PNG({width: want.width, height: want.height});
  pixelmatch(want.data, got.data, mask.data, want.width, want.height, {...options, diffMask: true});
  return {found: squares(mask.data, want, tolerated), mask};
}

// palette writes a picture with at most 256 colours, which takes a third of the space.
export const palette = ({data, width, height}) => Buffer.from(UPNG.encode([new Uint8Array(data).buffer], width, height, 256));

// colours writes a picture with all its colours.
const colours = (png) => PNG.sync.write(png, {colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0});

// alike compares a screenshot with its golden one. If they differ, it fails, and saves the
// screenshot, the golden one and what differs in a directory below build.
export async function alike(group, name, screenshot, how = exact) {
  const golden = join(here, 'golden', `${name}.png`), got = PNG.sync.read(screenshot);
  if (update) {
    await mkdir(join(golden, '..'), {recursive: true});
    const small = palette(got), same = () => differences(PNG.sync.read(small), got, how).found.length === 0;
    await writeFile(golden, how !== exact && same() ? small : colours(got)); // some have too many colours for a palette
  }
  const bytes = await readFile(golden), want = PNG.sync.read(bytes);
  const sameSize = got.width === want.width && got.height === want.height;
  const {found, mask} = sameSize ? differences(want, got, how) : {found: [`${got.width}×${got.height} instead of ${want.width}×${want.height} pixels`]};
  const folder = await output(join(group, dirname(name)));
  const file = (kind) => join(folder, `${basename(name)}.${kind}.png`);
  const files = {expected: bytes, actual: screenshot, difference: mask && PNG.sync.write(mask)};
  const saved = [];
  for (const [kind, data] of Object.entries(files)) {
    if (found.length === 0 || !data) {
      await rm(file(kind), {force: true}); // of an earlier run
      continue;
    }
    await writeFile(file(kind), data);
    saved.push(`  ${kind}: ${relative(process.cwd(), file(kind))}`);
  }
  assert.equal(found.length, 0, `${name} looks different: ${found.slice(0, 5).join('; ')}.
${saved.join('\n')}\nIf this is intended, run "make browser-update" and look at ${relative(process.cwd(), golden)}.`);
}
