// The page has a Content-Security-Policy without inline scripts. Its nonce is for the
// styles of CodeMirror.
import {createEditor, files} from '../dist/editor.js';

const settings = new URLSearchParams(location.search);
const nonce = document.querySelector('script[nonce]')?.nonce;

// For the tests, and for curious people with a console.
window.editor = createEditor(document.querySelector('#editor'), {
  languageServer: {store: files('/editors/wasm/build/store/samples/'), origin: 'the samples'},
  cspNonce: nonce,
  locale: settings.get('lang') ?? 'en',
  theme: settings.get('theme') ?? 'auto',
  onDiagnostics: (found) => { window.diagnostics = found; },
});
