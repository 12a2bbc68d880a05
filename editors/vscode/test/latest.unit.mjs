import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Latest} from '../src/latest.js';

test('only the latest result counts', async () => {
  const shown = [], waiting = [];
  let next = 0;
  const latest = new Latest(0, (signal) => {
    const n = ++next;
    return new Promise((resolve) => waiting.push({signal, end: () => resolve(() => shown.push(n))}));
  }, assert.fail);
  const running = async (n) => {
    while (waiting.length < n) await new Promise((done) => setTimeout(done, 1));
  };
  latest.request();
  await running(1);
  latest.request();
  assert.ok(waiting[0].signal.aborted);
  await running(2);
  waiting[1].end();
  waiting[0].end(); // too late
  await new Promise(setImmediate);
  assert.deepEqual(shown, [2]);

  latest.request();
  latest.cancel();
  latest.request();
  await running(3);
  latest.cancel();
  waiting[2].end();
  await new Promise(setImmediate);
  assert.deepEqual(shown, [2]);
});

test('failures are told, unless they are superseded', async () => {
  const failures = [], waiting = [];
  const latest = new Latest(0, () => new Promise((_, reject) => waiting.push(reject)), (error) => failures.push(error));
  const fail = async (n, message) => {
    while (waiting.length < n) await new Promise((done) => setTimeout(done, 1));
    waiting[n - 1](message);
    await new Promise(setImmediate);
  };
  latest.request();
  await fail(1, 'first');
  latest.request();
  while (waiting.length < 2) await new Promise((done) => setTimeout(done, 1));
  latest.cancel();
  await fail(2, 'second');
  assert.deepEqual(failures, ['first']);
});
