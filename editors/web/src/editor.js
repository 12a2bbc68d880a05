// The editor: CodeMirror with the language server in a Worker.
import {closeCompletion} from '@codemirror/autocomplete';
import {json} from '@codemirror/lang-json';
import {lintGutter, openLintPanel} from '@codemirror/lint';
import {hoverTooltips, LSPClient} from '@codemirror/lsp-client';
import {Compartment, EditorState, Prec} from '@codemirror/state';
import {EditorView, keymap} from '@codemirror/view';
import {basicSetup} from 'codemirror';
import {DatachainError, api, files, startLanguageServer as start} from '../../wasm/lsp-server.js';
import {isolates} from './bidi.js';
import {completion} from './completion.js';
import {diagnostics} from './diagnostics.js';
import {textarea} from './fallback.js';
import {hoverAtCursor, hoverTooltip} from './hover.js';
import {indent} from './indent.js';
import {sanitize} from './sanitize.js';
import {say, status} from './status.js';
import {themes} from './theme.js';

export {DatachainError, api, files};

// supported reports whether the browser can run the language server.
const supported = () => typeof WebAssembly === 'object' && typeof Worker === 'function';

// createEditor puts an editor into an element. Without WebAssembly it is a plain textarea.
export function createEditor(parent, options = {}) {
  return supported() ? new CodeEditor(parent, options) : textarea(parent, options);
}

// startLanguageServer starts the server with the files beside this one.
export const startLanguageServer = (options) => start({
  worker: () => new Worker(new URL('./worker.js', import.meta.url), {type: 'module'}),
  wasm: new URL('./lsp.wasm', import.meta.url),
  ...options,
});

class CodeEditor {
  kind = 'code';
  view;
  ready;
  #language = new Compartment();
  #themes;
  #client;
  #uri;
  #server; // if it was started here
  #destroyed = false;

  constructor(parent, options) {
    const {value = '', label = 'Datachain document', theme = 'auto', cspNonce, phrases = {}, onChange} = options;
    this.#themes = themes(theme, (effects) => this.view.dispatch({effects}));
    this.view = new EditorView({
      parent,
      root: parent.getRootNode() instanceof ShadowRoot ? parent.getRootNode() : undefined,
      doc: value,
      extensions: [
        Prec.high(keymap.of([
          {key: 'Mod-.', run: openLintPanel},
          {key: 'Ctrl-k Ctrl-i', mac: 'Cmd-k Cmd-i', run: hoverAtCursor},
          {key: 'Shift-Alt-f', run: indent, preventDefault: true},
        ])),
        basicSetup, json(), lintGutter(), hoverTooltip, isolates, status,
        this.#themes.extension,
        this.#language.of([]),
        EditorState.phrases.of(phrases),
        EditorState.tabSize.of(2),
        EditorView.lineWrapping,
        // JSON is written from left to right, whatever the page is.
        EditorView.editorAttributes.of({dir: 'ltr'}),
        // What can be edited can be focused, but not all tools know that.
        EditorView.contentAttributes.of({'aria-label': label, spellcheck: 'false', tabindex: '0'}),
        cspNonce ? EditorView.cspNonce.of(cspNonce) : [],
        EditorView.updateListener.of((u) => u.docChanged && onChange?.(u.state.doc.toString())),
      ],
    });
    this.ready = this.#connect(options);
    this.ready.catch((e) => say(this.view, e.message)); // and to whom it may concern
  }

  async #connect(options) {
    const server = options.server ?? await startLanguageServer(options.languageServer);
    if (!options.server) this.#server = server;
    if (this.#destroyed) {
      this.#server?.stop();
      return;
    }
    this.#client = new LSPClient({
      initializationOptions: {locale: options.locale ?? document.documentElement.lang, pictures: true},
      sanitizeHTML: sanitize,
      timeout: 30_000,
      notificationHandlers: {'window/logMessage': () => true},
      extensions: [diagnostics(options.onDiagnostics), [completion], hoverTooltips()],
    }).connect(server.transport);
    await this.#client.initializing;
    this.#uri = options.uri ?? `inmemory:///${Date.now().toString(36)}${Math.random().toString(36).slice(2)}.datachain.json`;
    if (!this.#destroyed) this.view.dispatch({effects: this.#language.reconfigure(this.#client.plugin(this.#uri, 'json'))});
  }

  get element() { return this.view.dom; }
  get value() { return this.view.state.doc.toString(); }
  set value(text) { this.view.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}}); }

  // preview makes the page of the document, here: that of the last valid text while it is invalid.
  async preview() {
    await this.ready;
    this.#client.sync();
    const {html} = await this.#client.request('workspace/executeCommand', {command: 'datachain.preview', arguments: [this.#uri]});
    return html;
  }

  format() { indent(this.view); }
  focus() { this.view.focus(); }

  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    closeCompletion(this.view);
    this.#themes.stop();
    this.view.destroy(); // closes the document
    this.#client?.disconnect();
    this.#server?.stop();
  }
}
