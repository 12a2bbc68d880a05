import type {Store} from './index.js';

export {DatachainError, api, files} from './index.js';
export type {Needed, Store, StoreOptions, Version} from './index.js';

/** What messages are sent to and come from: a Worker or a MessagePort. */
export type MessageSource = Worker | MessagePort;

export interface LanguageServerOptions {
  store: Store;
  /** The module; the default is `dist/lsp.wasm` of this package. */
  wasm?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response>;
  /** The Worker, or a function that makes it, which `stop` then ends; the default is a new one that runs `lsp-worker.js` of this package. */
  worker?: MessageSource | (() => Worker);
  /** Where the releases come from, to be shown in hovers. */
  origin?: string;
  /** The URL of a service whose pages explain the codes of findings; the default is the repository. */
  baseURL?: string;
}

/** Messages as texts; `@codemirror/lsp-client` takes it as it is. */
export interface Transport {
  send(message: string): void;
  subscribe(handler: (message: string) => void): void;
  unsubscribe(handler: (message: string) => void): void;
}

export interface LanguageServer {
  /** The Worker; `LanguageClient` of vscode-languageclient/browser takes it as it is. */
  worker: MessageSource;
  transport: Transport;
  /** Reads the index again. If it has changed, open documents are judged again. */
  refresh(): Promise<void>;
  /** Ends the Worker, unless it was passed in. */
  stop(): void;
}

/** Starts the language server (LSP 3.17) in a Worker and reads the index of a store. Rejects with a {@link DatachainError} if either fails. */
export function startLanguageServer(options: LanguageServerOptions): Promise<LanguageServer>;
