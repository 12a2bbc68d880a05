package edit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// editor makes the edits of one object of a file.
type editor struct {
	*editedFile
	locales  []string
	postpone func(path []Step, value any) // takes what the next round has to do
}

var errInPlace = errors.New("it is written in a way that can't be changed automatically: edit the file by hand")

// inside changes what is in a value, to which a path leads: members of an object, texts by
// locale, or items of a list.
func (e *editor) inside(n *yaml.Node, path []Step, t *valueTree) error {
	for _, child := range t.lastFirst() {
		isText, isMember := child.step.Locale != "", child.step.Key != ""
		switch {
		case isText && n.Kind == yaml.String:
			return e.localizePlain(n, t)
		case isText && n.Kind != yaml.Object && n.Kind != yaml.List, !isText && !isMember && n.Kind != yaml.List:
			return errInPlace
		}
		at := append(slices.Clip(path), child.step)
		var err error
		switch old := child.step.from(n); {
		case old == nil && !child.adds():
		case old == nil:
			err = e.insert(n, child)
		case child.isLeaf && child.value != nil, isMember && child.adds() && old.Kind == yaml.Null:
			err = e.replace(contentOf(old, child), child.build())
		case child.isLeaf || e.emptied(old, child):
			err = e.remove(old)
		default:
			err = e.inside(old, at, child)
		}
		if errors.Is(err, errTaken) {
			child.each(at, e.postpone) // in the next round
			err = nil
		}
		switch {
		case err != nil && isMember:
			return fmt.Errorf("%s: %w", child.step.Key, err)
		case err != nil:
			return err
		}
	}
	return nil
}

// lastFirst returns the children with the last of several items to remove first, so that an item
// that is removed in a later round keeps its number.
func (t *valueTree) lastFirst() []*valueTree {
	if t.adds() {
		return t.children
	}
	list := slices.Clone(t.children)
	slices.SortStableFunc(list, func(a, b *valueTree) int { return cmp.Compare(b.step.Number, a.step.Number) })
	return list
}

// is reports whether a step leads to a member of an object or an item of a list.
func (s Step) is(item *yaml.Node) bool {
	switch {
	case s.Key != "":
		return item.Key == s.Key
	case s.Locale != "":
		return strings.EqualFold(folder.LocaleEntryOf(item).Locale, s.Locale)
	case s.ID != "":
		id, scheme := item.Get("id"), item.Get("scheme")
		return id != nil && id.Value == s.ID && (s.Scheme == "" || scheme != nil && scheme.Value == s.Scheme)
	}
	return s.Number == item.Index+1
}

// from returns what a step leads to in an object or a list, or nil.
func (s Step) from(n *yaml.Node) *yaml.Node {
	for item := range n.All() {
		if s.is(item) {
			return item
		}
	}
	return nil
}

// emptied reports whether the removals leave a value empty.
func (e *editor) emptied(n *yaml.Node, t *valueTree) bool {
	if t.isLeaf {
		return t.value == nil
	}
	if t.adds() || n.Kind != yaml.Object && n.Kind != yaml.List {
		return !t.adds() && n.Kind == yaml.String // a plain text in the fallback locale
	}
	remaining := 0
	for item := range n.All() {
		if item.Key == "id" || item.Key == "scheme" {
			continue
		}
		c := slices.IndexFunc(t.children, func(child *valueTree) bool { return child.step.is(item) })
		if c < 0 || !e.emptied(contentOf(item, t.children[c]), t.children[c]) {
			remaining++
		}
	}
	return remaining == 0
}

// contentOf returns the value that a step leads to.
func contentOf(item *yaml.Node, child *valueTree) *yaml.Node {
	if child.step.Locale != "" && !item.InObject() {
		if value := item.Get("value"); value != nil {
			return value
		}
	}
	return item
}

// localizePlain changes a text that is written as a plain string, which is in the
// fallback locale.
func (e *editor) localizePlain(n *yaml.Node, t *valueTree) error {
	if len(e.locales) == 0 {
		return errInPlace
	}
	all := yaml.Mapping{{Key: e.locales[0], Value: n.Value}}
	for _, child := range t.children {
		switch {
		case child.value == nil:
			return errInPlace
		case strings.EqualFold(child.step.Locale, e.locales[0]):
			all[0].Value = child.value
		default:
			all = append(all, yaml.Member{Key: child.step.Locale, Value: child.value})
		}
	}
	if len(all) == 1 {
		return e.replace(n, all[0].Value)
	}
	return e.replace(n, all)
}

// edit adds an edit of the text without a byte order mark.
func (e *editor) edit(start, end int, text string) error {
	if bytes.Contains(e.text.Data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return e.take(document.Edit{Range: e.text.Range(start, end), Text: []byte(text)})
}

// at returns the byte at an offset.
func (e *editor) at(offset int) byte {
	if offset < 0 || offset >= len(e.text.Data) {
		return 0
	}
	return e.text.Data[offset]
}

// inFlow reports whether a value is written in braces or brackets, or in JSON.
func (e *editor) inFlow(n *yaml.Node) bool {
	for ; n != nil; n = n.Parent {
		if c := e.at(e.text.SkipProperties(e.text.Offset(n.Place))); (n.Kind == yaml.Object || n.Kind == yaml.List) && (c == '{' || c == '[') {
			return true
		}
	}
	return false
}

func (e *editor) isJSON() bool { return e.Ext() == ".json" }

// lineStart and lineEnd return the ends of the line of an offset, without its break.
func (e *editor) lineStart(offset int) int {
	return bytes.LastIndexByte(e.text.Data[:offset], '\n') + 1
}

func (e *editor) lineEnd(offset int) int {
	i := bytes.IndexByte(e.text.Data[offset:], '\n')
	switch {
	case i < 0:
		return len(e.text.Data)
	case i > 0 && e.text.Data[offset+i-1] == '\r':
		i--
	}
	return offset + i
}

// flowText returns a value on one line, in braces and brackets.
func (e *editor) flowText(value any) string {
	var parts []string
	switch v := value.(type) {
	case yaml.Mapping:
		for _, m := range v {
			parts = append(parts, e.flowText(m.Key)+": "+e.flowText(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []yaml.Mapping:
		for _, m := range v {
			parts = append(parts, e.flowText(m))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if e.isJSON() {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(value) // strings, numbers, booleans and lists of strings
		return strings.TrimSuffix(b.String(), "\n")
	}
	switch v := value.(type) {
	case []string:
		return yaml.InlineList(v)
	case string:
		return yaml.Inline(v)
	}
	return fmt.Sprint(value)
}

// replace gives a value another text. A text keeps its style if it can.
func (e *editor) replace(n *yaml.Node, value any) error {
	s, isText := value.(string)
	switch {
	case e.isJSON():
		start, end := e.text.Span(n)
		return e.edit(start, end, e.flowText(value))
	case n.Kind == yaml.Null && n.Value == "" || n.Kind == yaml.Object || n.Kind == yaml.List:
		return e.replaceWhole(n, value)
	case !isText:
		start, end := e.text.Span(n)
		if _, nested := value.(yaml.Mapping); nested {
			return e.replaceWhole(n, value)
		}
		return e.edit(e.text.SkipProperties(start), end, e.flowText(value))
	}
	old, ok := e.text.Scalar(n, false)
	if !ok {
		return errInPlace
	}
	flow := e.inFlow(n)
	return e.edit(old.Start, old.End, e.styled(n, old, s, flow))
}

// styled returns a text in the style of the one that it replaces.
func (e *editor) styled(n *yaml.Node, old yaml.Scalar, s string, flow bool) string {
	indent, column := e.indentOf(n), old.Start-e.lineStart(old.Start)
	switch {
	case old.Style == '"':
		return yaml.Quote(s)
	case old.Style == '\'' && !strings.ContainsFunc(s, yaml.IsSpecial):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case flow:
		return yaml.Inline(s)
	case e.commented(old.End):
		if old.Style == 0 && yaml.IsPlain(s, false) {
			return s
		}
		return yaml.Quote(s) // on one line, so that the comment stays one
	case old.Style == '>' && yaml.IsFoldable(s):
		margin := "\n" + strings.Repeat(" ", max(old.First-e.lineStart(old.First), indent))
		return ">-" + margin + yaml.Fold(s, margin, yaml.LineWidth-len(margin)+1)
	case old.Style == 0 && yaml.IsPlain(s, false) && column+utf8.RuneCountInString(s) <= max(yaml.LineWidth, column+utf8.RuneCountInString(n.Value)):
		return s
	}
	return yaml.BlockScalar(s, indent, column)
}

// commented reports whether something follows on the line of an offset.
func (e *editor) commented(offset int) bool {
	return len(bytes.TrimSpace(e.text.Data[offset:e.lineEnd(offset)])) > 0
}

// indentOf returns how far the further lines of a value are indented.
func (e *editor) indentOf(n *yaml.Node) int {
	if n.InObject() {
		return n.KeyAt.Column + 1
	}
	return n.Column + 1
}

// replaceWhole replaces a member of an object with its key.
func (e *editor) replaceWhole(n *yaml.Node, value any) error {
	if e.inFlow(n) || !n.InObject() {
		start, end := e.text.Span(n)
		return e.edit(start, end, e.flowText(value))
	}
	start := e.text.Offset(n.KeyAt)
	_, end := e.text.Span(n)
	if n.Kind == yaml.Null && n.Value == "" {
		end = start + len(n.Key) + 1
		if e.at(end-1) != ':' {
			return errInPlace // the key is quoted, or far from its colon
		}
	}
	return e.edit(start, end, memberText(n.Key, value, n.KeyAt.Column-1))
}

// memberText returns a key and its value in block style, without the last line break.
func memberText(key string, value any, indent int) string {
	var w yaml.Writer
	w.Member(key, value, indent)
	return strings.TrimSuffix(w.String(), "\n")
}

// insert adds a member after the last one of an object, or an item after the last one of a
// list.
func (e *editor) insert(n *yaml.Node, child *valueTree) error {
	var added yaml.Mapping
	switch {
	case n.Kind == yaml.Object:
		added = yaml.Mapping{{Key: cmp.Or(child.step.Key, child.step.Locale), Value: child.build()}}
	case child.step.Key != "":
		return errInPlace
	case child.step.Locale != "":
		added = yaml.Mapping{{Key: "locale", Value: child.step.Locale}, {Key: "value", Value: child.value}}
	default:
		items, _ := (&valueTree{children: []*valueTree{child}}).build().([]yaml.Mapping)
		added = items[0]
	}
	if e.inFlow(n) {
		text := e.flowText(added)
		if n.Kind == yaml.Object {
			text = text[1 : len(text)-1] // without the braces
		}
		return e.insertFlow(n, text)
	}
	if len(n.Items) == 0 || n.Kind == yaml.List && e.at(e.text.Offset(n.Place)) != '-' {
		return errInPlace
	}
	last := &n.Items[len(n.Items)-1]
	_, end := e.text.Span(last)
	at := e.lineEnd(max(end, e.text.Offset(last.Begin())))
	indent, dash := n.Items[0].KeyAt.Column-1, ""
	if n.Kind == yaml.List {
		indent, dash = n.Column-1, "- "
	}
	var w yaml.Writer
	w.WriteString("\n" + strings.Repeat(" ", indent) + dash)
	w.Mapping(added, indent+len(dash))
	return e.edit(at, at, strings.TrimSuffix(w.String(), "\n"))
}

// insertFlow adds text after the last item in braces or brackets, on a line of its own
// if the last item is.
func (e *editor) insertFlow(n *yaml.Node, text string) error {
	if len(n.Items) == 0 {
		at := e.text.SkipProperties(e.text.Offset(n.Place)) + 1
		return e.edit(at, at, text)
	}
	last := &n.Items[len(n.Items)-1]
	_, end := e.text.Span(last)
	separator := ", "
	if p := last.Begin(); p.Line != n.Line {
		separator = ",\n" + strings.Repeat(" ", p.Column-1)
	}
	return e.edit(end, end, separator+text)
}

// remove removes a member of an object or an item of a list.
func (e *editor) remove(n *yaml.Node) error {
	start := e.text.Offset(n.Begin())
	_, end := e.text.Span(n)
	end = max(end, start)
	first := e.lineStart(start)
	before := strings.TrimLeft(string(e.text.Data[first:start]), " ")
	switch next, flow := n.Next(), e.inFlow(n.Parent); {
	case !flow && !n.InObject(): // after its dash
		if !strings.HasPrefix(before, "-") || strings.Trim(before[1:], " ") != "" {
			return errInPlace
		}
		return e.removeLines(first, end)
	case !flow && (before == "" || before == "? "):
		return e.removeLines(first, end)
	case next != nil:
		return e.edit(start, e.text.Offset(next.Begin()), "")
	case n.Index > 0:
		_, before := e.text.Span(&n.Parent.Items[n.Index-1])
		return e.edit(before, end, "")
	}
	return errInPlace
}

// removeLines removes the lines from the start of one to the end of another.
func (e *editor) removeLines(first, end int) error {
	last := e.lineEnd(end)
	for range 2 {
		if c := e.at(last); c == '\r' || c == '\n' {
			last++
			if c == '\n' {
				break
			}
		}
	}
	return e.edit(first, last, "")
}

// RemoveKey removes a key of the object that a YAML or JSON file is, and keeps every other byte,
// comments included. It is an error if the key is written in a way that can't be removed.
func RemoveKey(name string, data []byte, key string) ([]byte, error) {
	root, p := yaml.Parse(name, data)
	if p != nil {
		return nil, errInPlace
	}
	member := root.Get(key)
	if member == nil {
		return data, nil
	}
	e := editor{editedFile: &editedFile{Entry: folder.Entry{Name: name}, text: yaml.NewText(name, data)}}
	if err := e.remove(member); err != nil {
		return nil, err
	}
	text, err := document.ApplyEdits(data, e.edits)
	// YAML can be written in many ways, so the result is parsed: it must be the same but for the
	// key.
	if left, p := yaml.Parse(name, text); err != nil || p != nil || !root.EqualExcept(left, key) {
		return nil, errInPlace
	}
	return text, nil
}
