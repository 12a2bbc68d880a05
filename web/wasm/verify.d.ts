export {DatachainError} from './index.js';

/** A file: its text, its bytes, or its value. */
export type File = string | Uint8Array | ArrayBuffer | object;

export interface VerifierOptions {
  /** The module; the default is `dist/verify.wasm` of this package. */
  wasm?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response>;
}

/** A sentence of a report: what it is about, and what is known about it, or why nothing is. */
export interface Statement {
  what: string;
  why: string;
}

/** What is proven: what `datachain verify --format json` prints, and the sentences of its report. */
export interface Report {
  /** `document` if all of the document is proven, `snapshot` if only its schema snapshot is. */
  scope: 'document' | 'snapshot';
  version: string;
  content_hash: string;
  /** When the release was published, by the clock of the publisher. */
  published: string;
  origin: string;
  /** The trusted keys that signed. */
  signed: string[];
  categories: number;
  elements: number;
  symbols: number;
  edition?: {slug: string; hash: string; published: string};
  proven: Statement[];
  /** What the publisher claims besides. */
  claimed: Statement[];
  not_proven: Statement[];
  /** The whole report as text. */
  text: string;
}

/** All of the document is proven or, if only the snapshot was asked for, at least that. */
export interface Proven extends Report {
  ok: true;
}

/** The document is not proven. If only its schema snapshot is, the members of a {@link Report} are there, too. */
export interface Refused extends Partial<Report> {
  ok: false;
  /** Why the checkpoint is refused, such as `unknown_key`, if it is. */
  reason?: string;
  error: string;
  /** What a person can do about it. */
  advice: string;
}

/** Verifies a resolved document with its proof, which may be a member of it, and a trust file that the reader has from a source that they trust. With `snapshot` it verifies the schema snapshot alone. Throws a {@link DatachainError} if the trust file is malformed. */
export type Verify = (document: File, files: {proof?: File; trust: File; snapshot?: boolean}) => Proven | Refused;

/** Starts the verifier, which needs no network after that. Rejects with a {@link DatachainError} if the module can't be loaded. */
export function loadVerifier(options?: VerifierOptions): Promise<Verify>;
