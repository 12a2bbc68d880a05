package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// editor makes the edits of one object of a file.
type editor struct {
	*editedFile
	locales []string
	wait    func(path []Step, value any) // takes what the next round has to do
}

var errInPlace = errors.New("it is written in a way that can't be changed automatically: edit the file by hand")

// inside changes what is in a value, to which a path leads: members of an object, texts by
// locale, or items of a list.
func (e *editor) inside(n *node, path []Step, w *want) error {
	for _, c := range w.lastFirst() {
		isText, isMember := c.step.Locale != "", c.step.Key != ""
		switch {
		case isText && n.kind == text:
			return e.localizePlain(n, w)
		case isText && n.kind != object && n.kind != list, !isText && !isMember && n.kind != list:
			return errInPlace
		}
		at := append(slices.Clip(path), c.step)
		var err error
		switch old := n.at(c.step); {
		case old == nil && !c.adds():
		case old == nil:
			err = e.insert(n, c)
		case c.isLeaf && c.value != nil, isMember && c.adds() && old.kind == null:
			err = e.replace(contentOf(old, c), c.build())
		case c.isLeaf || e.emptied(old, c):
			err = e.remove(old)
		default:
			err = e.inside(old, at, c)
		}
		if errors.Is(err, errTaken) {
			c.each(at, e.wait) // in the next round
			err = nil
		}
		switch {
		case err != nil && isMember:
			return fmt.Errorf("%s: %w", c.step.Key, err)
		case err != nil:
			return err
		}
	}
	return nil
}

// lastFirst returns what is wanted with the last of several items to remove first, so that
// one that waits keeps its number.
func (w *want) lastFirst() []*want {
	if w.adds() {
		return w.children
	}
	list := slices.Clone(w.children)
	slices.SortStableFunc(list, func(a, b *want) int { return cmp.Compare(b.step.Number, a.step.Number) })
	return list
}

// is reports whether a step leads to a member of an object or an item of a list.
func (s Step) is(item *node) bool {
	switch {
	case s.Key != "":
		return item.key == s.Key
	case s.Locale != "":
		return strings.EqualFold(entryOf(item).locale, s.Locale)
	case s.ID != "":
		id, scheme := item.get("id"), item.get("scheme")
		return id != nil && id.value == s.ID && (s.Scheme == "" || scheme != nil && scheme.value == s.Scheme)
	}
	return s.Number == item.index+1
}

// at returns what a step leads to in an object or a list, or nil.
func (n *node) at(s Step) *node {
	for item := range n.all() {
		if s.is(item) {
			return item
		}
	}
	return nil
}

// emptied reports whether nothing is left of a value: what is removed is all it has.
func (e *editor) emptied(n *node, w *want) bool {
	if w.isLeaf {
		return w.value == nil
	}
	if w.adds() || n.kind != object && n.kind != list {
		return !w.adds() && n.kind == text // a plain text in the fallback locale
	}
	left := 0
	for item := range n.all() {
		if item.key == "id" || item.key == "scheme" {
			continue
		}
		c := slices.IndexFunc(w.children, func(c *want) bool { return c.step.is(item) })
		if c < 0 || !e.emptied(contentOf(item, w.children[c]), w.children[c]) {
			left++
		}
	}
	return left == 0
}

// contentOf returns the value that a step leads to.
func contentOf(item *node, c *want) *node {
	if c.step.Locale != "" && !item.inObject() {
		if value := item.get("value"); value != nil {
			return value
		}
	}
	return item
}

// localizePlain changes a text that is written as a plain string, which is in the
// fallback locale.
func (e *editor) localizePlain(n *node, w *want) error {
	if len(e.locales) == 0 {
		return errInPlace
	}
	all := mapping{{e.locales[0], n.value}}
	for _, c := range w.children {
		switch {
		case c.value == nil:
			return errInPlace
		case strings.EqualFold(c.step.Locale, e.locales[0]):
			all[0].value = c.value
		default:
			all = append(all, member{c.step.Locale, c.value})
		}
	}
	if len(all) == 1 {
		return e.replace(n, all[0].value)
	}
	return e.replace(n, all)
}

// edit adds an edit of the text without a byte order mark.
func (e *editor) edit(start, end int, text string) error {
	if bytes.Contains(e.text.data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return e.take(document.Edit{Range: e.text.in(start, end), Text: []byte(text)})
}

// at returns the byte at an offset.
func (e *editor) at(offset int) byte {
	if offset < 0 || offset >= len(e.text.data) {
		return 0
	}
	return e.text.data[offset]
}

// inFlow reports whether a value is written in braces or brackets, or in JSON.
func (e *editor) inFlow(n *node) bool {
	for ; n != nil; n = n.parent {
		if c := e.at(e.text.skipProperties(e.text.offset(n.place))); (n.kind == object || n.kind == list) && (c == '{' || c == '[') {
			return true
		}
	}
	return false
}

func (e *editor) isJSON() bool { return e.ext() == ".json" }

// lineStart and lineEnd return the ends of the line of an offset, without its break.
func (e *editor) lineStart(offset int) int {
	return bytes.LastIndexByte(e.text.data[:offset], '\n') + 1
}

func (e *editor) lineEnd(offset int) int {
	i := bytes.IndexByte(e.text.data[offset:], '\n')
	switch {
	case i < 0:
		return len(e.text.data)
	case i > 0 && e.text.data[offset+i-1] == '\r':
		i--
	}
	return offset + i
}

// flowText returns a value on one line, in braces and brackets.
func (e *editor) flowText(value any) string {
	var parts []string
	switch v := value.(type) {
	case mapping:
		for _, m := range v {
			parts = append(parts, e.flowText(m.key)+": "+e.flowText(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []mapping:
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
		return inlineList(v)
	case string:
		return inline(v)
	}
	return fmt.Sprint(value)
}

// replace gives a value another text. A text keeps its style if it can.
func (e *editor) replace(n *node, value any) error {
	s, isText := value.(string)
	switch {
	case e.isJSON():
		start, end := e.text.span(n)
		return e.edit(start, end, e.flowText(value))
	case n.kind == null && n.value == "" || n.kind == object || n.kind == list:
		return e.replaceWhole(n, value)
	case !isText:
		start, end := e.text.span(n)
		if _, nested := value.(mapping); nested {
			return e.replaceWhole(n, value)
		}
		return e.edit(e.text.skipProperties(start), end, e.flowText(value))
	}
	old, ok := e.text.scalar(n, false)
	if !ok {
		return errInPlace
	}
	flow := e.inFlow(n)
	return e.edit(old.start, old.end, e.styled(n, old, s, flow))
}

// styled returns a text in the style of the one that it replaces.
func (e *editor) styled(n *node, old rawScalar, s string, flow bool) string {
	indent, column := e.indentOf(n), old.start-e.lineStart(old.start)
	switch {
	case old.style == '"':
		return quote(s)
	case old.style == '\'' && !strings.ContainsFunc(s, isSpecial):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case flow:
		return inline(s)
	case e.commented(old.end):
		if old.style == 0 && isPlain(s, false) {
			return s
		}
		return quote(s) // on one line, so that the comment stays one
	case old.style == '>' && isFoldable(s):
		margin := "\n" + strings.Repeat(" ", max(old.first-e.lineStart(old.first), indent))
		return ">-" + margin + fold(s, margin, lineWidth-len(margin)+1)
	case old.style == 0 && isPlain(s, false) && column+utf8.RuneCountInString(s) <= max(lineWidth, column+utf8.RuneCountInString(n.value)):
		return s
	}
	return blockScalar(s, indent, column)
}

// commented reports whether something follows on the line of an offset.
func (e *editor) commented(offset int) bool {
	return len(bytes.TrimSpace(e.text.data[offset:e.lineEnd(offset)])) > 0
}

// indentOf returns how far the further lines of a value are indented.
func (e *editor) indentOf(n *node) int {
	if n.inObject() {
		return n.keyAt.col + 1
	}
	return n.col + 1
}

// replaceWhole replaces a member of an object with its key.
func (e *editor) replaceWhole(n *node, value any) error {
	if e.inFlow(n) || !n.inObject() {
		start, end := e.text.span(n)
		return e.edit(start, end, e.flowText(value))
	}
	start := e.text.offset(n.keyAt)
	_, end := e.text.span(n)
	if n.kind == null && n.value == "" {
		end = start + len(n.key) + 1
		if e.at(end-1) != ':' {
			return errInPlace // the key is quoted, or far from its colon
		}
	}
	return e.edit(start, end, memberText(n.key, value, n.keyAt.col-1))
}

// memberText returns a key and its value in block style, without the last line break.
func memberText(key string, value any, indent int) string {
	var w yamlWriter
	w.member(key, value, indent)
	return strings.TrimSuffix(w.String(), "\n")
}

// insert adds a member after the last one of an object, or an item after the last one of a
// list.
func (e *editor) insert(n *node, c *want) error {
	var added mapping
	switch {
	case n.kind == object:
		added = mapping{{cmp.Or(c.step.Key, c.step.Locale), c.build()}}
	case c.step.Key != "":
		return errInPlace
	case c.step.Locale != "":
		added = mapping{{"locale", c.step.Locale}, {"value", c.value}}
	default:
		items, _ := (&want{children: []*want{c}}).build().([]mapping)
		added = items[0]
	}
	if e.inFlow(n) {
		text := e.flowText(added)
		if n.kind == object {
			text = text[1 : len(text)-1] // without the braces
		}
		return e.insertFlow(n, text)
	}
	if len(n.items) == 0 || n.kind == list && e.at(e.text.offset(n.place)) != '-' {
		return errInPlace
	}
	last := &n.items[len(n.items)-1]
	_, end := e.text.span(last)
	at := e.lineEnd(max(end, e.text.offset(last.begin())))
	indent, dash := n.items[0].keyAt.col-1, ""
	if n.kind == list {
		indent, dash = n.col-1, "- "
	}
	var w yamlWriter
	w.WriteString("\n" + strings.Repeat(" ", indent) + dash)
	w.mapping(added, indent+len(dash))
	return e.edit(at, at, strings.TrimSuffix(w.String(), "\n"))
}

// begin returns where a member of an object begins, with its key, or an item of a list.
func (n *node) begin() place {
	if n.inObject() {
		return n.keyAt
	}
	return n.place
}

// insertFlow adds text after the last item in braces or brackets, on a line of its own
// if the last item is.
func (e *editor) insertFlow(n *node, text string) error {
	if len(n.items) == 0 {
		at := e.text.skipProperties(e.text.offset(n.place)) + 1
		return e.edit(at, at, text)
	}
	last := &n.items[len(n.items)-1]
	_, end := e.text.span(last)
	separator := ", "
	if p := last.begin(); p.line != n.line {
		separator = ",\n" + strings.Repeat(" ", p.col-1)
	}
	return e.edit(end, end, separator+text)
}

// remove removes a member of an object or an item of a list.
func (e *editor) remove(n *node) error {
	start := e.text.offset(n.begin())
	_, end := e.text.span(n)
	end = max(end, start)
	first := e.lineStart(start)
	before := strings.TrimLeft(string(e.text.data[first:start]), " ")
	switch next, flow := n.next(), e.inFlow(n.parent); {
	case !flow && !n.inObject(): // after its dash
		if !strings.HasPrefix(before, "-") || strings.Trim(before[1:], " ") != "" {
			return errInPlace
		}
		return e.removeLines(first, end)
	case !flow && (before == "" || before == "? "):
		return e.removeLines(first, end)
	case next != nil:
		return e.edit(start, e.text.offset(next.begin()), "")
	case n.index > 0:
		_, before := e.text.span(&n.parent.items[n.index-1])
		return e.edit(before, end, "")
	}
	return errInPlace
}

// next returns the member of an object after n, or nil.
func (n *node) next() *node {
	if siblings := n.parent.items; n.index+1 < len(siblings) {
		return &siblings[n.index+1]
	}
	return nil
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
