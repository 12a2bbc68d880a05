// The status bar item: where schema versions come from, or why there are none.
import * as vscode from 'vscode';

const longest = 60;

/** @param {string} text */
const short = (text) => text.length > longest ? `${text.slice(0, longest)}…` : text;

export class Status {
  #item = vscode.window.createStatusBarItem('datachain.status', vscode.StatusBarAlignment.Right, 100);

  /** @param {import('./server.js').Server} server */
  constructor(server) {
    this.server = server;
    this.#item.name = 'Datachain';
    this.#item.command = 'datachain.showLog';
  }

  /** @param {boolean} visible whether the active document is one of ours */
  update(visible) {
    const {client, failure, origin, version} = this.server;
    const help = new vscode.MarkdownString(undefined, true);
    help.isTrusted = {enabledCommands: ['datachain.restart', 'datachain.showLog', 'workbench.action.openSettings']};
    if (client) {
      this.#item.text = `$(link) ${short(`Datachain: ${origin ?? 'ready'}`)}`;
      help.appendMarkdown('**Datachain** validates with schema versions from ').appendText(`${origin ?? '?'}.`);
      help.appendMarkdown('\n\n').appendText(`datachain ${version ?? ''}`);
    } else {
      this.#item.text = failure ? '$(error) Datachain' : '$(loading~spin) Datachain';
      help.appendText(failure || 'The language server is starting.');
    }
    const settings = encodeURIComponent(JSON.stringify(['datachain.']));
    help.appendMarkdown(`\n\n[Restart](command:datachain.restart) | [Log](command:datachain.showLog) | [Settings](command:workbench.action.openSettings?${settings})`);
    this.#item.tooltip = help;
    this.#item.backgroundColor = failure && !client ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    if (visible || failure && !client) this.#item.show();
    else this.#item.hide();
  }

  dispose() {
    this.#item.dispose();
  }
}
