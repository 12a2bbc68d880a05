// A small language client, which runs in Node and in pages.

// connect returns a client over a transport.
export function connect(transport) {
  const waiting = new Map();
  const published = new Map(); // by URI and version
  let last = 0;
  const key = (uri, version) => `${uri} ${version}`;
  const slot = (map, k) => {
    if (!map.has(k)) {
      let done;
      const promise = new Promise((resolve) => { done = resolve; });
      map.set(k, {promise, done});
    }
    return map.get(k);
  };
  transport.subscribe((text) => {
    const message = JSON.parse(text);
    if (message.method === 'textDocument/publishDiagnostics') {
      slot(published, key(message.params.uri, message.params.version)).done(message.params.diagnostics);
    } else if (!message.method) {
      slot(waiting, message.id).done(message);
    }
  });
  const send = (message) => transport.send(JSON.stringify({jsonrpc: '2.0', ...message}));
  const client = {
    notify: (method, params) => send({method, params}),
    request: async (method, params) => {
      const id = ++last;
      const answer = slot(waiting, id).promise;
      send({id, method, params});
      const {result, error} = await answer;
      if (error) throw new Error(error.message);
      return result;
    },
    initialize: async (params = {}) => {
      const result = await client.request('initialize', {capabilities: {textDocument: {hover: {contentFormat: ['markdown']}, codeAction: {codeActionLiteralSupport: {}}, publishDiagnostics: {relatedInformation: true}}}, initializationOptions: {pictures: true}, ...params});
      client.notify('initialized', {});
      return result;
    },
    open: (uri, text) => client.notify('textDocument/didOpen', {textDocument: {uri, version: 1, languageId: 'json', text}}),
    change: (uri, version, text) => client.notify('textDocument/didChange', {textDocument: {uri, version}, contentChanges: [{text}]}),
    // diagnostics waits for those of a version of a document.
    diagnostics: (uri, version) => slot(published, key(uri, version)).promise,
    end: async () => {
      await client.request('shutdown');
      client.notify('exit');
    },
  };
  return client;
}

// judge returns the diagnostics of documents by name, without the line that says where
// versions come from: each server names its own place.
export async function judge(client, documents) {
  const found = {};
  for (const [name, text] of Object.entries(documents)) {
    const uri = `inmemory:///${name}.datachain.json`;
    client.open(uri, text);
    found[name] = (await client.diagnostics(uri, 1)).map((d) => ({...d, message: d.message.replace(/\nSchema versions come from .*$/s, '')}));
    client.notify('textDocument/didClose', {textDocument: {uri}});
  }
  return found;
}
