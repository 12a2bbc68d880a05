package core

import (
	"html/template"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// MaxDescription is the length of a description for search engines.
const MaxDescription = 200

// MaxAbout is how much of a description a row shows.
const MaxAbout = 240

// Titled returns the title of an element, or its id if it has none.
func (q *Request) Titled(e *taxonomy.Element, found []Span) phrases.Text {
	if t := q.Blanks(e.Title, e.Variables, found); !t.Empty() {
		return t
	}
	return q.Raw(e.ID)
}

// Shortened cuts the texts of a description. The places of matches in what is left stay
// the same.
func Shortened(l taxonomy.Localized, most int) taxonomy.Localized {
	cut := make(taxonomy.Localized, len(l))
	for i, t := range l {
		cut[i] = taxonomy.Text{Locale: t.Locale, Value: Short(t.Value, most)}
	}
	return cut
}

// English returns a text of the program itself, such as a message, which exists in English
// only. It is marked for programs that read pages aloud; readers can tell by themselves.
func (q *Request) English(s string) phrases.Text {
	return q.In("en", s).Unmarked()
}

// MaxShown is how many characters of a value are shown.
const MaxShown = 300

// Own returns a text in the words of the page.
func (q *Request) Own(s string) phrases.Text { return q.In(q.Lang, s) }

// Chooser returns what chooses among the languages of texts. Cached pages need none.
func (q *Request) Chooser() *phrases.Chooser {
	if q.texts.Locale == "" {
		q.texts = phrases.NewChooser(q.Locales, q.Locale)
	}
	return &q.texts
}

// Among returns the request for texts in other languages, such as those of another version.
func (q *Request) Among(locales []string) *Request {
	own := *q
	own.texts = phrases.NewChooser(locales, q.Locale)
	return &own
}

// Translated returns the request for texts in a language of the version, as if it were that of the
// page: they do not tell it.
func (q *Request) Translated(locale string) *Request {
	own := *q
	own.Locale, own.texts, own.shown = locale, phrases.NewChooser(q.Locales, locale), phrases.Chooser{}
	return &own
}

// Text returns a localized text in the language of the page, or else in another one.
func (q *Request) Text(l taxonomy.Localized) phrases.Text {
	value, locale := q.Chooser().Pick(l)
	return q.In(locale, value)
}

// Name returns a localized name, or the id if there is none.
func (q *Request) Name(l taxonomy.Localized, id string) phrases.Text {
	if t := q.Text(l); !t.Empty() {
		return t
	}
	return q.Raw(id)
}

// Raw returns a text that is in no language, such as an id or the title of a source.
func (q *Request) Raw(s string) phrases.Text { return phrases.Raw(s) }

// In returns a text in a language. If that is not the language of the page, readers are told.
func (q *Request) In(locale, value string) phrases.Text {
	if q.shown.Locale == "" {
		q.shown = phrases.NewChooser([]string{q.Locale}, q.Locale).Within(q.Lang)
	}
	t := q.shown.In(value, locale)
	if t.Foreign(q.Locale) {
		name := q.Word("layout.language") + q.Word("colon") + " " + Endonym(locale)
		t.Mark = template.HTML(i18n.LanguageTag(locale, name, q.Lang)) //nolint:gosec // escaped
	}
	return t
}

// Span is a part of a text that a search has found.
type Span struct{ Start, End int }

// Blanks returns a text with its {{variables}} shown as blanks, which have the labels
// of the variables, and with the parts that a search has found marked.
func (q *Request) Blanks(l taxonomy.Localized, variables []taxonomy.Variable, found []Span) phrases.Text {
	value, locale := q.Chooser().Pick(l)
	var b strings.Builder
	for p := range ident.Pieces(value) {
		if id, ok := p.Variable(); ok {
			b.WriteString(`<span class="blank">` + template.HTMLEscapeString(q.labelOf(variables, id)) + `</span>`)
		} else {
			writeFound(&b, p.Text, p.At, found)
		}
	}
	t := q.In(locale, q.plain(l, variables))
	t.Markup = template.HTML(b.String()) //nolint:gosec // escaped
	return t
}

// labelOf returns the label of a variable, or its id if it is not declared.
func (q *Request) labelOf(variables []taxonomy.Variable, id string) string {
	for i := range variables {
		if variables[i].ID == id {
			return q.Name(variables[i].Label, id).Value
		}
	}
	return i18n.Clean(id)
}

// plain returns a text with the labels of its variables in brackets.
func (q *Request) plain(l taxonomy.Localized, variables []taxonomy.Variable) string {
	value, _ := q.Chooser().Pick(l)
	return i18n.Clean(ident.Interpolate(value, func(id string) (string, bool) {
		return "[" + q.labelOf(variables, id) + "]", true
	}))
}

// writeFound writes a piece of a text, which begins at an offset, with what was found
// marked.
func writeFound(b *strings.Builder, piece string, offset int, found []Span) {
	at := 0
	for _, f := range found {
		start, end := max(f.Start-offset, at), min(f.End-offset, len(piece))
		if start >= end {
			continue
		}
		writeClean(b, piece[at:start])
		b.WriteString("<mark>")
		writeClean(b, piece[start:end])
		b.WriteString("</mark>")
		at = end
	}
	writeClean(b, piece[at:])
}

// writeClean writes a part of a text, which may begin or end with a space.
func writeClean(b *strings.Builder, s string) {
	b.WriteString(template.HTMLEscapeString(i18n.CleanFragment(s)))
}

// Short cuts a text for a list or a description.
func Short(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most {
			if space := strings.LastIndexAny(s[:i], " \n"); space > i/2 {
				i = space
			}
			return strings.TrimRight(s[:i], " ,;:.\n") + "…"
		}
		n++
	}
	return s
}
