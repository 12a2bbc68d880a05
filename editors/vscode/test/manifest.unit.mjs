import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const sources = ['extension', 'preview', 'server', 'settings', 'status'].map((name) => read(`src/${name}.js`)).join('\n');

test('every command is registered', () => {
  for (const {command} of manifest.contributes.commands) assert.ok(sources.includes(`'${command}'`), command);
});

test('every setting is used and explained', () => {
  const readme = read('README.md');
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    const key = name.replace('datachain.', '');
    assert.ok(key === 'trace.server' || sources.includes(`get('${key}')`), name);
    assert.ok(readme.includes(`\`${name}\``), `README.md does not explain ${name}`);
  }
});

test('the policy of the panel allows nothing but its own script and styles', () => {
  const panel = read('src/panel.html');
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(panel);
  assert.equal(policy, "default-src 'none'; style-src 'nonce-NONCE'; script-src 'nonce-NONCE'; img-src data:; form-action 'none'; base-uri 'none'");
  assert.equal(panel.match(/<(script|style)(?! nonce="NONCE")/), null);
});
