// Verifies signed logs without any code of the Go packages: written from docs/log-format.md, with
// nothing but Node.js. vectors.mjs verifies the test vectors with it.
import { createHash, createPublicKey, verify } from 'node:crypto';

class Refused extends Error {
  constructor(reason, message) { super(`${reason}: ${message}`); this.reason = reason; }
}
export const need = (ok, reason, message) => { if (!ok) throw new Refused(reason, message); };

// Strict and canonical JSON (RFC 8785).

const strict = (v) => (typeof v === 'number' ? Math.abs(v) <= Number.MAX_SAFE_INTEGER : typeof v !== 'string' || v.isWellFormed());
export function parse(text, reason) {
  const names = [];
  let value, last = '';
  try {
    value = JSON.parse(text, (name, v) => { need(strict(v) && strict(name), reason, 'a number is too large, or a string is not Unicode'); return v; });
    for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
      if (token === '{' || token === '[') names.push(new Set());
      else if (token === '}' || token === ']') names.pop();
      else if (token === ':') {
        const name = JSON.parse(last);
        need(!names.at(-1).has(name), reason, `the member ${name} is repeated`);
        names.at(-1).add(name);
      }
      last = token;
    }
  } catch (e) {
    throw e instanceof Refused ? e : new Refused(reason, e.message);
  }
  return value;
}

function canonical(v) {
  if (Array.isArray(v)) return `[${v.map(canonical).join(',')}]`;
  if (v && typeof v === 'object') {
    return `{${Object.keys(v).sort().map((k) => `${canonical(k)}:${canonical(v[k])}`).join(',')}}`;
  }
  return JSON.stringify(v);
}

// Merkle trees (RFC 6962, SHA-256). Sizes stay below 2^53.

const sha256 = (...parts) => parts.reduce((h, p) => h.update(p), createHash('sha256')).digest();
export const leafHash = (data) => sha256(Buffer.of(0), data);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);
const named = (hash) => `sha256-${hash.toString('hex')}`;
const half = (n) => Math.floor(n / 2), odd = (n) => n % 2 === 1;

export function base64(text, reason) {
  const raw = Buffer.from(String(text), 'base64');
  need(raw.toString('base64') === text, reason, 'malformed base64');
  return raw;
}

// consistent checks that a newer tree only adds to an older one (RFC 9162, 2.1.4.2).
export function consistent(older, newer, path) {
  need(older.size <= newer.size, 'rollback', 'the log is shorter than it was');
  if (older.size === newer.size || older.size === 0) {
    need(older.size === 0 || older.root.equals(newer.root), 'fork', 'the log was rewritten');
    return;
  }
  let fn = older.size - 1, sn = newer.size - 1;
  const rest = [...path];
  if (Number.isInteger(Math.log2(older.size))) rest.unshift(older.root);
  while (odd(fn)) { fn = half(fn); sn = half(sn); }
  need(rest.length > 0, 'fork', 'the path is empty');
  let fr = rest.shift(), sr = fr;
  for (const c of rest) {
    need(sn > 0, 'fork', 'the path is too long');
    if (odd(fn) || fn === sn) {
      fr = nodeHash(c, fr); sr = nodeHash(c, sr);
      while (!odd(fn) && fn > 0) { fn = half(fn); sn = half(sn); }
    } else sr = nodeHash(sr, c);
    fn = half(fn); sn = half(sn);
  }
  need(sn === 0 && fr.equals(older.root) && sr.equals(newer.root), 'fork', 'the log was rewritten');
}

// Keys and signed notes (C2SP signed-note, tlog-checkpoint).

function parseKey(vkey) {
  const [, name, id, material] = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  need(name, 'trust', `malformed key ${vkey}`);
  const raw = base64(material, 'trust');
  need(raw.length === 33 && raw[0] === 1, 'trust', `the key ${name} must be an Ed25519 key of type 1`);
  need(sha256(`${name}\n`, raw).toString('hex', 0, 4) === id, 'trust', `the number of the key ${name} does not match`);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.subarray(1).toString('base64url') };
  return { name, id, key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

export function parseTrust(file) {
  need(Object.keys(file).every((name) => ['origin', 'keys'].includes(name)), 'trust', 'it has an unknown member');
  const keys = file.keys.map((k) => ({ ...parseKey(k.key), from: k.from ? Date.parse(k.from) : -Infinity, until: k.until ? Date.parse(k.until) : Infinity, replaced: Infinity }));
  return { origin: file.origin, keys };
}

// openNote returns the text of a note and the signatures of known keys, all of which match.
function openNote(note, known) {
  const split = note.lastIndexOf('\n\n');
  need(Buffer.byteLength(note) <= 65536 && split >= 0 && note.endsWith('\n') && !/[\0-\x09\x0b-\x1f]/.test(note), 'checkpoint', 'it is not a signed note');
  const text = note.slice(0, split + 1), found = new Set();
  for (const line of note.slice(split + 2, -1).split('\n')) {
    const [, name, signature] = /^\u2014 ([^+\s]+) (\S+)$/.exec(line) ?? [];
    need(name, 'checkpoint', 'a signature is malformed');
    const raw = Buffer.from(signature, 'base64');
    const k = known.find((one) => one.name === name && one.id === raw.toString('hex', 0, 4));
    if (!k || found.has(k)) continue;
    base64(signature, 'signature');
    need(verify(null, Buffer.from(text), k.key, raw.subarray(4)), 'signature', `that of ${name} does not match`);
    found.add(k);
  }
  return { text, found };
}

export function openCheckpoint(note, trust, at) {
  const { text, found } = openNote(note, trust.keys);
  const signed = trust.keys.filter((k) => found.has(k));
  need(signed.length > 0, 'unknown_key', 'no trusted key signed the checkpoint');
  const [origin, size, root, ...more] = text.split('\n');
  need(more.at(-1) === '' && more.slice(0, -1).every((line) => line) && /^(0|[1-9]\d{0,12})$/.test(size), 'checkpoint', 'it is malformed');
  need(origin === trust.origin, 'origin', `it is of the log ${origin}`);
  need(signed.some((k) => k.from <= at && at <= k.until && Number(size) < k.replaced), 'expired_key', 'the key is not valid at this time, or was replaced');
  const c = { origin, size: Number(size), root: base64(root, 'checkpoint'), signed: signed.map((k) => k.name) };
  need(c.root.length === 32, 'checkpoint', 'the root is malformed');
  return c;
}

// Entries of the log.

const fields = {
  publish: [['version', 'content_hash'], ['aliases', 'released', 'archive']],
  promote: [['version', 'content_hash', 'from'], ['aliases', 'released', 'archive']],
  retire: [['version', 'content_hash'], ['at', 'successor', 'reason', 'ids']],
  alias: [['version'], ['aliases']],
  deprecate: [['version'], ['deprecated', 'sunset', 'successor', 'reason']],
  evolution: [['type'], ['evolution']],
  publish_document: [['slug', 'document', 'edition'], []],
  withdraw_document: [['slug', 'document'], []],
  erase_document: [['slug', 'document', 'edition'], []],
  register: [['register'], []],
  key: [['key'], ['note']],
};

export function parseEntry(text) {
  const e = parse(text, 'entry');
  need(e && Object.hasOwn(fields, e.op), 'entry', 'the operation is unknown');
  const [required, optional] = fields[e.op];
  need(canonical(e) === text, 'entry', 'it is not canonical');
  need(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(e.time), 'entry', 'the time is malformed');
  need(required.every((f) => f in e), 'entry', 'a field is missing');
  need(Object.keys(e).every((f) => ['op', 'time', ...required, ...optional].includes(f) && e[f] && e[f].length !== 0), 'entry', 'a field is unknown or empty');
  return e;
}

// withKey adds the key that an entry introduces, if a trusted key signed the statement. That one
// is replaced, and signs no checkpoint that has the entry.
export function withKey(trust, e, index) {
  if (e.op !== 'key' || !e.note) return trust;
  const at = Date.parse(e.time), valid = trust.keys.filter((k) => k.from <= at && at <= k.until && index + 1 < k.replaced);
  let found;
  try {
    const opened = openNote(e.note, valid);
    need(opened.found.size && opened.text === `datachain key/v1\n${trust.origin}\n${e.key}\n${e.time}\n`, 'entry', 'another statement');
    found = opened.found;
  } catch { return trust; }
  const added = { ...parseKey(e.key), from: -Infinity, until: Infinity, replaced: Infinity }, same = (k) => k.name === added.name && k.id === added.id;
  const keys = trust.keys.map((k) => (found.has(k) && !same(k) ? { ...k, replaced: index + 1 } : k));
  return { ...trust, keys: keys.some(same) ? keys : [...keys, added] };
}

// Documents.

// logged returns the hashes by which a log knows a document: of its id, and of the edition.
export function logged(doc) {
  const rest = { ...doc };
  ['schema_snapshot', 'symbols'].forEach((key) => delete rest[key]);
  for (const key of ['suggested_elements', 'title', 'description']) {
    if (['null', '""', '[]', '{}'].includes(canonical(rest[key]))) delete rest[key];
  }
  return { document: named(sha256(doc.id)), edition: named(sha256(canonical(rest))) };
}
