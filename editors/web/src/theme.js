// Light and dark colours, by the system or as the page says. All texts have a contrast of
// at least 4.5.
import {HighlightStyle, syntaxHighlighting} from '@codemirror/language';
import {Compartment} from '@codemirror/state';
import {EditorView} from '@codemirror/view';
import {tags as t} from '@lezer/highlight';

const common = (c) => ({
  '&': {color: c.text, backgroundColor: c.back, border: `1px solid ${c.line}`, fontSize: '0.875rem', textAlign: 'left'},
  '&.cm-focused': {outline: `2px solid ${c.accent}`, outlineOffset: '-1px'},
  '.cm-scroller': {fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', flexGrow: '1', minHeight: '6rem', maxHeight: 'inherit'},
  '.cm-content': {caretColor: c.text},
  '.cm-cursor, .cm-dropCursor': {borderLeftColor: c.text},
  '.cm-gutters': {color: c.faint, backgroundColor: c.back, borderRight: `1px solid ${c.line}`},
  '.cm-activeLine, .cm-activeLineGutter': {backgroundColor: c.active},
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: c.selection},
  '.cm-panels': {color: c.text, backgroundColor: c.panel},
  '.cm-panels.cm-panels-bottom': {borderTop: `1px solid ${c.line}`},
  '.cm-tooltip': {
    color: c.text, backgroundColor: c.panel, border: `1px solid ${c.line}`,
    maxWidth: 'min(36rem, 100vw - 1rem)', boxSizing: 'border-box', overflowWrap: 'anywhere',
  },
  '.cm-lsp-hover-tooltip': {maxHeight: 'min(24rem, 60vh)', overflowY: 'auto', fontFamily: 'system-ui, sans-serif'},
  '.cm-lsp-documentation img': {width: '3rem', height: '3rem', display: 'block', margin: '0.25rem 0'},
  '.cm-lsp-documentation ul': {margin: '0.25rem 0', paddingInlineStart: '1.25rem'},
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {maxWidth: '100%', maxHeight: '16rem', fontFamily: 'system-ui, sans-serif'},
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {padding: '0.25rem 0.5rem', whiteSpace: 'normal', textIndent: '0'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {color: c.back, backgroundColor: c.accent},
  '.cm-completionDetail': {color: c.faint},
  'li[aria-selected] .cm-completionDetail': {color: 'inherit'},
  '.cm-diagnostic': {fontFamily: 'system-ui, sans-serif', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere'},
  '.cm-diagnostic a, .cm-lsp-documentation a': {color: c.accent},
  '.cm-diagnosticAction': {
    color: c.back, backgroundColor: c.accent, border: 'none', borderRadius: '3px', font: 'inherit',
    padding: '0.25rem 0.5rem', margin: '0.25rem 0.25rem 0 0', display: 'block', textAlign: 'start',
  },
  '.cm-panel.cm-panel-lint ul': {maxHeight: '10rem'},
  '.cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]': {backgroundColor: c.active, color: c.text},
  '.cm-panel.cm-panel-lint button[name=close]': {color: c.text},
  '.cm-datachain-status': {display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.5rem', padding: '0.25rem 0.5rem', fontFamily: 'system-ui, sans-serif'},
  '.cm-datachain-status [role=status]': {flex: '1 1 6rem', overflowWrap: 'anywhere'},
  '.cm-datachain-status button': {font: 'inherit', color: c.text, backgroundColor: c.back, border: `1px solid ${c.line}`, borderRadius: '3px', padding: '0.25rem 0.625rem', minHeight: '1.75rem'},
  '.cm-datachain-status button:disabled': {color: c.faint},
  '.cm-datachain-status button:focus-visible': {outline: `2px solid ${c.accent}`},
});

const colours = (c) => syntaxHighlighting(HighlightStyle.define([
  {tag: t.propertyName, color: c.key},
  {tag: t.string, color: c.string},
  {tag: [t.number, t.bool, t.null], color: c.value},
]));

function theme(c, dark) {
  return [EditorView.theme(common(c), {dark}), colours(c)];
}

const light = theme({
  text: '#1a1c20', back: '#ffffff', panel: '#f5f6f8', line: '#c3c8d0', faint: '#5d6472', active: '#eef2fb', selection: '#c9dcff',
  accent: '#0b57d0', key: '#7a3e00', string: '#0a6434', value: '#8a1c7c',
}, false);
const dark = theme({
  text: '#e6e8ec', back: '#16181d', panel: '#20232a', line: '#454b57', faint: '#a2a9b6', active: '#232936', selection: '#2f4a7d',
  accent: '#8ab4f8', key: '#f0b37e', string: '#8fd6a4', value: '#e2a6dc',
}, true);

// themes returns the extension, and a function that stops following the system.
export function themes(choice, dispatch) {
  const compartment = new Compartment();
  const query = matchMedia('(prefers-color-scheme: dark)');
  const now = () => (choice === 'dark' || (choice === 'auto' && query.matches) ? dark : light);
  const follow = () => dispatch(compartment.reconfigure(now()));
  if (choice === 'auto') query.addEventListener('change', follow);
  return {extension: compartment.of(now()), stop: () => query.removeEventListener('change', follow)};
}
