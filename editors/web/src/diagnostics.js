// Diagnostics with their fixes. The client of CodeMirror has neither fixes nor links, and
// waits for half a second before it sends a change.
import {setDiagnostics} from '@codemirror/lint';
import {LSPPlugin} from '@codemirror/lsp-client';
import {ViewPlugin} from '@codemirror/view';
import {counted} from './status.js';

// A change of a large document is sent when typing pauses.
const large = 100_000; // characters
const pause = 150; // ms

const sync = ViewPlugin.fromClass(class {
  #timer;

  update({docChanged, state, view}) {
    if (!docChanged) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => LSPPlugin.get(view)?.client.sync(), state.doc.length < large ? 0 : pause);
  }

  destroy() {
    clearTimeout(this.#timer);
  }
});

const severities = ['', 'error', 'warning', 'info', 'hint'];
const quickFixes = {diagnostics: [], only: ['quickfix']};

// diagnostics is an extension of the client.
export function diagnostics(onDiagnostics) {
  return {
    clientCapabilities: {textDocument: {
      publishDiagnostics: {versionSupport: true},
      codeAction: {codeActionLiteralSupport: {codeActionKind: {valueSet: ['quickfix']}}},
    }},
    notificationHandlers: {
      'textDocument/publishDiagnostics': (client, {uri, version, diagnostics: found}) => {
        const file = client.workspace.getFile(uri);
        const view = file?.getView();
        const plugin = view && LSPPlugin.get(view);
        if (!plugin || (version != null && version !== file.version)) return true;
        if (blank(file.doc)) {
          invite(view);
        } else {
          show(view, plugin, found, new Map());
          if (found.length > 0) addFixes(view, plugin, file, found);
        }
        onDiagnostics?.(found);
        return true;
      },
    },
    editorExtension: sync,
  };
}

// blank reports whether nothing has been written.
function blank(doc) {
  for (const part of doc) {
    if (/\S/.test(part)) return false;
  }
  return true;
}

// invite shows no findings: an empty text is invalid JSON, but not yet a mistake.
const invite = (view) => view.dispatch(setDiagnostics(view.state, []), {effects: counted.of(null)});

const key = ({range, code, message: text}) => JSON.stringify([range, code, text]);

// addFixes asks for the fixes of the findings, and shows them unless the document has
// changed meanwhile.
async function addFixes(view, plugin, file, found) {
  const {version, doc, uri} = file;
  const range = {start: {line: 0, character: 0}, end: plugin.toPosition(doc.length, doc)};
  const actions = await plugin.client.request('textDocument/codeAction', {textDocument: {uri}, range, context: quickFixes}).catch(() => null);
  if (!actions?.length || file.version !== version || LSPPlugin.get(view) !== plugin) return;
  const titles = new Map(); // of fixes, by finding
  for (const {title, diagnostics: fixed = []} of actions) {
    for (const d of fixed) titles.set(key(d), [...(titles.get(key(d)) ?? []), title]);
  }
  show(view, plugin, found, titles);
}

// show shows findings. The text may have changed since it was sent.
function show(view, plugin, found, titles) {
  const place = (position) => {
    const {syncedDoc} = plugin;
    const line = syncedDoc.line(Math.min(position.line + 1, syncedDoc.lines));
    return plugin.unsyncedChanges.mapPos(Math.min(line.from + position.character, line.to));
  };
  const list = found.map((d) => ({
    from: place(d.range.start), to: place(d.range.end),
    severity: severities[d.severity] ?? 'error', message: d.message,
    renderMessage: () => message(d),
    actions: (titles.get(key(d)) ?? []).map((name) => ({name, apply: (v, from, to) => fix(v, name, from, to)})),
  }));
  view.dispatch(setDiagnostics(view.state, list), {effects: counted.of(found)});
}

// message returns a finding as text, with a link to what explains its code.
function message({message: text, code, codeDescription}) {
  const dom = document.createElement('span');
  dom.dir = 'auto';
  dom.append(`${text} `);
  const href = codeDescription?.href ?? '';
  if (/^https?:/.test(href)) {
    const link = document.createElement('a');
    Object.assign(link, {href, textContent: code, target: '_blank', rel: 'noopener noreferrer'});
    dom.append(link);
  }
  return dom;
}

// fix asks for the fixes of a finding again, since the text may have changed, and makes the
// one with a title.
function fix(view, title, from, to) {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  const {client, uri} = plugin;
  client.sync();
  const range = {start: plugin.toPosition(from), end: plugin.toPosition(to)};
  client.withMapping(async (mapping) => {
    const actions = await client.request('textDocument/codeAction', {textDocument: {uri}, range, context: quickFixes});
    const edits = actions?.find((a) => a.title === title)?.edit.changes?.[uri];
    if (!edits) return;
    const changes = edits.map(({range: {start, end}, newText}) => ({
      from: mapping.mapPosition(uri, start), to: mapping.mapPosition(uri, end), insert: newText,
    }));
    view.dispatch({changes, userEvent: 'input.fix'});
  }).catch((e) => plugin.reportError('The fix failed', e));
}
