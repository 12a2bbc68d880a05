// Starts the language server.
import {files, startLanguageServer} from '@datachain-go/wasm/lsp';

globalThis.server = startLanguageServer({store: files('/published/')});
