// Where releases come from. A store has two functions: index returns the index of
// versions, release returns one release. What they return is verified by the module.

// api reads from a server with the REST API. base is its URL, with or without /api/v2.
export function api(base, {fetch = globalThis.fetch, headers} = {}) {
  const root = folder(base);
  const prefix = root.pathname.endsWith('/api/v2/') ? root : new URL('api/v2/', root);
  const get = (path) => bytes(fetch, new URL(path, prefix), headers);
  return {
    index: () => get('schemas'),
    release: async ({id}) => ({release: await get(`schemas/${encodeURIComponent(id)}/release`)}),
  };
}

// files reads published releases, a directory on a static host or a bucket. base is its
// URL.
export function files(base, {fetch = globalThis.fetch, headers} = {}) {
  const root = folder(base);
  const get = (path) => bytes(fetch, new URL(path, root), headers);
  const names = [() => 'release.pack', (hash) => `${hash}.pack`]; // in a directory, in a bucket
  // Nothing tells the two apart but the name that is there. It is the same for most releases,
  // so the one that was found last is tried first.
  const getPack = async (path, hash) => {
    const [first, second] = [...names];
    try {
      return await get(`${path}/${first(hash)}`);
    } catch (error) {
      // A bucket whose objects may not be listed answers 403 for those that do not exist.
      if (error.status !== 404 && error.status !== 403) throw error;
      const pack = await get(`${path}/${second(hash)}`).catch((cause) => {
        throw new Error(error.message, {cause});
      });
      if (names[0] === first) names.reverse();
      return pack;
    }
  };
  return {
    index: () => get('index.json'),
    release: async ({path, packed, pack: hash}) => {
      if (packed) {
        const [release, pack] = await Promise.all([get(`${path}/release.json`), getPack(path, hash)]);
        return {release, pack};
      }
      const release = await get(`${path}/release.json`);
      // A static host lists no directories; elements name all symbols that are used.
      const {elements} = JSON.parse(new TextDecoder().decode(release));
      const ids = [...new Set(elements.map((e) => e.symbol_id))];
      const symbols = {};
      const next = ids.values();
      await Promise.all(Array.from({length: 8}, async () => {
        for (const id of next) {
          symbols[id] = new TextDecoder().decode(await get(`${path}/symbols/${encodeURIComponent(id)}.svg`));
        }
      }));
      return {release, symbols};
    },
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
