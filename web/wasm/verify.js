// Verifies proofs of documents with a trust file: a WebAssembly module of its own, which
// verify/main_js.go describes.
import {DatachainError, fetched} from './error.js';
import {encode, start} from './module.js';

export {DatachainError};

// loadVerifier starts the module. It returns a function that verifies a document.
export async function loadVerifier({wasm = new URL('./dist/verify.wasm', import.meta.url)} = {}) {
  const verify = (await fetched(() => start(wasm), 'The WebAssembly module')).open();
  return (document, {proof, trust, snapshot = false}) => {
    const {failure, ...report} = JSON.parse(verify(JSON.stringify({document: base64(document), proof: base64(proof), trust: base64(trust), snapshot})));
    if (failure) throw new DatachainError({code: 'bad_request', message: failure, fix_hint: 'use a trust file of the publisher', severity: 'error'});
    return report;
  };
}

const base64 = (file) => file && btoa(Array.from(encode(file), (byte) => String.fromCharCode(byte)).join(''));
