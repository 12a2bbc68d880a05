// Runs the code of the server in a Worker, as WebAssembly: it searches a static site, and checks
// proofs. This file is loaded when that is first used.

// connect starts the Worker, and returns a function that asks it. It calls ended when the Worker
// has ended: that function then always fails.
export async function connect(site, ended) {
  const at = (address) => new URL(address, location.href).href;
  const worker = new Worker(at(site.worker));
  const waiting = new Map();
  let last = 0, failure;
  const call = (message) => new Promise((resolve, reject) => {
    if (failure) throw failure;
    waiting.set(++last, {resolve, reject});
    worker.postMessage({id: last, ...message});
  });
  const end = (error) => {
    failure = error;
    worker.terminate();
    for (const {reject} of waiting.values()) reject(error);
    waiting.clear();
    ended();
  };
  worker.onmessage = ({data: {id, html, error}}) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(html);
    else asked?.reject(new Error(error)); // if the Worker has ended meanwhile, nothing waits
  };
  worker.onerror = (e) => end(new Error(e.message || 'The Worker could not be started.'));
  try {
    await call({open: {module: at(site.module), loader: at(site.loader), api: site.api && at(site.api)}});
  } catch (e) {
    end(e);
    throw e;
  }
  return call;
}

// start returns a function that makes a part of a page.
export async function start(site, ended) {
  const call = await connect(site, ended);
  let turn = Promise.resolve();
  // One after the other: what is no longer wanted when its turn comes is left out.
  return (path, query, signal) => {
    const mine = turn.then(() => (signal.aborted ? null : call({part: {file: site.file, lang: site.lang, path, query}})));
    turn = mine.catch(() => {});
    return mine;
  };
}
