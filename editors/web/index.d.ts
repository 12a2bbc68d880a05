import type {LanguageServer, LanguageServerOptions} from './dist/types/lsp.js';

export {DatachainError, api, files} from './dist/types/lsp.js';
export type {LanguageServer, LanguageServerOptions, MessageSource, Needed, Store, StoreOptions, Transport, Version} from './dist/types/lsp.js';

/** A finding, as LSP has it. */
export interface Diagnostic {
  range: {start: {line: number; character: number}; end: {line: number; character: number}};
  /** 1 is an error, 2 a warning. */
  severity: 1 | 2;
  code: string;
  codeDescription?: {href: string};
  message: string;
}

interface Appearance {
  value?: string;
  /** The name of the editor for screen readers. */
  label?: string;
  /** The language of titles and descriptions; the default is that of the page. */
  locale?: string;
  /** The default is `auto`: as the system has it. */
  theme?: 'auto' | 'light' | 'dark';
  /** The nonce of `style-src` in the Content-Security-Policy of the page. */
  cspNonce?: string;
  /** Translations of the editor's own texts. */
  phrases?: Record<string, string>;
  /** The URI of the document for the language server; one that ends in `.datachain.json` is always judged. */
  uri?: string;
  onChange?(value: string): void;
  /** Called with the findings of the current text, also those of an empty one, which the editor does not show. */
  onDiagnostics?(found: Diagnostic[]): void;
}

/** A language server that is running, for several editors, or how to start one. */
export type EditorOptions = Appearance & ({server: LanguageServer} | {languageServer: LanguageServerOptions});

export interface Editor {
  /** `text` if the browser has no WebAssembly: the editor is a plain textarea without findings. */
  readonly kind: 'code' | 'text';
  readonly element: HTMLElement;
  /** Rejects if the language server can't be started. The text can be edited all the same. */
  readonly ready: Promise<void>;
  value: string;
  /**
   * Makes the page of the document, a whole HTML file: that of the last valid text while the
   * document is invalid, or an empty string. It rejects if the version is not known.
   */
  preview(): Promise<string>;
  format(): void;
  focus(): void;
  /** Removes the editor, and ends the language server if the editor has started it. */
  destroy(): void;
}

/** Puts an editor into an element. */
export function createEditor(parent: Element, options: EditorOptions): Editor;

/** Starts the language server with the files of this package. */
export function startLanguageServer(options: LanguageServerOptions): Promise<LanguageServer>;
