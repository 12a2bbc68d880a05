// The verifier says what the command says, in Node.
import assert from 'node:assert/strict';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {before, test} from 'node:test';
import {DatachainError, loadVerifier} from '../verify.js';
import {build, command, root} from './world.mjs';

const dir = join(build, 'verify'), at = (name) => join(dir, name);
let verify;
before(async () => {
  await rm(dir, {recursive: true, force: true});
  await run('schema', 'publish', join(root, 'examples/taxonomies'), '--store', at('store'));
  for (const name of ['trust', 'other']) await writeFile(at(`${name}.json`), await run('log', 'keys', 'new', 'example.org/log', '--out', at(`${name}.key`)));
  await run('log', 'adopt', '--store', at('store'), '--key', at('trust.key'));
  await run('resolve', join(root, 'examples/documents/benefits.json'), '--store', at('store'), '--symbols', '--proof', at('doc.proof.json'), '--out', at('doc.json'));
  verify = await loadVerifier();
});

// run runs a command that must not fail.
async function run(...args) {
  const {code, stdout, stderr} = await command(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

// both verifies files with the module and with the command, and returns the report.
async function both(doc, proof, trust, snapshot = false) {
  const {stdout} = await command('verify', at(doc), '--proof', at(proof), '--trust', at(trust), '--format', 'json', ...(snapshot ? ['--snapshot'] : []));
  const {advice, text, proven, claimed, ...report} = verify(await readFile(at(doc)), {proof: await readFile(at(proof)), trust: await readFile(at(trust)), snapshot});
  assert.deepEqual(report, JSON.parse(stdout), `${doc} ${proof} ${trust}`);
  return {advice, text, proven, claimed, ...report};
}

test('a document whose snapshot is proven', async () => {
  const report = await both('doc.json', 'doc.proof.json', 'trust.json', true);
  assert.deepEqual([report.ok, report.scope], [true, 'snapshot']);
  assert.equal(report.text, await run('verify', at('doc.json'), '--trust', at('trust.json'), '--snapshot'));
  for (const {what, why} of [...report.proven, ...report.claimed, ...report.not_proven]) {
    assert.ok(report.text.includes(`  ${what}`) && report.text.includes(` ${why}\n`), `${what} ${why}`);
  }
  // That is not enough unless it is asked for.
  const part = await both('doc.json', 'doc.proof.json', 'trust.json');
  assert.deepEqual([part.ok, part.scope, part.text], [false, 'snapshot', report.text]);
  assert.match(part.error, /only the schema snapshot is proven/);
  assert.match(part.advice, /from the register/);
});

test('a proof in the document, and files as values', async () => {
  const [doc, proof, trust] = await Promise.all(['doc.json', 'doc.proof.json', 'trust.json'].map(async (name) => JSON.parse(await readFile(at(name), 'utf8'))));
  assert.equal(verify({...doc, proof}, {trust, snapshot: true}).ok, true);
  assert.match(verify(doc, {trust}).error, /has no member proof/);
});

test('a document that is proven', async () => {
  const {document, proof, trust} = JSON.parse(await readFile(join(root, 'trust/testdata/vectors.json'), 'utf8'));
  const report = verify(document, {proof, trust: trust.document});
  assert.deepEqual([report.ok, report.scope, report.edition.slug], [true, 'document', 'crossing']);
  assert.equal(verify(document.replace('Number 3', 'Number 4'), {proof, trust: trust.document}).ok, false);
});

test('what was changed, and who is not trusted', async () => {
  const doc = await readFile(at('doc.json'), 'utf8');
  await writeFile(at('changed.json'), doc.replace('Personal', 'Public'));
  const changed = await both('changed.json', 'doc.proof.json', 'trust.json');
  assert.deepEqual([changed.ok, changed.reason], [false, undefined]);
  assert.match(changed.advice, /were changed/);
  const stranger = await both('doc.json', 'doc.proof.json', 'other.json');
  assert.deepEqual([stranger.ok, stranger.reason], [false, 'unknown_key']);
  assert.match(stranger.advice, /does not have this publisher/);
  // Text that is not UTF-8 is refused as by the command, not repaired.
  await writeFile(at('broken.json'), Buffer.concat([Buffer.from(doc.slice(0, -1)), Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]));
  assert.equal((await both('broken.json', 'doc.proof.json', 'trust.json')).ok, false);
});

test('a trust file that is malformed', () => {
  for (const trust of ['', '{}', 'x']) assert.throws(() => verify('{}', {trust}), DatachainError, trust);
});
