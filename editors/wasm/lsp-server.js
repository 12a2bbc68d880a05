// Starts the language server in a given Worker. The Worker runs lsp-worker.js and asks this
// file for releases, so that it can use any store that a page has.
import {connect} from './calls.js';
import {upstream} from './error.js';
import {encode} from './module.js';

export {DatachainError} from './error.js';
export {api, files} from './stores.js';

// startLanguageServer starts the server, and reads the index of a store.
export async function startLanguageServer({store, wasm, worker, origin, baseURL}) {
  const own = typeof worker === 'function';
  if (own) worker = worker();
  const failed = broken(worker);
  const {port1, port2} = new MessageChannel();
  const call = connect(port1, {
    index: async () => encode(await store.index()),
    release: async (needed) => encode(await store.release(needed)),
  });
  worker.postMessage({datachain: port2}, [port2]);
  worker.start?.(); // a MessagePort
  const stop = () => {
    port1.close();
    if (own) worker.terminate();
  };
  try {
    await Promise.race([call('start', {wasm: await sendable(wasm), origin, baseURL}), failed]);
  } catch (e) {
    stop();
    throw upstream(`The language server could not be started: ${e.message}.`, e);
  }
  return {
    worker,
    transport: transport(worker),
    refresh: async () => {
      try {
        await call('refresh');
      } catch (e) {
        throw upstream(`The language server keeps its schema versions: ${e.message}.`, e);
      }
    },
    stop,
  };
}

// sendable returns a module as it can be sent to a Worker. A URL is relative to the page.
async function sendable(wasm) {
  wasm = await wasm;
  if (typeof wasm === 'string') return new URL(wasm, globalThis.location?.href).href;
  if (wasm instanceof URL) return wasm.href;
  if (typeof Response !== 'undefined' && wasm instanceof Response) {
    if (!wasm.ok) throw new Error(`${wasm.url} answered ${wasm.status}`);
    return WebAssembly.compileStreaming(wasm);
  }
  return wasm;
}

// broken rejects if the script of a Worker can't be run.
function broken(worker) {
  const failed = new Promise((_, reject) => {
    worker.addEventListener('error', (e) => reject(new Error(e.message || 'the script of the Worker could not be loaded')), {once: true});
  });
  failed.catch(() => {}); // it may fail later, too
  return failed;
}

// transport sends and receives messages as texts.
function transport(worker) {
  const listeners = new Map();
  return {
    send: (message) => worker.postMessage(message),
    subscribe: (handler) => {
      const listener = ({data}) => handler(data);
      listeners.set(handler, listener);
      worker.addEventListener('message', listener);
    },
    unsubscribe: (handler) => {
      worker.removeEventListener('message', listeners.get(handler));
      listeners.delete(handler);
    },
  };
}
