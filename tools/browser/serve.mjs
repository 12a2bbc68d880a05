// Runs `datachain serve`.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {setTimeout} from 'node:timers/promises';

// patient are flags that give a machine that is busy enough time for each request.
const patient = ['--read-timeout', '1m', '--work-timeout', '1m', '--write-timeout', '1m', '--max-cpu', '1m'];

// serve starts the server of a program on a free port, and returns its URL and functions that
// stop it and return what it has logged.
export async function serve(program, ...args) {
  const flags = ['--addr', '127.0.0.1:0', '--rate-limit', 'off', ...patient, ...args];
  const child = spawn(program, ['serve', ...flags], {stdio: ['ignore', 'pipe', 'pipe']});
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
  // On a machine that is busy, the server may say where it is before it has read a version.
  while ((await fetch(`${url}/`, {method: 'HEAD'})).status === 503) await setTimeout(100);
  return {url, stop, log: () => said.join('\n')};
}
