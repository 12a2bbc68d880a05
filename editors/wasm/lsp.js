// The interface of the language server. Bundlers find the Worker by its address here; packages
// that have a Worker of their own, such as editors/web, use lsp-server.js instead.
import {startLanguageServer as start} from './lsp-server.js';

export {DatachainError, api, files} from './lsp-server.js';

// startLanguageServer starts the server, and reads the index of a store.
export const startLanguageServer = (options) => start({
  ...options,
  worker: options.worker ?? (() => new Worker(new URL('./lsp-worker.js', import.meta.url), {type: 'module'})),
});
