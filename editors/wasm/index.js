// The interface of the package. The work is done by the WebAssembly module, which
// main_js.go describes; this file fetches what it needs and turns JSON into values.
import {DatachainError, fetched, upstream} from './error.js';
import {encode, start} from './module.js';

export {api, files} from './stores.js';
export {DatachainError};

// load starts the module and reads the index of a store.
export async function load({store, wasm = new URL('./dist/datachain.wasm', import.meta.url)}) {
  const datachain = new Datachain(await fetched(() => start(wasm), 'The WebAssembly module'), store);
  await datachain.refresh();
  return datachain;
}

class Datachain {
  #module;
  #store;
  #index;
  #loading = new Map(); // by version and content

  constructor(module, store) {
    this.#module = module;
    this.#store = store;
  }

  // refresh reads the index again.
  async refresh() {
    this.#index = value(this.#module.setIndex(encode(await fetched(() => this.#store.index(), 'The index of schema versions'))));
    return this.#index;
  }

  versions() {
    return this.#index.versions;
  }

  async open(version) {
    return this.#call('open', {version});
  }

  async validate(document, options) {
    return this.#call('validate', options, document);
  }

  async fix(document, options) {
    return this.#call('fix', options, document);
  }

  async resolve(document, options) {
    return this.#call('resolve', options, document);
  }

  async upgrade(document, options) {
    return this.#call('upgrade', options, document);
  }

  async search(version, query, options) {
    return this.#call('search', {...options, version, query});
  }

  async icon(version, elementId, variant) {
    return this.#call('icon', {version, element_id: elementId, variant});
  }

  async render(document, options) {
    return this.#call('render', options, document);
  }

  // #call runs an operation, and loads the releases that it needs.
  async #call(operation, options = {}, document) {
    const text = encode(document);
    const loaded = new Set();
    for (;;) {
      const answer = JSON.parse(this.#module.call(operation, JSON.stringify(options), text));
      if (!answer.load) return take(answer);
      const {id, content_hash} = answer.load;
      const key = `${id} ${content_hash}`;
      if (loaded.has(key)) throw upstream(`The release ${id} could not be loaded.`);
      loaded.add(key);
      if (!this.#loading.has(key)) {
        this.#loading.set(key, this.#load(answer.load).finally(() => this.#loading.delete(key)));
      }
      await this.#loading.get(key);
    }
  }

  // #load fetches a release and adds it. A beta may have changed since the index was read.
  async #load(needed) {
    try {
      const release = await fetched(() => this.#store.release(needed), `The release ${needed.id}`);
      value(this.#module.add(needed.id, encode(release)));
    } catch (e) {
      const now = (await this.refresh()).versions.find(({id}) => id === needed.id);
      if (now?.content_hash === needed.content_hash) throw e;
    }
  }
}

const value = (text) => take(JSON.parse(text));

// take returns the value of an answer, or throws its error.
function take(answer) {
  if (answer.error) throw new DatachainError(answer.error);
  return answer.value;
}
