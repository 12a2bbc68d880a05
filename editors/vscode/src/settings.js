// Settings of the user, and what follows from them. Nothing here needs VS Code.
import {homedir} from 'node:os';
import {join} from 'node:path';

/**
 * @typedef {object} Settings
 * @property {string} path the program, or its name in PATH
 * @property {string} schemas a schema source
 * @property {string} store published versions: a directory or a URL
 * @property {string} locale language of titles and pages
 * @property {string} baseUrl service whose pages explain the codes of findings
 */

/**
 * expand replaces ${workspaceFolder} and a leading ~ in a path.
 * @param {string} path
 * @param {string | undefined} folder
 */
export function expand(path, folder) {
  const home = path.replace(/^~(?=$|[/\\])/, () => homedir());
  return home.replaceAll('${workspaceFolder}', () => folder ?? '.');
}

/**
 * command returns how to start the language server.
 * @param {Settings} settings
 * @param {string | undefined} folder the first folder of the workspace
 */
export function command(settings, folder) {
  const args = ['lsp'];
  const add = (/** @type {string} */ flag, /** @type {string} */ value) => value && args.push(flag, value);
  add('--schemas', expand(settings.schemas, folder));
  add('--store', /^https?:/.test(settings.store) ? settings.store : expand(settings.store, folder));
  add('--base-url', settings.baseUrl);
  let program = expand(settings.path || 'datachain', folder);
  // A relative path belongs to the workspace, but a bare name is searched in PATH.
  if (folder && /^\.{1,2}[/\\]/.test(program)) program = join(folder, program);
  return {program, args};
}

/**
 * isDatachain reports whether a text is a datachain document, by its name or its content.
 * The server decides in the end; this is to offer commands.
 * @param {string} path
 * @param {string} text
 */
export function isDatachain(path, text) {
  return path.endsWith('.datachain.json') || /"schema_version"\s*:/.test(text) && /"elements"\s*:/.test(text);
}

/**
 * isSource reports whether a path is one of a schema source: <type>/<date>-<status>/….
 * @param {string} path
 */
export function isSource(path) {
  return /[/\\]\d{4}-\d\d-\d\d-(stable|beta)[/\\].+\.(ya?ml|json|svg)$/.test(path);
}
