// The program under test and the test documents.
import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {serve as serveWith} from './serve.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
export const build = join(here, 'build');
export const documents = join(here, '../../examples/documents');
const program = join(build, 'datachain');

// names are the example documents.
export const names = readdirSync(documents).filter((f) => f.endsWith('.json')).sort();

// output returns a directory for the output of a test.
export async function output(name) {
  const folder = join(build, name);
  await mkdir(folder, {recursive: true});
  return folder;
}

// datachain runs the program.
export async function datachain(...args) {
  const {stdout} = await promisify(execFile)(program, args, {maxBuffer: 1 << 26});
  return stdout;
}

// serve starts a server.
export const serve = (...args) => serveWith(program, ...args);
