// The program under test and the test documents.
import {execFile, spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

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

// serve starts a server on a free port and returns its URL and a function that stops it.
export async function serve(...args) {
  const child = spawn(program, ['serve', '--addr', '127.0.0.1:0', '--rate-limit', 'off', ...args], {stdio: ['ignore', 'pipe', 'pipe']});
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop); // if the caller does not
  const said = [];
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({input: stream}).on('line', (line) => {
        said.push(line);
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (found) resolve(found[0]);
      });
    }
    child.on('exit', () => reject(new Error(`The server exited:\n${said.join('\n')}`)));
  });
  return {url, stop};
}
