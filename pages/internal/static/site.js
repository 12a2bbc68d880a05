// Runs the code of the server in a Worker, as WebAssembly: it searches a static site and answers
// its form. This file is loaded when that is first used.

// works reports whether it can run.
export const works = () => location.protocol.startsWith('http') && typeof WebAssembly === 'object' && typeof DecompressionStream === 'function';

// connect starts the Worker, and returns a function that asks it. It calls ended when the Worker
// has ended: that function then always fails.
async function connect(site, ended) {
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
  worker.onmessage = ({data: {id, answer, error}}) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(error)); // if the Worker has ended meanwhile, nothing waits
  };
  worker.onerror = (e) => end(new Error(e.message || 'The Worker could not be started.'));
  try {
    await call({open: {module: at(site.module), loader: at(site.loader), api: at(site.api), base: site.base}});
  } catch (e) {
    end(e);
    throw e;
  }
  return call;
}

// answers returns a function that answers a request as a server does: for a path and a query, with
// the body of a form if there is one.
export async function answers(site, ended) {
  const call = await connect(site, ended);
  return async (path, query, form) => {
    const sent = new Response(form); // encodes it
    const {status, headers, body} = await call({
      part: {file: site.file, lang: site.lang, method: form ? 'POST' : 'GET', address: path + (query && `?${query}`), type: sent.headers.get('Content-Type') ?? ''},
      body: new Uint8Array(await sent.arrayBuffer()),
    });
    return new Response(body, {status, headers});
  };
}

// start returns a function that makes a part of a page.
export async function start(site, ended) {
  const ask = await answers(site, ended);
  let turn = Promise.resolve();
  const part = async (path, query) => {
    const response = await ask(path, query);
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  // One after the other: what is no longer wanted when its turn comes is left out.
  return (path, query, signal) => {
    const mine = turn.then(() => (signal.aborted ? null : part(path, query)));
    turn = mine.catch(() => {});
    return mine;
  };
}
