// Shows the editor.
import {createEditor, files} from '@datachain-go/editor';

globalThis.editor = createEditor(document.body, {languageServer: {store: files('/published/')}});
