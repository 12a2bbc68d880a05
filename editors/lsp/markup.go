package lsp

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markup builds a text for people, in Markdown or, for clients that show none, as
// plain text.
type markup struct {
	plain bool
	// pictures is set if the client shows images.
	pictures bool
	b        strings.Builder
}

// newMarkup returns a text for a hover.
func (s *session) newMarkup() *markup {
	return &markup{plain: !s.client.markdown, pictures: s.client.pictures}
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func (m *markup) content() *markupContent {
	kind := "markdown"
	if m.plain {
		kind = "plaintext"
	}
	return &markupContent{kind, strings.TrimSpace(m.b.String())}
}

// paragraph adds a paragraph of text. An empty one is left out.
func (m *markup) paragraph(text string) {
	if text = strings.TrimSpace(text); text != "" {
		m.b.WriteString(m.escape(text, false) + "\n\n")
	}
}

// heading adds a title and an id.
func (m *markup) heading(title, id string) {
	if m.plain {
		m.b.WriteString(title + " (" + id + ")\n\n")
		return
	}
	m.b.WriteString("**" + m.escape(title, true) + "** " + code(id) + "\n\n")
}

// item adds an item of a list: an id with its meaning.
func (m *markup) item(id, text string) {
	if m.plain {
		m.b.WriteString("- " + id + ": " + text + "\n")
		return
	}
	m.b.WriteString("- " + code(id) + " " + m.escape(text, true) + "\n")
}

// end ends a list.
func (m *markup) end() { m.b.WriteByte('\n') }

// image adds a picture if the client shows some.
func (m *markup) image(svg []byte) {
	if !m.plain && m.pictures {
		m.b.WriteString("![icon](data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg) + ")\n\n")
	}
}

// escape escapes the characters that start a Markdown construct where they are, and no others,
// since some editors show the backslashes. If inline is set, the text follows other text on its
// line.
func (m *markup) escape(text string, inline bool) string {
	if m.plain {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := blockStart(line); n >= 0 && !inline {
			b.WriteString(line[:n] + "\\")
			b.WriteByte(line[n])
			line = line[n+1:]
		}
		inline = false
		before := ' '
		for i, r := range line {
			_, size := utf8.DecodeRuneInString(line[i:])
			after, _ := utf8.DecodeRuneInString(line[i+size:])
			if inlineStart(before, r, after) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
			before = r
		}
	}
	return b.String()
}

// blockStart returns the offset of the character that makes a line of Markdown a heading,
// a quote, an item or a rule, or -1. Those of [inlineStart] are left to that.
func blockStart(line string) int {
	rest := strings.TrimLeft(line, " \t")
	at := len(line) - len(rest)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	end := func(n int) bool { return n >= len(rest) || strings.ContainsRune(" \t\r\n", rune(rest[n])) }
	switch {
	case rest == "":
	case digits > 0 && digits < len(rest) && (rest[digits] == '.' || rest[digits] == ')') && end(digits+1):
		return at + digits
	case rest[0] == '>', rest[0] == '#' && end(len(rest)-len(strings.TrimLeft(rest, "#"))),
		(rest[0] == '-' || rest[0] == '+') && end(1), strings.Trim(rest, "-= \t\r\n") == "":
		return at
	}
	return -1
}

// inlineStart reports whether a character begins code, emphasis, a link, HTML, an entity,
// a cell or an escape, by those around it.
func inlineStart(before, r, after rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch r {
	case '`', '*', '<', '|', '~':
		return true
	case ']': // without what follows, brackets are text
		return after == '(' || after == '[' || after == ':'
	case '\\':
		return unicode.IsPunct(after) || unicode.IsSymbol(after) || unicode.IsSpace(after) || after == utf8.RuneError
	case '_':
		return !word(before) || !word(after)
	case '&':
		return after == '#' || word(after)
	}
	return false
}

// code returns a text as code. Ids have no backticks, but a document may have
// anything in their place.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
