// Verifies proofs of documents.
import {loadVerifier} from '@datachain-go/wasm/verify';

globalThis.verify = loadVerifier();
