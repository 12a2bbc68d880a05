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

// later leaves a change to the next round if its place is taken.
func (e *editor) later(at []Step, c *want, err error) error {
	if errors.Is(err, errTaken) {
		c.each(at, e.wait)
		return nil
	}
	return err
}

// object changes the members of an object, to which a path leads.
func (e *editor) object(n *node, path []Step, w *want) error {
	for _, c := range w.children {
		at := append(slices.Clip(path), c.step)
		member := n.get(c.step.Key)
		var err error
		switch {
		case member == nil && !c.adds():
		case member == nil:
			err = e.insertMember(n, c.step.Key, c.build())
		case c.adds() && member.kind == null, c.isLeaf && c.value != nil:
			err = e.replace(member, c.build())
		case c.isLeaf || e.emptied(member, c):
			err = e.removeMember(member)
		default:
			err = e.inside(member, at, c)
		}
		if err := e.later(at, c, err); err != nil {
			return fmt.Errorf("%s: %w", c.step.Key, err)
		}
	}
	return nil
}

// inside changes what is in a value: texts by locale, or items of a list.
func (e *editor) inside(n *node, path []Step, w *want) error {
	switch first := w.children[0].step; {
	case first.Locale != "":
		return e.localized(n, path, w)
	case first.Key != "":
		return e.object(n, path, w)
	case n.kind != list:
		return errInPlace
	}
	for _, c := range w.itemsLastFirst() {
		at := append(slices.Clip(path), c.step)
		item := itemOf(n, c.step)
		var err error
		switch {
		case item == nil && !c.adds():
		case item == nil:
			added, ok := (&want{children: []*want{c}}).build().([]mapping)
			if !ok {
				return errInPlace
			}
			err = e.insertItem(n, added[0])
		case c.isLeaf || e.emptied(item, c):
			err = e.removeItem(item)
		default:
			err = e.inside(item, at, c)
		}
		if err := e.later(at, c, err); err != nil {
			return err
		}
	}
	return nil
}

// itemsLastFirst returns the items to remove with the last first, so that one that waits
// keeps its number.
func (w *want) itemsLastFirst() []*want {
	if w.adds() {
		return w.children
	}
	list := slices.Clone(w.children)
	slices.SortStableFunc(list, func(a, b *want) int { return cmp.Compare(b.step.Number, a.step.Number) })
	return list
}

// itemOf returns the item of a list with an id or a number, or nil.
func itemOf(n *node, s Step) *node {
	for i := range n.items {
		item := &n.items[i]
		if s.Number == i+1 {
			return item
		}
		if s.ID != "" && s.isItem(item) {
			return item
		}
	}
	return nil
}

// isItem reports whether an item of a list has the id of a step.
func (s Step) isItem(item *node) bool {
	id, scheme := item.get("id"), item.get("scheme")
	return id != nil && id.value == s.ID && (s.Scheme == "" || scheme != nil && scheme.value == s.Scheme)
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
	for i := range n.items {
		item := &n.items[i]
		if item.key == "id" || item.key == "scheme" {
			continue
		}
		c := w.childFor(item, i)
		if c == nil || !e.emptied(contentOf(item, c), c) {
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

// childFor returns what is wanted of an item, or nil.
func (w *want) childFor(item *node, i int) *want {
	at := slices.IndexFunc(w.children, func(c *want) bool {
		switch {
		case c.step.Key != "":
			return item.key == c.step.Key
		case c.step.Locale != "":
			return strings.EqualFold(entryOf(item).locale, c.step.Locale)
		case c.step.ID != "":
			return c.step.isItem(item)
		}
		return c.step.Number == i+1
	})
	if at < 0 {
		return nil
	}
	return w.children[at]
}

// localized changes the texts of a localized string.
func (e *editor) localized(n *node, path []Step, w *want) error {
	if n.kind == text {
		return e.localizePlain(n, w)
	}
	if n.kind != object && n.kind != list {
		return errInPlace
	}
	for _, c := range w.children {
		i := slices.IndexFunc(n.items, func(item node) bool { return strings.EqualFold(entryOf(&item).locale, c.step.Locale) })
		var err error
		switch {
		case i < 0 && c.value == nil:
		case i < 0 && n.kind == object:
			err = e.insertMember(n, c.step.Locale, c.value)
		case i < 0:
			err = e.insertItem(n, mapping{{"locale", c.step.Locale}, {"value", c.value}})
		case c.value != nil:
			err = e.replace(contentOf(&n.items[i], c), c.value)
		case n.kind == object:
			err = e.removeMember(&n.items[i])
		default:
			err = e.removeItem(&n.items[i])
		}
		if err := e.later(append(slices.Clip(path), c.step), c, err); err != nil {
			return err
		}
	}
	return nil
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

// jsonText returns a value as JSON on one line.
func jsonText(value any) string {
	switch v := value.(type) {
	case mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = jsonText(m.key) + ": " + jsonText(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = jsonText(m)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // strings, numbers, booleans and lists of strings
	return strings.TrimSuffix(b.String(), "\n")
}

// flowText returns a value as YAML on one line, in braces and brackets.
func flowText(value any) string {
	switch v := value.(type) {
	case mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = inline(m.key) + ": " + flowText(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = flowText(m)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = inline(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
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
		return e.edit(start, end, jsonText(value))
	case n.kind == null && n.value == "" || n.kind == object || n.kind == list:
		return e.replaceWhole(n, value)
	case !isText:
		start, end := e.text.span(n)
		if _, nested := value.(mapping); nested {
			return e.replaceWhole(n, value)
		}
		return e.edit(e.text.skipProperties(start), end, flowText(value))
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
		return e.edit(start, end, flowText(value))
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

// insertMember adds a member after the last one of an object.
func (e *editor) insertMember(n *node, key string, value any) error {
	if n.kind != object {
		return errInPlace
	}
	if e.inFlow(n) {
		text := inline(key) + ": " + flowText(value)
		if e.isJSON() {
			text = jsonText(key) + ": " + jsonText(value)
		}
		return e.insertFlow(n, text, func(last *node) place { return last.keyAt })
	}
	if len(n.items) == 0 {
		return errInPlace
	}
	_, end := e.text.span(&n.items[len(n.items)-1])
	indent := n.items[0].keyAt.col - 1
	at := e.lineEnd(max(end, e.text.offset(n.items[len(n.items)-1].keyAt)))
	return e.edit(at, at, "\n"+strings.Repeat(" ", indent)+memberText(key, value, indent))
}

// insertItem adds an object after the last one of a list.
func (e *editor) insertItem(n *node, item mapping) error {
	if e.inFlow(n) {
		text := flowText(item)
		if e.isJSON() {
			text = jsonText(item)
		}
		return e.insertFlow(n, text, func(last *node) place { return last.place })
	}
	if len(n.items) == 0 || e.at(e.text.offset(n.place)) != '-' {
		return errInPlace
	}
	_, end := e.text.span(&n.items[len(n.items)-1])
	var w yamlWriter
	w.WriteString("\n" + strings.Repeat(" ", n.col-1) + "- ")
	w.mapping(item, n.col+1)
	at := e.lineEnd(end)
	return e.edit(at, at, strings.TrimSuffix(w.String(), "\n"))
}

// insertFlow adds text after the last item in braces or brackets, on a line of its own
// if the last item is.
func (e *editor) insertFlow(n *node, text string, start func(*node) place) error {
	if len(n.items) == 0 {
		at := e.text.skipProperties(e.text.offset(n.place)) + 1
		return e.edit(at, at, text)
	}
	last := &n.items[len(n.items)-1]
	_, end := e.text.span(last)
	separator := ", "
	if p := start(last); p.line != n.line {
		separator = ",\n" + strings.Repeat(" ", p.col-1)
	}
	return e.edit(end, end, separator+text)
}

// removeMember removes a member of an object.
func (e *editor) removeMember(n *node) error {
	return e.removePart(n, n.keyAt, func(next *node) place { return next.keyAt })
}

// removeItem removes an item of a list.
func (e *editor) removeItem(n *node) error {
	if e.inFlow(n.parent) {
		return e.removePart(n, n.place, func(next *node) place { return next.place })
	}
	start := e.text.offset(n.place)
	first := e.lineStart(start)
	dash := strings.TrimLeft(string(e.text.data[first:start]), " ")
	if !strings.HasPrefix(dash, "-") || strings.Trim(dash[1:], " ") != "" {
		return errInPlace
	}
	_, end := e.text.span(n)
	return e.removeLines(first, end)
}

// removePart removes a member or an item that starts at a place.
func (e *editor) removePart(n *node, from place, start func(*node) place) error {
	at := e.text.offset(from)
	_, end := e.text.span(n)
	end = max(end, at)
	next, flow := n.next(), e.inFlow(n.parent)
	first := e.lineStart(at)
	switch {
	case !flow && strings.Trim(string(e.text.data[first:at]), " ") == "":
		return e.removeLines(first, end)
	case next != nil:
		return e.edit(at, e.text.offset(start(next)), "")
	case n.index > 0:
		_, before := e.text.span(&n.parent.items[n.index-1])
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
