// A line below the text that says how many problems there are, with buttons for those who
// do not know the keys. Its texts can be translated: see phrases in the README.
import {openLintPanel} from '@codemirror/lint';
import {LSPPlugin} from '@codemirror/lsp-client';
import {StateEffect, StateField} from '@codemirror/state';
import {showPanel} from '@codemirror/view';
import {indent} from './indent.js';

// counted has the findings of the current text, or null if there is no text to judge, and
// told a message.
export const counted = StateEffect.define();
const told = StateEffect.define();

export const say = (view, message) => view.dispatch({effects: told.of(message)});

// state is {found}, {message}, or nothing while the language server is being loaded.
const state = StateField.define({
  create: () => ({}),
  update(value, tr) {
    for (const e of tr.effects) {
      if (e.is(counted)) value = {found: e.value};
      if (e.is(told)) value = {message: e.value};
    }
    return value;
  },
});

function text(s) {
  const {found, message} = s.field(state);
  if (message) return message;
  if (found === undefined) return s.phrase('Loading…');
  if (found === null) return s.phrase('Type or paste a document');
  const errors = found.filter((d) => d.severity === 1).length;
  const counts = [[errors, 'error', 'errors'], [found.length - errors, 'warning', 'warnings']].filter(([n]) => n > 0);
  return counts.map(([n, one, many]) => `${n} ${s.phrase(n === 1 ? one : many)}`).join(', ') || s.phrase('No problems');
}

function panel(view) {
  const dom = document.createElement('div');
  dom.className = 'cm-datachain-status';
  const line = document.createElement('span');
  line.setAttribute('role', 'status');
  line.dir = 'auto';
  const button = (label, keys, run) => {
    const b = document.createElement('button');
    Object.assign(b, {type: 'button', textContent: view.state.phrase(label), title: keys});
    b.addEventListener('click', () => {
      run(view);
      if (run !== openLintPanel) view.focus();
    });
    return b;
  };
  dom.append(line, button('Problems', 'Ctrl-.', openLintPanel), button('Format', 'Shift-Alt-F', indent));
  const update = () => {
    const now = text(view.state);
    if (line.textContent !== now) line.textContent = now;
    for (const b of dom.querySelectorAll('button')) b.disabled = !LSPPlugin.get(view);
  };
  update();
  return {dom, update};
}

export const status = [state, showPanel.of(panel)];
