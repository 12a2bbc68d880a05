// The editor of browsers without WebAssembly: a plain textarea.
export function textarea(parent, {value = '', label = 'Datachain document', onChange}) {
  const element = document.createElement('textarea');
  Object.assign(element, {value, rows: 20, cols: 80, spellcheck: false, dir: 'ltr'});
  element.style.maxWidth = '100%';
  element.setAttribute('aria-label', label);
  element.addEventListener('input', () => onChange?.(element.value));
  parent.append(element);
  return {
    kind: 'text',
    element,
    ready: Promise.resolve(),
    get value() { return element.value; },
    set value(text) {
      element.value = text;
      onChange?.(text);
    },
    preview: async () => '',
    format() {},
    focus: () => element.focus(),
    destroy: () => element.remove(),
  };
}
