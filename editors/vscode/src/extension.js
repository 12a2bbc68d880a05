// The extension: starts the language server when there is something for it, and adds
// commands, previews and a status bar item.
import {basename} from 'node:path';
import * as vscode from 'vscode';
import {Previews} from './preview.js';
import {Server} from './server.js';
import {isDatachain, isSource} from './settings.js';
import {Status} from './status.js';

/** @type {Server | undefined} */
let server;

/** @param {vscode.ExtensionContext} context */
export async function activate(context) {
  const output = vscode.window.createOutputChannel('Datachain', {log: true});
  /** @type {Server} */
  const running = new Server(output, (name, {uri}) => {
    const show = name === 'datachain.preview' ? preview : resolve;
    return show(vscode.Uri.parse(uri));
  });
  server = running;
  const previews = new Previews((uri, signal) => running.execute('datachain.preview', uri, signal));
  const status = new Status(running);

  const preview = (/** @type {vscode.Uri} */ uri) => previews.show(uri);
  const resolve = (/** @type {vscode.Uri} */ uri) => guarded(async () => {
    const {text} = await running.execute('datachain.resolve', uri);
    // The text is canonical JSON, so this changes white space only.
    const content = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({language: 'json', content}));
  });
  const save = (/** @type {vscode.Uri} */ uri) => guarded(async () => {
    const {text} = await running.execute('datachain.resolve', uri);
    const name = `${basename(uri.path).replace(/(\.datachain)?\.json$/, '')}.resolved.json`;
    const target = await vscode.window.showSaveDialog({defaultUri: vscode.Uri.joinPath(uri, '..', name), filters: {JSON: ['json']}});
    if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  });

  const register = (/** @type {string} */ name, /** @type {(uri: vscode.Uri) => unknown} */ run) =>
    vscode.commands.registerCommand(name, (/** @type {unknown} */ given) => {
      const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
      return uri ? run(uri) : vscode.window.showInformationMessage('Open a datachain document first.');
    });

  // The server is started when the first document needs it.
  let started = false;
  const look = () => {
    const wanted = (/** @type {vscode.TextDocument} */ d) => isSource(d.uri.path) || d.uri.path.endsWith('.json') && isDatachain(d.uri.path, d.getText());
    const active = vscode.window.activeTextEditor?.document;
    void vscode.commands.executeCommand('setContext', 'datachain.document', !!active && !isSource(active.uri.path) && isDatachain(active.uri.path, active.getText()));
    if (!started && vscode.workspace.textDocuments.some(wanted)) {
      started = true;
      void running.restart();
    }
    status.update(started && !!active && (wanted(active) || isDatachain(active.uri.path, active.getText())));
  };
  const restart = () => {
    started = true;
    status.update(true);
    return running.restart();
  };

  context.subscriptions.push(
    output, previews, status,
    register('datachain.openPreview', preview),
    register('datachain.openResolved', resolve),
    register('datachain.saveResolved', save),
    vscode.commands.registerCommand('datachain.restart', restart),
    vscode.commands.registerCommand('datachain.showLog', () => output.show()),
    running.onChange(() => {
      look();
      previews.update();
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      look();
      const document = editor?.document;
      if (document && !isSource(document.uri.path) && isDatachain(document.uri.path, document.getText())) previews.follow(document.uri);
    }),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument((e) => !started && look()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started && restart()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      const keys = ['path', 'schemas', 'store', 'locale', 'baseUrl'];
      if (started && keys.some((key) => e.affectsConfiguration(`datachain.${key}`))) void restart();
    }),
  );
  look();
}

export function deactivate() {
  return server?.dispose();
}

/**
 * guarded shows an error as a message.
 * @param {() => Promise<void>} run
 */
async function guarded(run) {
  try {
    await run();
  } catch (error) {
    const problems = 'Show Problems';
    const chosen = await vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error), problems);
    if (chosen === problems) await vscode.commands.executeCommand('workbench.actions.view.problems');
  }
}
