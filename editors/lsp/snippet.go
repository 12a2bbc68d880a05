package lsp

import (
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
)

// snippet builds a text to insert, with stops for the user to fill in.
type snippet struct {
	// plain leaves out the stops, for clients that do not know them.
	plain bool
	stops int
	// The same text without and with stops.
	text, b strings.Builder
}

func (q *query) snippet() *snippet { return &snippet{plain: !q.session.client.snippets} }

// raw adds JSON text.
func (s *snippet) raw(text string) *snippet {
	s.text.WriteString(text)
	for _, r := range text {
		if r == '\\' || r == '$' || r == '}' {
			s.b.WriteByte('\\')
		}
		s.b.WriteRune(r)
	}
	return s
}

// add adds another snippet.
func (s *snippet) add(other *snippet) *snippet {
	s.text.WriteString(other.text.String())
	s.b.WriteString(other.b.String())
	s.stops += other.stops
	return s
}

// quoted adds a string with its quotes.
func (s *snippet) quoted(text string) *snippet { return s.raw(quote(text)) }

// stop adds a place to fill in.
func (s *snippet) stop() *snippet {
	if !s.plain {
		s.stops++
		s.b.WriteString("$" + strconv.Itoa(s.stops))
	}
	return s
}

// key adds a key and its colon.
func (s *snippet) key(name string) *snippet { return s.quoted(name).raw(": ") }

// value adds an empty value of a kind, with a stop in it.
func (s *snippet) value(kind byte) *snippet {
	switch kind {
	case '"':
		return s.raw(`"`).stop().raw(`"`)
	case '[':
		return s.raw("[").stop().raw("]")
	case '{':
		return s.raw("{").stop().raw("}")
	case '0':
		return s.raw("0").stop()
	case 't':
		return s.raw("true").stop()
	}
	return s.stop()
}

// String returns the text, as a snippet if it has stops.
func (s *snippet) String() string {
	if s.stops == 0 {
		return s.text.String()
	}
	return s.b.String()
}

// quote returns a text as a JSON string.
func quote(text string) string { return string(jcs.AppendQuote(nil, text)) }
