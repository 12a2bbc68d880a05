// The findings are those of the command, on all sample documents and conformance cases.
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {files, load} from '../index.js';
import {asCommand, caseDocuments, command, host, judged, sampleDocuments, samples, trail, written} from './world.mjs';

for (const [name, publish, read] of [['samples', samples, sampleDocuments], ['cases', trail, caseDocuments]]) {
  test(`findings of ${name}`, async (t) => {
    const store = await publish();
    const documents = await read();
    const static_ = await host(store);
    t.after(static_.stop);
    const datachain = await load({store: files(static_.url)});
    assert.ok(Object.keys(documents).length > 20);

    for (const strict of [false, true]) {
      const dir = await written(name, documents);
      const want = await judged(dir, store, ...(strict ? ['--strict'] : []));
      assert.equal(Object.keys(want).length, Object.keys(documents).length);
      for (const [file, text] of Object.entries(documents)) {
        const got = asCommand(await datachain.validate(text, {strict}));
        // In strict mode the command fails on warnings.
        if (strict) got.ok &&= got.issues.length === 0;
        assert.deepEqual(got, want[file], file);
      }
    }

    // What fix writes is what the command writes.
    const dir = await written(`${name}-fixed`, documents);
    const report = await judged(dir, store, '--fix');
    await command('validate', dir, '--store', store, '--fix', '--write');
    let changed = 0;
    for (const [file, text] of Object.entries(documents)) {
      const fixed = await datachain.fix(text);
      assert.equal(fixed.text, await readFile(join(dir, file), 'utf8'), file);
      assert.deepEqual(fixed.fixed, report[file].fixed ?? [], file);
      if (fixed.text !== text) changed++;
    }
    assert.ok(changed > 3, `${changed} were fixed`);
  });
}
