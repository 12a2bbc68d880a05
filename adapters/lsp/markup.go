package lsp

import (
	"encoding/base64"
	"strings"
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
		m.b.WriteString(m.escape(text) + "\n\n")
	}
}

// heading adds a title and an id.
func (m *markup) heading(title, id string) {
	if m.plain {
		m.b.WriteString(title + " (" + id + ")\n\n")
		return
	}
	m.b.WriteString("**" + m.escape(title) + "** " + code(id) + "\n\n")
}

// item adds an item of a list: an id with its meaning.
func (m *markup) item(id, text string) {
	if m.plain {
		m.b.WriteString("- " + id + ": " + text + "\n")
		return
	}
	m.b.WriteString("- " + code(id) + " " + m.escape(text) + "\n")
}

// end ends a list.
func (m *markup) end() { m.b.WriteByte('\n') }

// image adds a picture if the client shows some.
func (m *markup) image(svg []byte) {
	if !m.plain && m.pictures {
		m.b.WriteString("![icon](data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg) + ")\n\n")
	}
}

// escape protects the characters of Markdown in a text.
func (m *markup) escape(text string) string {
	if m.plain {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#+-.!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code returns a text as code. Ids have no backticks, but a document may have
// anything in their place.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
