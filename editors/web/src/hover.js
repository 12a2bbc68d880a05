// Hovers by keyboard: CodeMirror shows them for pointers only.
import {LSPPlugin} from '@codemirror/lsp-client';
import {StateEffect, StateField} from '@codemirror/state';
import {showTooltip} from '@codemirror/view';

const setTooltip = StateEffect.define();

// hoverTooltip shows what hoverAtCursor found, until the cursor moves or text changes.
export const hoverTooltip = StateField.define({
  create: () => null,
  update(tooltip, tr) {
    for (const e of tr.effects) if (e.is(setTooltip)) return e.value;
    return tr.docChanged || tr.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

// hoverAtCursor is a command that explains what is at the cursor, or hides that again.
export function hoverAtCursor(view) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return false;
  if (view.state.field(hoverTooltip)) {
    view.dispatch({effects: setTooltip.of(null)});
    return true;
  }
  const {doc, selection: {main: {head}}} = view.state;
  plugin.client.sync();
  plugin.client.request('textDocument/hover', {textDocument: {uri: plugin.uri}, position: plugin.toPosition(head)}).then((found) => {
    if (!found || view.state.doc !== doc) return;
    const create = () => {
      const dom = document.createElement('div');
      dom.className = 'cm-lsp-hover-tooltip cm-lsp-documentation';
      dom.setAttribute('role', 'status');
      dom.innerHTML = plugin.docToHTML(found.contents);
      return {dom};
    };
    view.dispatch({effects: setTooltip.of({pos: head, above: true, create})});
  }, (e) => plugin.reportError('The explanation failed', e));
  return true;
}
