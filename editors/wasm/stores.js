// Where releases come from. A store has two functions: index returns the index of
// versions, release returns one release. What they return is verified by the module.

// api reads from a server with the REST API. base is its URL, with or without /api/v2.
export function api(base, {fetch = globalThis.fetch, headers} = {}) {
  const root = folder(base);
  const prefix = root.pathname.endsWith('/api/v2/') ? root : new URL('api/v2/', root);
  const get = (path) => bytes(fetch, new URL(path, prefix), headers);
  return {
    index: () => get('schemas'),
    release: ({id}) => get(`schemas/${encodeURIComponent(id)}/release`),
  };
}

// files reads published releases, a directory on a static host or a bucket. base is its
// URL.
export function files(base, {fetch = globalThis.fetch, headers} = {}) {
  const root = folder(base);
  const get = (path) => bytes(fetch, new URL(path, root), headers);
  return {
    index: () => get('index.json'),
    release: ({archive}) => get(archive),
  };
}

// folder returns a URL that others are relative to.
function folder(base) {
  const url = new URL(base, globalThis.location?.href);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function bytes(fetch, url, headers) {
  const response = await fetch(url, {headers});
  if (!response.ok) throw Object.assign(new Error(`${url} answered ${response.status}`), {status: response.status});
  return new Uint8Array(await response.arrayBuffer());
}
