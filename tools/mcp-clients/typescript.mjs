// The official TypeScript clients: the one of the revisions with a handshake, and
// the one that speaks the newest revision too.
import assert from 'node:assert/strict';
import {Client as Old} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport as OldStdio} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport as OldHTTP} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {Client as New, StreamableHTTPClientTransport as NewHTTP} from '@modelcontextprotocol/client';
import {StdioClientTransport as NewStdio} from '@modelcontextprotocol/client/stdio';
import {exercise, viewURI} from './exercise.mjs';
import {datachain, installed, program} from './server.mjs';

const info = {name: 'mcp-clients', version: '1.0.0'};
const newest = '2026-07-28';
const old = `TypeScript client ${installed('@modelcontextprotocol/sdk')}`, young = `TypeScript client ${installed('@modelcontextprotocol/client')}`;
const negotiated = (mode) => new New(info, {versionNegotiation: {mode}});

// talk connects a client, checks which revision it speaks, and does all that a
// client can do.
async function talk(client, transport, {revision, sessions}) {
  await client.connect(transport);
  try {
    if (revision) assert.equal(client.getNegotiatedProtocolVersion(), revision);
    return `${await exercise(client, {sessions})} checks`;
  } finally {
    await client.close();
  }
}

export function typescript({url}) {
  const command = {command: program, args: ['mcp'], stderr: 'ignore'};
  const http = () => new NewHTTP(new URL(url));
  return [
    {client: old, speaks: 'HTTP, with a handshake', run: () => talk(new Old(info), new OldHTTP(new URL(url)), {sessions: true})},
    {client: old, speaks: 'stdio, with a handshake', run: () => talk(new Old(info), new OldStdio(command), {sessions: true})},
    {client: young, speaks: 'HTTP, with a handshake', run: () => talk(negotiated('legacy'), http(), {revision: '2025-11-25', sessions: true})},
    {client: young, speaks: 'HTTP, what both know', run: () => talk(negotiated('auto'), http(), {revision: newest, sessions: false})},
    {client: young, speaks: `HTTP, ${newest} alone`, run: () => talk(negotiated({pin: newest}), http(), {revision: newest, sessions: false})},
    {client: young, speaks: `stdio, ${newest} alone`, run: () => talk(negotiated({pin: newest}), new NewStdio(command), {revision: newest, sessions: true})},
  ];
}

// isolated lets two clients render at once: neither sees what the other did.
export function isolated({url}) {
  return {
    client: old,
    speaks: 'HTTP, two sessions',
    async run() {
      const [a, b] = [new Old(info), new Old(info)];
      try {
        await Promise.all([a, b].map((c) => c.connect(new OldHTTP(new URL(url)))));
        const {structuredContent} = await a.callTool({name: 'render_datachain', arguments: {version: datachain.schema_version, datachain}});
        assert.equal(structuredContent.ok, true);
        assert.match((await b.readResource({uri: viewURI})).contents[0].text, /awaiting tool call/);
        assert.doesNotMatch((await a.readResource({uri: viewURI})).contents[0].text, /awaiting tool call/);
      } finally {
        await Promise.all([a.close(), b.close()]);
      }
      return '3 checks';
    },
  };
}
