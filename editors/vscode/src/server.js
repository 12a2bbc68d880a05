// Starts and stops the language server, and says what to do if that fails.
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import * as vscode from 'vscode';
import {LanguageClient, RevealOutputChannelOn, State} from 'vscode-languageclient/node';
import {command} from './settings.js';

const install = 'go install github.com/datachain-go/datachain/cmd/datachain@latest';

/** What the server must be able to do, and the extension shows itself. */
const needed = ['datachain.preview', 'datachain.resolve'];

/** Documents that the server is told of. It ignores those that it does not know. */
const selector = [
  ...['json', 'jsonc', 'yaml'].flatMap((language) => ['file', 'untitled'].map((scheme) => ({language, scheme}))),
  {scheme: 'file', pattern: '**/*.svg'},
];

/** @returns {import('./settings.js').Settings} */
function settings() {
  const c = vscode.workspace.getConfiguration('datachain');
  const get = (/** @type {string} */ key) => (c.get(key, '') ?? '').trim();
  return {path: get('path'), schemas: get('schemas'), store: get('store'), locale: get('locale'), baseUrl: get('baseUrl')};
}

/** Problem is a failure with a remedy. */
class Problem extends Error {
  /**
   * @param {string} message
   * @param {string[]} remedies titles of buttons
   */
  constructor(message, remedies) {
    super(message);
    this.remedies = remedies;
  }
}

const copy = 'Copy Install Command', open = 'Open Settings', log = 'Show Log';

/** Server is the language server of a window. */
export class Server {
  /** @type {LanguageClient | undefined} */
  client;
  #changed = new vscode.EventEmitter();
  /** onChange tells that the server was started, has stopped or has failed. */
  onChange = this.#changed.event;
  /** @type {Promise<void>} */
  #work = Promise.resolve();
  /** Why the server does not run, or ''. */
  failure = '';

  /**
   * @param {vscode.LogOutputChannel} output
   * @param {(command: string, target: {uri: string}) => unknown} show does what a code
   *   lens asks for
   */
  constructor(output, show) {
    this.output = output;
    this.show = show;
  }

  /** restart stops the server if it runs, and starts it. Calls wait for one another. */
  restart() {
    this.#work = this.#work.then(async () => {
      await this.#stop();
      try {
        await this.#start();
        this.failure = '';
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
        this.output.error(this.failure);
        void this.#explain(error);
      }
      this.#changed.fire(undefined);
    });
    return this.#work;
  }

  dispose() {
    this.#work = this.#work.then(() => this.#stop());
    return this.#work;
  }

  /** origin says where schema versions come from. */
  get origin() {
    return /** @type {any} */ (this.client?.initializeResult?.capabilities.experimental)?.datachain?.origin;
  }

  get version() {
    return this.client?.initializeResult?.serverInfo?.version;
  }

  /**
   * execute runs a command of the server.
   * @param {string} command
   * @param {vscode.Uri} uri
   * @param {AbortSignal} [signal]
   */
  async execute(command, uri, signal) {
    await this.#work;
    if (!this.client) throw new Error(`The language server is not running. ${this.failure}`.trim());
    const source = new vscode.CancellationTokenSource();
    signal?.addEventListener('abort', () => source.cancel());
    const target = this.client.code2ProtocolConverter.asUri(uri);
    return this.client.sendRequest('workspace/executeCommand', {command, arguments: [target]}, source.token);
  }

  async #start() {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const wanted = settings();
    const {program, args} = command(wanted, folder);
    await check(program, folder);
    this.output.info(`starting ${[program, ...args].join(' ')}`);
    const client = new LanguageClient('datachain', 'Datachain', {command: program, args, options: {cwd: folder}}, {
      documentSelector: selector,
      outputChannel: this.output,
      traceOutputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: wanted.locale && {locale: wanted.locale},
      initializationFailedHandler: () => false,
      middleware: {
        executeCommand: (name, [target, ...rest], next) => target?.show && needed.includes(name) ? this.show(name, target) : next(name, [target, ...rest]),
      },
    });
    client.onDidChangeState((e) => {
      if (e.newState === State.Stopped) this.#changed.fire(undefined);
    });
    try {
      await client.start();
    } catch (error) {
      throw new Problem(`The language server could not be started: ${error instanceof Error ? error.message : error}`, [open, log]);
    }
    const commands = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
    if (!needed.every((name) => commands.includes(name))) {
      await client.stop();
      throw new Problem(`${program} is too old for this extension. Install a newer version: ${install}`, [copy, open]);
    }
    this.client = client;
  }

  async #stop() {
    const client = this.client;
    this.client = undefined;
    if (client?.state === State.Running) await client.stop();
    await client?.dispose();
  }

  /** @param {unknown} error */
  async #explain(error) {
    const remedies = error instanceof Problem ? error.remedies : [log];
    const chosen = await vscode.window.showErrorMessage(`Datachain: ${this.failure}`, ...remedies);
    if (chosen === copy) await vscode.env.clipboard.writeText(install);
    if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'datachain.');
    if (chosen === log) this.output.show();
  }
}

/**
 * check fails if a program is not datachain with a language server.
 * @param {string} program
 * @param {string | undefined} cwd
 */
async function check(program, cwd) {
  try {
    await promisify(execFile)(program, ['lsp', '--help'], {cwd, timeout: 20_000});
  } catch (error) {
    const code = /** @type {any} */ (error).code;
    if (code === 'ENOENT') {
      throw new Problem(`The program ${program} was not found. Install it (${install}), or set datachain.path to its path.`, [copy, open]);
    }
    if (code === 'EACCES') throw new Problem(`The program ${program} can't be run. Set datachain.path to the path of datachain.`, [open]);
    throw new Problem(`${program} has no language server: it is too old, or another program. Install a newer version (${install}), or set datachain.path.`, [copy, open, log]);
  }
}
