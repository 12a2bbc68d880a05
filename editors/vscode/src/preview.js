// Panels with the page of a document, which follow what is typed and which document is active.
import {randomBytes} from 'node:crypto';
import {basename} from 'node:path';
import * as vscode from 'vscode';
import {Latest} from './latest.js';
import {shell} from './shell.js';

const viewType = 'datachain.preview';

// How long a document must be unchanged before its page is made again.
const delay = 150;

/**
 * @typedef {object} Page the answer of the command datachain.preview
 * @property {string} html
 * @property {string} [note]
 */

/** Previews are the open panels, at most one for each document. The last one follows. */
export class Previews {
  /** @type {Preview[]} */
  #open = [];
  /** @type {vscode.Disposable[]} */
  #disposables;

  /** @param {(uri: vscode.Uri, signal: AbortSignal) => Promise<Page>} render */
  constructor(render) {
    this.render = render;
    const changed = (/** @type {vscode.Uri} */ uri) => this.#of(uri)?.update();
    this.#disposables = [
      vscode.workspace.onDidChangeTextDocument((e) => changed(e.document.uri)),
      // A changed taxonomy changes findings, and perhaps the page.
      vscode.languages.onDidChangeDiagnostics((e) => e.uris.forEach(changed)),
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel, /** @type {any} */ state) => {
          if (!state?.uri) return panel.dispose();
          this.#add(vscode.Uri.parse(state.uri), panel);
        },
      }),
    ];
  }

  /** @param {vscode.Uri} uri */
  show(uri) {
    const open = this.#of(uri);
    if (open) return open.panel.reveal(undefined, true);
    const beside = {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true};
    this.#add(uri, vscode.window.createWebviewPanel(viewType, '', beside));
  }

  /**
   * follow shows the page of a document that became active, if a panel is open.
   * @param {vscode.Uri} uri
   */
  follow(uri) {
    if (!this.#of(uri)) this.#open.at(-1)?.show(uri);
  }

  /** update makes all pages again. */
  update() {
    for (const preview of this.#open) preview.update();
  }

  /** @param {vscode.Uri} uri */
  #of(uri) {
    return this.#open.find((preview) => preview.uri.toString() === uri.toString());
  }

  /**
   * @param {vscode.Uri} uri
   * @param {vscode.WebviewPanel} panel
   */
  #add(uri, panel) {
    const preview = new Preview(uri, panel, this.render);
    this.#open.push(preview);
    panel.onDidDispose(() => {
      preview.dispose();
      this.#open = this.#open.filter((other) => other !== preview);
    });
  }

  dispose() {
    for (const d of this.#disposables) d.dispose();
    for (const preview of [...this.#open]) preview.panel.dispose();
  }
}

/** Preview is a panel with the page of a document. */
class Preview {
  /**
   * @param {vscode.Uri} uri
   * @param {vscode.WebviewPanel} panel
   * @param {(uri: vscode.Uri, signal: AbortSignal) => Promise<Page>} render
   */
  constructor(uri, panel, render) {
    this.uri = uri;
    this.panel = panel;
    this.latest = new Latest(delay, async (signal) => {
      // A document that was closed is opened again, else the server does not know it.
      await vscode.workspace.openTextDocument(this.uri);
      const page = await render(this.uri, signal);
      return () => this.#send(page.html, page.note ?? '');
    }, (error) => this.#send('', error instanceof Error ? error.message : String(error)));
    panel.title = `Preview ${basename(uri.path)}`;
    panel.webview.options = {enableScripts: true, localResourceRoots: []};
    panel.webview.onDidReceiveMessage((m) => m?.type === 'ready' && this.latest.request(0));
    panel.webview.html = shell(randomBytes(16).toString('base64url'));
  }

  /**
   * show shows the page of another document.
   * @param {vscode.Uri} uri
   */
  show(uri) {
    this.uri = uri;
    this.panel.title = `Preview ${basename(uri.path)}`;
    this.latest.request(0);
  }

  update() {
    if (this.panel.visible) this.latest.request();
  }

  /**
   * @param {string} html
   * @param {string} note
   */
  #send(html, note) {
    void this.panel.webview.postMessage({type: 'page', uri: this.uri.toString(), html, note});
  }

  dispose() {
    this.latest.cancel();
  }
}
