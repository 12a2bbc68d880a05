// The script of the Worker: that of web/wasm, in one file.
import '../../wasm/lsp-worker.js';
