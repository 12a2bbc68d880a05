// The conformance suite: the scenarios that need nothing but a server, those that
// are about what we offer. Others want tools of their own on the server.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {build, here, installed} from './server.mjs';

const handshake = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'completion-complete'];
const suites = [
  {folder: '@modelcontextprotocol/conformance', scenarios: [...handshake, 'server-sse-multiple-streams', 'dns-rebinding-protection']},
  {folder: 'conformance-next', revision: '2025-06-18', scenarios: [...handshake, 'server-session-lifecycle']},
  {folder: 'conformance-next', revision: '2025-11-25', scenarios: [...handshake, 'server-session-lifecycle', 'server-sse-multiple-streams', 'dns-rebinding-protection']},
  {folder: 'conformance-next', revision: '2026-07-28', scenarios: ['server-stateless', 'tools-list', 'resources-list', 'prompts-list', 'completion-complete',
    'server-sse-multiple-streams', 'dns-rebinding-protection', 'caching', 'http-header-validation', 'sep-2164-resource-not-found']},
];

export function conformance({url}) {
  return suites.map((suite) => ({
    client: `conformance ${installed(suite.folder)}`,
    speaks: suite.revision ?? 'its own choice of revision',
    run: () => run(url, suite),
  }));
}

// run runs the scenarios of a suite, and holds what failed against what is known
// to fail: a check that fails is a surprise, and so is one that does not any more.
async function run(url, {folder, revision, scenarios}) {
  const known = JSON.parse(await readFile(join(here, 'baseline.json'), 'utf8'));
  let passed = 0;
  const failed = {};
  for (const scenario of scenarios) {
    const out = join(build, 'conformance', `${folder.replace(/\W+/g, '-')}-${revision ?? 'any'}-${scenario}`);
    await rm(out, {recursive: true, force: true});
    const args = [join(here, 'node_modules', folder, 'dist/index.js'), 'server', '--url', url, '--scenario', scenario, '-o', out];
    const said = await new Promise((resolve) => {
      execFile(process.execPath, revision ? [...args, '--spec-version', revision] : args, {maxBuffer: 1 << 26}, (_, stdout, stderr) => resolve(stdout + stderr));
    });
    const results = await readdir(out).catch(() => []);
    assert.equal(results.length, 1, `${scenario} did not run:\n${said}`);
    const checks = JSON.parse(await readFile(join(out, results[0], 'checks.json'), 'utf8'));
    assert.ok(checks.length > 0, `${scenario} checked nothing`);
    passed += checks.filter((c) => c.status === 'SUCCESS').length;
    for (const c of checks.filter((c) => c.status === 'FAILURE' || c.status === 'WARNING')) failed[c.id] = `${scenario}: ${c.errorMessage}`;
  }
  const expected = Object.keys(known).filter((id) => known[id].revision === revision);
  const surprises = Object.entries(failed).filter(([id]) => !expected.includes(id)).map(([id, why]) => `${id}: ${why}`);
  const mended = expected.filter((id) => !(id in failed)).map((id) => `${id} passes now: take it out of baseline.json`);
  assert.deepEqual([...surprises, ...mended], []);
  return `${passed} checks${expected.length ? `, ${expected.length} known failures` : ''}`;
}
