// Runs `datachain serve`.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

// serve starts the server of a program on a free port, and returns its URL and functions that
// stop it and return what it has logged.
export async function serve(program, ...args) {
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
  return {url, stop, log: () => said.join('\n')};
}
