// Uses the operations only.
import {files, load} from '@datachain-go/wasm';

globalThis.datachain = load({store: files('/published/')});
