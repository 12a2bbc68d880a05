// The script of the Worker. The first message of the page has a MessagePort, over which
// the server is started and asks for releases (see lsp.js). All others are JSON-RPC
// messages, one each, as texts or as objects; the server answers in the same form.
import {connect} from './calls.js';
import {start} from './module.js';

// serve serves a client over a port: that of a Worker, or any other.
export function serve(port) {
  let server;
  let texts = true;
  const early = []; // messages that arrived before the server was there
  const receive = (message) => server.receive(typeof message === 'string' ? message : JSON.stringify(message));
  const attach = (control) => {
    const call = connect(control, {
      start: async ({wasm, origin, baseURL}) => {
        const module = await start(wasm ?? new URL('./dist/lsp.wasm', import.meta.url));
        const started = module.serve({
          origin, baseURL,
          index: () => call('index'),
          release: (needed) => call('release', JSON.parse(needed)),
          send: (message) => port.postMessage(texts ? message : JSON.parse(message)),
        });
        await started.refresh();
        server = started;
        for (const message of early.splice(0)) receive(message);
        started.ended.catch(() => {}).finally(() => port.close());
      },
      refresh: () => server.refresh(),
    });
  };
  port.addEventListener('message', ({data}) => {
    if (data?.datachain) {
      attach(data.datachain);
      return;
    }
    texts = typeof data === 'string';
    if (server) receive(data);
    else early.push(data);
  });
  port.start?.(); // a MessagePort
}

if (typeof DedicatedWorkerGlobalScope !== 'undefined') serve(globalThis);
