// Starts WebAssembly modules that were compiled from Go.
import './dist/wasm_exec.js';

// start runs a module and returns its functions.
export async function start(wasm) {
  const go = new globalThis.Go();
  const instance = await instantiate(await wasm, go.importObject);
  let functions;
  globalThis.__datachain_ready = (f) => { functions = f; };
  const exited = go.run(instance); // up to where it waits for calls
  delete globalThis.__datachain_ready;
  if (!functions) {
    await exited;
    throw new Error('it ended before it was ready');
  }
  return functions;
}

async function instantiate(wasm, imports) {
  if (wasm instanceof WebAssembly.Module) return WebAssembly.instantiate(wasm, imports);
  if (typeof wasm === 'string' || wasm instanceof URL) wasm = await read(new URL(wasm, globalThis.location?.href ?? import.meta.url));
  if (typeof Response !== 'undefined' && wasm instanceof Response) {
    if (!wasm.ok) throw new Error(`${wasm.url} answered ${wasm.status}`);
    if (wasm.headers.get('Content-Type')?.startsWith('application/wasm')) {
      return (await WebAssembly.instantiateStreaming(wasm, imports)).instance;
    }
    wasm = await wasm.arrayBuffer();
  }
  return (await WebAssembly.instantiate(wasm, imports)).instance;
}

// read fetches a URL, or reads a file in Node, whose fetch does not.
async function read(url) {
  if (url.protocol !== 'file:') return fetch(url);
  const fs = 'node:fs/promises'; // not a literal, since bundlers for browsers would look for it
  return (await import(/* @vite-ignore */ /* webpackIgnore: true */ fs)).readFile(url);
}

const encoder = new TextEncoder();

// encode returns a text, or another value as JSON, in bytes, as a module expects it.
export function encode(value) {
  if (value === undefined) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value));
}
