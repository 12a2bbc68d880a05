package view

import (
	"cmp"
	_ "embed" // of the table of words
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/phrases"
)

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the page names it once.
func (pg *page) mark(t phrases.Text, within string) phrases.Text {
	if t.Lang() == "" || t.Lang() == within || !t.Foreign(pg.Lang) || pg.namesLanguage(t.Lang()) || names(pg.ownLanguages, t.Lang()) {
		return t
	}
	if pg.marks[t.Lang()] == "" {
		if pg.marks == nil {
			pg.marks = make(map[string]template.HTML)
		}
		name := pg.messages.Word("language") + pg.messages.Word("colon") + " " + i18n.Endonym(t.Lang())
		pg.marks[t.Lang()] = template.HTML(i18n.LanguageTag(t.Lang(), name, pg.messages.Lang)) //nolint:gosec // escaped
	}
	t.Mark = pg.marks[t.Lang()]
	return t
}

// namesLanguage reports whether the facts about the document name a language.
func (pg *page) namesLanguage(lang string) bool { return names(pg.textLanguages, lang) }

func names(languages []phrases.Text, lang string) bool {
	return slices.ContainsFunc(languages, func(l phrases.Text) bool { return i18n.Same(l.Locale, lang) })
}

// findTextLanguages finds the languages of the title, the sections and the elements, unless all are
// in the language of the page: a taxonomy may declare a language without having all texts in it.
func (pg *page) findTextLanguages(title phrases.Text) {
	add := func(t phrases.Text) {
		if lang := cmp.Or(t.Lang(), pg.Lang); !pg.namesLanguage(lang) {
			pg.textLanguages = append(pg.textLanguages, pg.locales.In(i18n.Endonym(lang), lang))
		}
	}
	add(title)
	for _, s := range pg.Sections {
		add(s.name)
		for _, p := range s.Placements {
			add(pg.locales.Text(p.element.Title))
		}
	}
	if len(pg.textLanguages) == 1 && pg.namesLanguage(pg.Lang) {
		pg.textLanguages = nil
	}
}

//go:embed words.csv
var table string

// dictionary has the words in all languages.
var dictionary = wordtable.Read(table)

// markup builds HTML. Texts that repeat others, such as descriptions with values, stop at
// the limit of the page, which is then refused.
type markup struct {
	bytes []byte
	limit int
	// interrupt is asked by full, unless it is nil, and stopped is its error.
	interrupt func() error
	stopped   error
	last      rune // the last character of the last isolated text
	// unlinked is set if there are no links in values.
	unlinked bool

	messages *messages                    // of articles
	prefix   string                       // of ids, for all languages but the first
	found    map[string][]weblink.Contact // by text
}

// full reports whether there is no more to write: the limit is exceeded, or the work was interrupted.
func (m *markup) full() bool {
	if m.stopped == nil && m.interrupt != nil {
		m.stopped = m.interrupt()
	}
	return m.stopped != nil || m.limit > 0 && len(m.bytes) > m.limit
}

// WriteString writes HTML.
func (m *markup) WriteString(s string) { m.bytes = append(m.bytes, s...) }

// text writes a text, isolated.
func (m *markup) text(t phrases.Text) {
	m.open(t)
	m.WriteString(template.HTMLEscapeString(t.Value))
	m.close(t)
}

// open begins an isolated text.
func (m *markup) open(t phrases.Text) { m.WriteString(string(t.Begin())) }

func (m *markup) close(t phrases.Text) {
	m.WriteString(string(t.Mark))
	m.WriteString("</bdi>")
	m.last, _ = utf8.DecodeLastRuneInString(t.Value)
}

// continued returns what follows a value in a sentence, without its full stop if the value
// ends with one.
func (m *markup) continued(s string) string {
	const stops, ends = ".。．۔।", ".。．۔।!?…！？؟"
	first, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	if size > 0 && strings.ContainsRune(ends, m.last) && strings.ContainsRune(stops, first) && next != first {
		return s[size:]
	}
	return s
}

func (m *markup) html() template.HTML { return template.HTML(m.bytes) } //nolint:gosec // built of escaped texts

// quoted reports whether a text has quotation marks at an end. Single ones are apostrophes
// unless they are at both ends.
func quoted(s string) bool {
	const double, single = `"“”„‟«»「」『』〝〞〟＂`, `'‘’‚‛‹›`
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(double, first) || strings.ContainsRune(double, last) ||
		strings.ContainsRune(single, first) && strings.ContainsRune(single, last)
}

// piece is a part of a title or a description: a text or a variable.
type piece struct{ text, variable string }

func (p piece) isVariable() bool { return p.variable != "" }

// pieces splits a title or a description at its {{variables}}.
func pieces(s string) []piece {
	list := make([]piece, 0, 1+2*strings.Count(s, "{{"))
	for p := range ident.Pieces(s) {
		if id, ok := p.Variable(); ok {
			list = append(list, piece{variable: id})
		} else {
			list = append(list, piece{text: p.Text})
		}
	}
	return list
}

// all writes strings that are HTML.
func (m *markup) all(list ...string) {
	for _, s := range list {
		m.WriteString(s)
	}
}

// attribute escapes a text, also for an attribute, as html/template does.
func attribute(s string) string {
	return strings.ReplaceAll(template.HTMLEscapeString(s), "+", "&#43;")
}
