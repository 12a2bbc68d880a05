// A taxonomy of any size, as authoring source.
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {output} from './datachain.mjs';

const syllables = ['ba', 'cor', 'di', 'fen', 'gu', 'hal', 'jo', 'kim', 'lu', 'mar', 'ne', 'pol', 'qui', 'ros', 'su', 'tam', 'ver', 'wo', 'xi', 'zen'];

// words returns a text that depends on a number only.
function words(seed, count) {
  let state = seed * 2654435761 % 4294967296;
  const next = (n) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor(state / 4294967296 * n);
  };
  return Array.from({length: count}, () => Array.from({length: 2 + next(2)}, () => syllables[next(syllables.length)]).join('')).join(' ');
}

// large writes two versions of a taxonomy of elements in ten categories, and returns the
// directory. Every hundredth element is reworded in the second version.
export async function large(elements, categories = 10) {
  const root = join(await output('sources'), `large-${elements}`);
  await rm(root, {recursive: true, force: true});
  for (const version of ['2026-09-01-stable', '2026-10-01-stable']) {
    const folder = join(root, 'large', version), later = version > '2026-09-02';
    for (const part of ['categories', 'elements', 'symbols']) await mkdir(join(folder, part), {recursive: true});
    const put = (file, value) => writeFile(join(folder, file), JSON.stringify(value));
    const text = (value) => [{locale: 'en', value}];
    const ids = Array.from({length: categories}, (_, i) => `c${i}`);
    await put('schema.json', {
      title: text('A large taxonomy'), description: text(words(1, 20)), locales: ['en'],
      datachain_type: {id: 'large', name: text('Large'), categories: ids, subchains: []},
    });
    for (const [i, id] of ids.entries()) {
      await put(`categories/${id}.json`, {id, name: text(words(i + 2, 2)), description: text(words(i + 3, 12)), shape: ['circle', 'hexagon', 'octagon', 'rounded-square'][i % 4]});
    }
    await writeFile(join(folder, 'symbols/dot.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="6" fill="currentColor"/></svg>');
    for (let i = 0; i < elements; i += 500) {
      await Promise.all(Array.from({length: Math.min(500, elements - i)}, (_, k) => {
        const n = i + k, category = ids[Math.floor(n * categories / elements)];
        return put(`elements/${category}.e${n}.json`, {
          id: `${category}.e${n}`, category_id: category, symbol_id: 'dot',
          title: text(words(n, 4) + (later && n % 100 === 0 ? ' again' : '')), description: text(words(n + 7, 24)),
        });
      }));
    }
  }
  return root;
}
