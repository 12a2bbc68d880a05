// Lets the clients of others talk to the server, prints a table of what came of
// it, and fails on any surprise.
import {conformance} from './conformance.mjs';
import {inspector} from './inspector.mjs';
import {serve} from './server.mjs';
import {isolated, typescript} from './typescript.mjs';

const server = await serve();
const parts = [...typescript(server), isolated(server), ...inspector(server), ...conformance(server)];
const rows = [];
let failed = 0;
try {
  for (const {client, speaks, run} of parts) {
    const begun = performance.now();
    let outcome;
    try {
      outcome = await run();
    } catch (e) {
      failed++;
      outcome = 'FAILED';
      console.error(`\n${client}, ${speaks}:\n${e.stack ?? e}\n`);
    }
    rows.push([client, speaks, outcome, `${((performance.now() - begun) / 1000).toFixed(1)} s`]);
  }
} finally {
  server.stop();
}
const widths = [0, 1, 2].map((i) => Math.max(...rows.map((r) => r[i].length)));
for (const row of rows) console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ').trimEnd());
console.log(failed ? `\n${failed} of ${rows.length} failed` : `\nall ${rows.length} passed`);
process.exit(failed ? 1 : 0);
