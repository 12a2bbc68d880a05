// The server under test, and the document that it is asked about.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const build = join(here, 'build');
export const program = join(build, 'datachain');
export const datachain = JSON.parse(readFileSync(join(here, '../../examples/documents/benefits.json'), 'utf8'));
export const title = datachain.title[0].value;

// installed is the version of a package that is pinned here.
export function installed(name) {
  return JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')).version;
}

// serve starts the server on a free port, and returns its address and how to end it.
export async function serve() {
  const child = spawn(program, ['serve', '--addr', '127.0.0.1:0', '--rate-limit', 'off', '--log-requests', 'off'], {stdio: ['ignore', 'pipe', 'pipe']});
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop); // also where nobody comes to call it
  const said = [];
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({input: stream}).on('line', (line) => {
        said.push(line);
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (found) resolve(`${found[0]}/mcp`);
      });
    }
    child.on('exit', () => reject(new Error(`The server ended:\n${said.join('\n')}`)));
  });
  return {url, stop};
}
