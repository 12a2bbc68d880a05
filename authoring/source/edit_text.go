package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

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
