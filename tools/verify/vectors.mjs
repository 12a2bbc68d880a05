// Verifies test vectors with verify.mjs: node vectors.mjs vectors.json. Each must hold, or be
// refused for its reason.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { base64, consistent, leafHash, logged, need, openCheckpoint, parse, parseEntry, parseTrust, withKey } from './verify.mjs';

function verifyVectors(v) {
  const at = Date.parse(v.at), trusts = Object.fromEntries(Object.entries(v.trust).map(([name, file]) => [name, parseTrust(file)]));
  const tree = ({ size, root }) => ({ size, root: base64(root, 'checkpoint') });
  const checks = {
    trust_files: (x) => parseTrust(parse(x.file, 'trust')),
    entries: (x) => need(parseEntry(x.entry) && (x.reason || leafHash(x.entry).toString('base64') === x.leaf), 'entry', 'the leaf differs'),
    checkpoints: (x) => {
      const trust = (x.keys ?? []).reduce((t, key) => withKey(t, parseEntry(key.entry), key.index), trusts[x.trust]);
      const c = openCheckpoint(x.note, trust, Date.parse(x.at ?? v.at));
      need(x.reason || c.size === x.size, 'checkpoint', 'the size differs');
    },
    consistency: (x) => consistent(tree(x.older), tree(x.newer), x.path.map((hash) => base64(hash, 'fork'))),
    tiles: (x) => { // a bundle of entries hashes to the tile of level 0
      const bundle = base64(x.entries, 'tile'), leaves = [];
      for (let i = 0; i < bundle.length;) { const end = i + 2 + bundle.readUInt16BE(i); leaves.push(leafHash(bundle.subarray(i + 2, end))); i = end; }
      need(Buffer.concat(leaves).equals(base64(x.hashes, 'tile')), 'tile', 'the hashes differ');
    },
    editions: (x) => {
      const { document, edition } = logged(parse(x.text, 'edition'));
      need(document === x.document && edition === x.edition, 'edition', `the hashes are ${document} and ${edition}`);
    },
  };
  let failed = 0, count = 0;
  for (const [kind, check] of Object.entries(checks)) {
    for (const [i, one] of (v[kind] ?? []).entries()) {
      let reason = '';
      try { check(one); } catch (e) { reason = e.reason ?? `crash: ${e.stack}`; }
      count++;
      if (reason !== (one.reason ?? '') && !(one.reason === 'refused' && reason && !reason.startsWith('crash'))) { failed++; console.error(`${kind}[${i}] ${one.about ?? ''}: got "${reason}", want "${one.reason ?? ''}"`); }
    }
  }
  need(count > 0 && failed === 0, 'vectors', `${failed} of ${count} vectors failed`);
  return `${count} vectors`;
}

try {
  for (const name of argv.slice(2)) console.log(`ok: ${verifyVectors(parse(readFileSync(name, 'utf8'), 'vectors'))}`);
} catch (e) {
  console.error(`refused: ${e.message}`);
  process.exitCode = 1;
}
