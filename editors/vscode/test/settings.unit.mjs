import assert from 'node:assert/strict';
import {homedir} from 'node:os';
import {test} from 'node:test';
import {command, expand, isDatachain, isSource} from '../src/settings.js';

const none = {path: '', schemas: '', store: '', locale: '', baseUrl: ''};

test('the command line follows from the settings', () => {
  assert.deepEqual(command(none, '/w'), {program: 'datachain', args: ['lsp']});
  assert.deepEqual(command({...none, path: './bin/datachain', schemas: '${workspaceFolder}/taxonomies', baseUrl: 'https://a.example'}, '/w'),
    {program: '/w/bin/datachain', args: ['lsp', '--schemas', '/w/taxonomies', '--base-url', 'https://a.example']});
  assert.deepEqual(command({...none, store: 'https://a.example/~x'}, undefined).args, ['lsp', '--store', 'https://a.example/~x']);
  assert.deepEqual(command({...none, path: '~/go/bin/datachain'}, undefined).program, `${homedir()}/go/bin/datachain`);
});

test('paths are expanded literally', () => {
  assert.equal(expand('${workspaceFolder}/a', '/$&'), '/$&/a');
  assert.equal(expand('a~b', '/w'), 'a~b');
});

test('documents and files of a source are recognized', () => {
  assert.ok(isDatachain('/w/x.datachain.json', ''));
  assert.ok(isDatachain('/w/x.json', '{"schema_version": "ai@x", "elements" : []}'));
  assert.ok(!isDatachain('/w/package.json', '{"elements": []}'));
  assert.ok(isSource('/w/taxonomies/bikes/2026-09-01-beta/elements/all.yaml'));
  assert.ok(!isSource('/w/2026-09-01/all.yaml'));
});
