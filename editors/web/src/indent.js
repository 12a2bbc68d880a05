// Indents the text of an editor. The tokens stay as they are, which JSON.stringify would not
// promise: numbers, escapes and repeated keys.
const tokens = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|\{\s*\}|\[\s*\]|[{}[\],:]/g;

const indented = (text) => {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return `${text.match(tokens).map((token) => {
    switch (token) {
      case '{': case '[': depth++; return token + line();
      case '}': case ']': depth--; return line() + token;
      case ',': return token + line();
      case ':': return ': ';
    }
    return /^[{[]/.test(token) ? token.replace(/\s+/, '') : token;
  }).join('')}\n`;
};

// indent is a command of CodeMirror. It leaves text alone that is not JSON.
export function indent(view) {
  const text = view.state.doc.toString();
  try {
    JSON.parse(text);
  } catch {
    return true;
  }
  const insert = indented(text);
  if (insert !== text) view.dispatch({changes: {from: 0, to: text.length, insert}, userEvent: 'format'});
  return true;
}
