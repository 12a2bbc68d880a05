/** A schema version: a canonical id such as `ai@2026-11-15-stable`, or an alias such as `ai@latest`. */
export type Version = string;

/** A datachain: JSON as text or bytes, or a value, whose findings then refer to `JSON.stringify(value)`. */
export type Document = string | Uint8Array | object;

export interface LocalizedText {
  locale: string;
  value: string;
}

/** A problem. Codes are stable; https://github.com/datachain-go/datachain/blob/main/docs/codes.md lists them. */
export interface Issue {
  code: string;
  message: string;
  /** The place in the document, such as `elements[0].element_id`; the root is `""`. */
  path?: string;
  fix_hint?: string;
  severity: 'error' | 'warning';
}

/** A place in a text. */
export interface Point {
  /** From 1. */
  line: number;
  /** In characters (code points), from 1. */
  column: number;
  /** The column in UTF-16 code units, as JavaScript counts, from 1. */
  utf16: number;
  /** In bytes, from 0. */
  offset: number;
}

export interface Finding extends Issue {
  range: {start: Point; end: Point};
}

/** What `datachain validate --format json` says about a file. */
export interface Verdict {
  /** Whether the document is valid; it may have warnings. */
  ok: boolean;
  /** Absent if the document is not JSON. */
  kind?: 'thin' | 'resolved';
  /** The version that the document was validated against, or that it pins. */
  version?: Version;
  issues: Finding[];
}

export interface Fixed extends Verdict {
  /** The text after all safe fixes; the verdict is about it. */
  text: string;
  /** The findings that no longer apply. */
  fixed: Issue[];
}

export interface Resolved extends Verdict {
  /** The resolved document in canonical JSON, if there are no errors. */
  document?: string;
}

/** One thing that an upgrade did, or that is left to do. */
export interface UpgradeEntry {
  /** What it is; https://github.com/datachain-go/datachain/blob/main/docs/upgrading.md lists the kinds. */
  kind: string;
  /** Who has to do something about it. */
  class: 'done' | 'review' | 'needs_person' | 'cannot';
  /** The place in the new document; absent if it is not there any more. */
  path?: string;
  /** The place in the original document, if that is another one. */
  old_path?: string;
  position?: {line: number; column: number};
  message: string;
  fix_hint?: string;
  /** The code of the finding that the new document has for this entry. */
  code?: string;
}

export interface UpgradeReport {
  /** The version that the document was moved from. */
  from: string;
  to: Version;
  changed: boolean;
  form: 'thin' | 'resolved';
  counts: {done: number; review: number; needs_person: number; cannot: number};
  entries: UpgradeEntry[];
}

export interface Upgraded extends Verdict {
  /** Whether the new document is valid and nothing is left that a person has to do. */
  ok: boolean;
  /** The new text; the issues are about it. It is the original one if nothing changed. */
  text: string;
  /** Absent if the document is not JSON. */
  report?: UpgradeReport;
}

export interface Rendered extends Verdict {
  /** The page, if there are no errors. It is self-contained and has its own Content-Security-Policy. */
  html?: string;
  locale?: string;
  section_count?: number;
  element_count?: number;
}

/** An element with the requested fields. */
export interface Element {
  id: string;
  title?: LocalizedText[];
  description?: LocalizedText[];
  category_id?: string;
  symbol_id?: string;
  icon_variants?: string[];
  [field: string]: unknown;
}

export interface Page {
  version: Version;
  elements: Element[];
  /** `did_you_mean` is the query with misspelt words replaced by those that were found instead. */
  meta: {total: number; returned: number; did_you_mean?: string; next_cursor: string | null};
}

export interface Manifest {
  id: Version;
  status: 'beta' | 'stable';
  content_hash: string;
  title: LocalizedText[];
  description: LocalizedText[];
  locales: string[];
  [field: string]: unknown;
}

export interface Entry {
  id: Version;
  status: 'beta' | 'stable';
  content_hash: string;
  aliases: string[];
  /** The day of the release, such as 2026-09-01. */
  released?: string;
}

export interface ValidateOptions {
  /** Validate thin documents against this version instead of the pinned one. */
  version?: Version;
  /** Also report unknown fields, as warnings. */
  strict?: boolean;
}

export interface UpgradeOptions {
  /** The new version, such as `ai@latest`. */
  to: Version;
  /** The version for which the document was written; the default is the one that it pins, which need not be published. */
  from?: Version;
  /** Also remove what the new version no longer has; the report quotes it. */
  drop?: boolean;
  /** Allow a version that is older than that of the document. */
  older?: boolean;
}

export interface SearchOptions {
  /** The language of the query; the default is `en`, or the first one of the version. */
  locale?: string;
  category_id?: string;
  /** The fields to return, or `["all"]`; the default is `id`, `title` and `category_id`. */
  fields?: string[];
  /** The languages to keep in texts; the default is all. */
  locales?: string[];
  /** 1 to 200; the default is 50. */
  limit?: number;
  /** `meta.next_cursor` of the previous page. */
  cursor?: string;
}

/** Every method rejects with a {@link DatachainError} if it fails. An invalid document is an answer, not a failure. */
export interface Datachain {
  /** The published versions, as of the last refresh. */
  versions(): Entry[];
  /** Reads the index again. Releases that did not change are kept. */
  refresh(): Promise<{versions: Entry[]}>;
  /** Loads a version in advance. Otherwise it is loaded when it is first needed. */
  open(version: Version): Promise<Manifest>;
  validate(document: Document, options?: ValidateOptions): Promise<Verdict>;
  fix(document: Document, options?: ValidateOptions): Promise<Fixed>;
  resolve(document: Document, options?: {version?: Version}): Promise<Resolved>;
  /** Moves a document to another version, as `datachain upgrade` does. */
  upgrade(document: Document, options: UpgradeOptions): Promise<Upgraded>;
  /** Lists elements; with an empty query, all in declaration order. */
  search(version: Version, query: string, options?: SearchOptions): Promise<Page>;
  /** Returns the SVG of an icon. */
  icon(version: Version, elementId: string, variant?: string): Promise<string>;
  render(document: Document, options?: {version?: Version; locale?: string}): Promise<Rendered>;
}

/** A failure, with the code that the REST API would answer with. */
export class DatachainError extends Error {
  readonly code: string;
  readonly fix_hint?: string;
  readonly path?: string;
  readonly severity: 'error';
  /** The parameter at fault, such as `version`. */
  readonly param?: string;
  /** What the parameter could have been. */
  readonly known?: string[];
}

/** A release to fetch. */
export interface Needed {
  id: Version;
  content_hash: string;
  /** The name of its archive in a store of published releases; a server has none. */
  archive?: string;
}

/** A source of releases. Everything that it returns is verified. */
export interface Store {
  /** Returns an `index.json`, or what `GET /api/v2/schemas` answers. */
  index(): Promise<Uint8Array | string>;
  /** Returns the archive of a release, or what `GET …/release` answers. */
  release(needed: Needed): Promise<Uint8Array | string>;
}

export interface StoreOptions {
  fetch?: typeof fetch;
  headers?: Record<string, string>;
}

/** Reads from a server with the REST API. */
export function api(base: string | URL, options?: StoreOptions): Store;

/** Reads a directory of published releases (`datachain schema publish`) from a static host. */
export function files(base: string | URL, options?: StoreOptions): Store;

export interface LoadOptions {
  store: Store;
  /** The module; the default is `dist/datachain.wasm` of this package. */
  wasm?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response>;
}

/** Starts the WebAssembly module and reads the index of a store. */
export function load(options: LoadOptions): Promise<Datachain>;
