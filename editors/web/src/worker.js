// The script of the Worker: that of editors/wasm, in one file.
import '../../wasm/lsp-worker.js';
