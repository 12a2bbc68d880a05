// Strings with text from right to left do not turn the punctuation around them.
import {syntaxTree} from '@codemirror/language';
import {RangeSetBuilder} from '@codemirror/state';
import {Decoration, EditorView, ViewPlugin} from '@codemirror/view';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;
const isolate = Decoration.mark({attributes: {dir: 'auto'}, bidiIsolate: null, class: 'cm-isolate'});

// isolates isolates such strings, without their quotes, where they are visible.
export const isolates = ViewPlugin.fromClass(class {
  constructor(view) {
    this.set = find(view);
    this.tree = syntaxTree(view.state);
  }

  update({docChanged, viewportChanged, state, view}) {
    if (docChanged || viewportChanged || syntaxTree(state) !== this.tree) {
      this.set = find(view);
      this.tree = syntaxTree(state);
    }
  }
}, {
  provide: (plugin) => {
    const set = (view) => view.plugin(plugin)?.set ?? Decoration.none;
    return [EditorView.decorations.of(set), EditorView.bidiIsolatedRanges.of(set)];
  },
});

function find(view) {
  const builder = new RangeSetBuilder();
  for (const {from, to} of view.visibleRanges) {
    syntaxTree(view.state).iterate({from, to, enter: (node) => {
      if (!['String', 'PropertyName'].includes(node.name) || node.to - node.from < 3) return;
      if (rightToLeft.test(view.state.sliceDoc(node.from, node.to))) builder.add(node.from + 1, node.to - 1, isolate);
    }});
  }
  return builder.finish();
}
