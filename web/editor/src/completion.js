// Completions as the server has chosen and sorted them. CodeMirror would filter them again,
// by the whole text that is replaced, such as a closing quote after the cursor; and it
// would not ask again for what search finds by other words.
import {autocompletion} from '@codemirror/autocomplete';
import {serverCompletionSource} from '@codemirror/lsp-client';

async function source(context) {
  const result = await serverCompletionSource(context);
  if (!result?.options.length) return null;
  const {from, to, options} = result;
  return {from, to, options, filter: false};
}

export const completion = autocompletion({override: [source], icons: false});
