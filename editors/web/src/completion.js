// Completions as the server has chosen and sorted them. CodeMirror would filter them again,
// by the whole text that is replaced, such as a closing quote after the cursor; and it
// would not ask again for what search finds by other words.
import {autocompletion, hasNextSnippetField, pickedCompletion, startCompletion} from '@codemirror/autocomplete';
import {EditorView} from '@codemirror/view';
import {serverCompletionSource} from '@codemirror/lsp-client';

async function source(context) {
  const result = await serverCompletionSource(context);
  if (!result?.options.length) return null;
  const {from, to, options} = result;
  return {from, to, options, filter: false};
}

// After a completion, the next question opens by itself: in the first empty value that it has
// left behind, in those to which Tab leads, and in the next empty one of the placement.
const empty = /["[{:]\s*$/;
const gap = /[:[]\s*"(?=")/;
const next = EditorView.updateListener.of(({startState, state, transactions, view}) => {
  const picked = transactions.some((t) => t.annotation(pickedCompletion));
  const moved = hasNextSnippetField(startState) && transactions.some((t) => !t.docChanged && t.selection && !t.isUserEvent('select'));
  const {main} = state.selection;
  if (!picked && !moved || !main.empty) return;
  let anchor = main.head;
  if (!empty.test(state.sliceDoc(Math.max(0, anchor - 40), anchor))) {
    const [rest] = state.sliceDoc(anchor, anchor + 2000).split('"element_id"');
    const found = picked && !hasNextSnippetField(state) && gap.exec(rest);
    if (!found) return;
    anchor += found.index + found[0].length;
  }
  setTimeout(() => { // not while the view is updated
    if (anchor !== main.head) view.dispatch({selection: {anchor}, scrollIntoView: true});
    startCompletion(view);
  });
});

export const completion = [autocompletion({override: [source], icons: false}), next];
