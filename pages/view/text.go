package view

import (
	"cmp"
	_ "embed" // of the table of words
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// locales chooses among the languages of texts.
type locales struct {
	phrases.Chooser
	rtl bool // the language of the page is written from right to left
}

// newLocales chooses the language of a page: the best match for the requested one among the
// languages of the datachain, or else the first of those.
func newLocales(p *datachain.Presentation, asked string) locales {
	chooser := phrases.NewChooser(p.Locales(), asked)
	return locales{chooser, i18n.Direction(chooser.Locale) == "rtl"}
}

// pick returns the text in the language of the page, or else in another.
func (l *locales) pick(t taxonomy.Localized) text {
	value, locale := l.Pick(t)
	if value == "" {
		return text{}
	}
	return l.text(value, locale)
}

// text returns a text with its language, if that is not the language of the page.
func (l *locales) text(value, locale string) text {
	t := plain(value)
	if locale == l.Locale {
		t.rtl = l.rtl
		return t
	}
	t.rtl = i18n.Direction(locale) == "rtl"
	if !strings.EqualFold(locale, l.Locale) && ident.IsLocale(locale) {
		t.lang = locale
	}
	return t
}

// mark marks a text with its language if that differs from the page and from the text that
// it belongs to, unless the facts about the document name it.
func (pg *page) mark(t text, within string) text {
	if t.lang == "" || t.lang == within || i18n.Same(t.lang, pg.Lang) || pg.namesLanguage(t.lang) {
		return t
	}
	if pg.marks[t.lang] == "" {
		if pg.marks == nil {
			pg.marks = make(map[string]string)
		}
		name := pg.messages.Word("language") + pg.messages.Word("colon") + " " + i18n.Endonym(t.lang)
		pg.marks[t.lang] = i18n.LanguageTag(t.lang, name, pg.messages.Lang)
	}
	t.mark = pg.marks[t.lang]
	return t
}

// namesLanguage reports whether the facts about the document name a language.
func (pg *page) namesLanguage(lang string) bool {
	return slices.ContainsFunc(pg.textLanguages, func(l text) bool { return i18n.Same(l.lang, lang) })
}

// findTextLanguages finds the languages of the title, the sections and the elements, unless all are
// in the language of the page: a taxonomy may declare a language without having all texts in it.
func (pg *page) findTextLanguages(title text) {
	add := func(t text) {
		if lang := cmp.Or(t.lang, pg.Lang); !pg.namesLanguage(lang) {
			pg.textLanguages = append(pg.textLanguages, text{value: i18n.Endonym(lang), lang: lang})
		}
	}
	add(title)
	for _, s := range pg.Sections {
		add(s.name)
		for _, p := range s.Placements {
			add(pg.locales.pick(p.element.Title))
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

// text is a text as it is shown.
type text struct {
	value string
	lang  string // its language, or "" if it is that of the page
	rtl   bool   // its language is written from right to left, whatever it begins with
	mark  string // HTML that tells the reader the language, or ""
}

// plain returns a text without a language.
func plain(s string) text { return text{value: i18n.Clean(s)} }

// html returns the text, isolated from the direction of the text around it, or "".
func (t text) html() template.HTML {
	if t.value == "" {
		return ""
	}
	return template.HTML("<bdi" + t.attributes() + ">" + template.HTMLEscapeString(t.value) + "</bdi>" + t.mark) //nolint:gosec // escaped
}

// attributes returns the attributes of an element that isolates the text. Its direction is
// that of its language if that is written from right to left, else that of its first letter.
func (t text) attributes() string {
	s := ""
	if t.lang != "" {
		s = ` lang="` + template.HTMLEscapeString(t.lang) + `"`
	}
	if t.rtl {
		s += ` dir="rtl"`
	}
	return s
}

// block returns the text for an element that contains nothing else and has dir="auto",
// which depends on the content of a span but not of a bdi.
func (t text) block() template.HTML {
	s := template.HTMLEscapeString(t.value)
	if t.lang != "" {
		s = `<span lang="` + template.HTMLEscapeString(t.lang) + `">` + s + "</span>"
	}
	return template.HTML(s + t.mark) //nolint:gosec // escaped above
}

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
func (m *markup) text(t text) {
	m.open(t)
	m.WriteString(template.HTMLEscapeString(t.value))
	m.close(t)
}

// open begins an isolated text.
func (m *markup) open(t text) { m.all("<bdi", t.attributes(), ">") }

func (m *markup) close(t text) {
	m.WriteString("</bdi>")
	m.WriteString(t.mark)
	m.last, _ = utf8.DecodeLastRuneInString(t.value)
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
