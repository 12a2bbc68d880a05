// The command line of MCP Inspector.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {prompts, tools, viewURI} from './exercise.mjs';
import {build, datachain, here, installed, program, title} from './server.mjs';

const version = datachain.schema_version;
const client = `Inspector ${installed('@modelcontextprotocol/inspector')}`;

// inspect runs it. It keeps its settings in the home folder, which is ours here.
function inspect(target, ...args) {
  const command = [join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', ...target, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, {env: {...process.env, HOME: build}, maxBuffer: 1 << 26}, (error, stdout, stderr) => {
      resolve({code: error ? error.code : 0, stdout, stderr});
    });
  });
}

async function json(target, ...args) {
  const {code, stdout, stderr} = await inspect(target, ...args);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

const call = (name, ...args) => ['--method', 'tools/call', '--tool-name', name, ...args.flatMap((a) => ['--tool-arg', a])];

export function inspector({url}) {
  return [
    {client, speaks: 'HTTP', run: () => look([url])},
    {client, speaks: 'stdio', run: () => brief([program, 'mcp'])},
  ];
}

async function look(target) {
  // It reports schemas that not every model can use, too.
  const strict = await inspect(target, '--method', 'tools/list', '--strict');
  assert.equal(strict.code, 0, strict.stderr);
  assert.deepEqual(JSON.parse(strict.stdout).tools.map((t) => t.name).sort(), tools);
  assert.deepEqual((await json(target, '--method', 'prompts/list')).prompts.map((p) => p.name).sort(), prompts);
  assert.deepEqual((await json(target, '--method', 'resources/list')).resources.map((r) => r.uri), [viewURI]);

  const app = await json(target, ...call('render_datachain'), '--app-info');
  assert.equal(app.resourceUri, viewURI, JSON.stringify(app));
  const shown = await json(target, ...call('render_datachain', `version=${version}`, `datachain=${JSON.stringify(datachain)}`));
  assert.equal(shown.structuredContent.ok, true);
  const prompt = await json(target, '--method', 'prompts/get', '--prompt-name', 'explain_datachain', '--prompt-args', `datachain=${JSON.stringify(datachain)}`, 'language=fr');
  assert.ok(prompt.messages.some((m) => m.content.text?.includes(title)));

  const soft = await json(target, ...call('validate_datachain', `version=${version}`, 'datachain={}'));
  assert.deepEqual([soft.structuredContent.ok, soft.isError ?? false], [false, false], 'an invalid datachain is an answer');
  const hard = await inspect(target, ...call('get_element', `version=${version}`, 'element_id=nothing'));
  assert.equal(hard.code, 5, 'an unknown element is an error');
  return '9 checks';
}

async function brief(target) {
  assert.equal((await json(target, '--method', 'tools/list')).tools.length, tools.length);
  const answer = await json(target, ...call('list_schema_versions'));
  assert.equal(answer.structuredContent.ok, true);
  return '2 checks';
}
