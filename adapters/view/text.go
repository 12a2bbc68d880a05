package view

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// text is a text of a document as it is shown.
type text struct {
	value string
	// lang is its language, "" where that is the page's.
	lang string
	// mark is HTML that tells the language to the reader, "" for none.
	mark string
}

// plain is a text of a document that is in no language.
func plain(s string) text { return text{value: clean(s)} }

// some reports whether there is a text.
func (t text) some() bool { return t.value != "" }

// html returns the text, kept apart from the direction of what is around it, or
// nothing where there is none.
func (t text) html() template.HTML {
	if !t.some() {
		return ""
	}
	var m markup
	m.Grow(len(t.value) + 32)
	m.text(t)
	return m.html()
}

// block returns the text for an element that holds nothing else and finds its own
// direction: dir="auto" looks into a span, and not into a bdi.
func (t text) block() template.HTML {
	s := template.HTMLEscapeString(t.value)
	if t.lang != "" {
		s = `<span lang="` + template.HTMLEscapeString(t.lang) + `">` + s + "</span>"
	}
	return template.HTML(s + t.mark) //nolint:gosec // escaped above
}

// markup puts HTML together. Where texts repeat others, as descriptions repeat
// values, it stops at a limit; what is longer than that is refused as a whole.
type markup struct {
	strings.Builder
	limit int
}

func (m *markup) full() bool { return m.limit > 0 && m.Len() > m.limit }

// text writes a text of a document.
func (m *markup) text(t text) {
	if t.lang == "" {
		m.WriteString("<bdi>")
	} else {
		m.WriteString(`<bdi lang="` + template.HTMLEscapeString(t.lang) + `">`)
	}
	m.WriteString(template.HTMLEscapeString(t.value))
	m.WriteString("</bdi>")
	m.WriteString(t.mark)
}

func (m *markup) html() template.HTML { return template.HTML(m.String()) } //nolint:gosec // put together of escaped texts

// clean takes out of a text what is not to be seen: control characters, and those
// that turn the direction of the text after them, with which a text can pass for
// another.
func clean(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2028' || r == '\u2029' || r == '\r':
			return '\n'
		case turns(r):
			return -1
		case unseen(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

func unseen(r rune) bool {
	return turns(r) || r == '\u2028' || r == '\u2029' || r != '\n' && r != '\t' && unicode.IsControl(r)
}

// turns reports whether a character begins or ends an embedding, an override or
// an isolate. Marks, which real texts use, turn nothing but themselves.
func turns(r rune) bool {
	return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069'
}

// quoted reports whether a text brings quotation marks at its ends. Single ones
// are apostrophes unless they are at both.
func quoted(s string) bool {
	const double, single = `"“”„‟«»「」『』〝〞〟＂`, `'‘’‚‛‹›`
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(double, first) || strings.ContainsRune(double, last) ||
		strings.ContainsRune(single, first) && strings.ContainsRune(single, last)
}

// piece is a part of a description: a text, or the place of a variable.
type piece struct {
	text     string
	variable string
}

// pieces cuts a description at its {{variables}}. What only looks like one is
// text.
func pieces(s string) []piece {
	var list []piece
	add := func(text string) {
		if text != "" {
			list = append(list, piece{text: text})
		}
	}
	for {
		before, id, after, ok := taxonomy.CutVariable(s)
		add(before)
		if !ok {
			return list
		}
		list, s = append(list, piece{variable: id}), after
	}
}
