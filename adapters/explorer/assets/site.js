// Searches a static site: a Worker runs the code of the server as WebAssembly. This file is
// loaded when the search is first used.

// start starts the Worker, and returns a function that makes a part of a page.
export async function start(site) {
  const at = (address) => new URL(address, location.href).href;
  const worker = new Worker(at(site.worker));
  const waiting = new Map();
  let last = 0, turn = Promise.resolve();
  const call = (message) => new Promise((resolve, reject) => {
    waiting.set(++last, {resolve, reject});
    worker.postMessage({id: last, ...message});
  });
  worker.onmessage = ({data: {id, html, error}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(html);
    else reject(new Error(error));
  };
  worker.onerror = (e) => {
    for (const {reject} of waiting.values()) reject(new Error(e.message || 'The Worker could not be started.'));
    waiting.clear();
  };
  try {
    await call({open: {module: at(site.module), loader: at(site.loader), api: at(site.api)}});
  } catch (e) {
    worker.terminate();
    throw e;
  }
  // One after the other: what is no longer wanted when its turn comes is left out.
  return (path, query, signal) => {
    const mine = turn.then(() => (signal.aborted ? null : call({part: {file: site.file, lang: site.lang, path, query}})));
    turn = mine.catch(() => {});
    return mine;
  };
}
