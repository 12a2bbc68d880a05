package phrases

import (
	"html/template"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// Text is a text with its language, as a page shows it. [Chooser.Text] and [Chooser.In] make texts
// for a page: their HTML names their language and direction if they are not those of the page.
type Text struct {
	// Value is the text itself, for attributes and titles.
	Value string
	// Locale is its language, or "" if it has none, such as an id.
	Locale string
	// Markup is shown instead of the value, unless it is "".
	Markup template.HTML
	// Mark follows the text and tells the reader its language, or is "".
	Mark template.HTML

	lang string // for an element, "" if it is that of the words around it
	dir  string // for an element, "" if it is that of the page
	rtl  bool   // the language is written from right to left, whatever the text begins with
}

// Text returns a localized text in the language of the page, or else in another.
func (c *Chooser) Text(l taxonomy.Localized) Text {
	value, locale := c.Pick(l)
	if value == "" {
		return Text{}
	}
	return c.In(value, locale)
}

// Name returns a localized name, or the id if there is none.
func (c *Chooser) Name(l taxonomy.Localized, id string) Text {
	if t := c.Text(l); t.Value != "" {
		return t
	}
	return Raw(id)
}

// In returns a text in a language.
func (c *Chooser) In(value, locale string) Text {
	t := c.own
	if locale != c.Locale {
		t = c.text(locale)
	}
	t.Value = i18n.Clean(value)
	return t
}

// text returns an empty text in a language.
func (c *Chooser) text(locale string) Text {
	if !ident.IsLocale(locale) {
		return Text{dir: "auto"}
	}
	t := Text{Locale: locale, rtl: i18n.Direction(locale) == "rtl"}
	if !strings.EqualFold(locale, c.around) {
		t.lang = locale
	}
	if dir := i18n.Direction(locale); dir != i18n.Direction(c.Locale) {
		t.dir = dir
	}
	return t
}

// Within returns a chooser for a page whose own words are in another language than its texts.
func (c Chooser) Within(lang string) Chooser {
	c.around = lang
	c.own = c.text(c.Locale)
	return c
}

// Raw returns a text that is in no language, such as an id or the title of a source.
func Raw(value string) Text { return Text{Value: i18n.Clean(value), dir: "auto"} }

// String returns the value.
func (t Text) String() string { return t.Value }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.Value == "" }

// Foreign reports whether the text is in another language than that of a locale.
func (t Text) Foreign(locale string) bool { return t.Locale != "" && !i18n.Same(t.Locale, locale) }

// Unmarked returns the text without its mark, because the page tells its language elsewhere.
func (t Text) Unmarked() Text {
	t.Mark = ""
	return t
}

// Lang returns the language if the page must name it, or "".
func (t Text) Lang() string { return t.lang }

// RTL reports whether the language is written from right to left, whatever the text begins with.
func (t Text) RTL() bool { return t.rtl }

// HTML returns the text within other text, isolated from its direction. Its mark is within it, so
// that they are one item of a row.
func (t Text) HTML() template.HTML {
	if t.Value == "" {
		return ""
	}
	return t.Begin() + t.Inner() + t.Mark + "</bdi>"
}

// Begin returns the start tag of HTML, for a text that is written in parts.
func (t Text) Begin() template.HTML {
	switch { // a bdi has the direction of its first letter unless it is told
	case t.rtl:
		t.dir = "rtl"
	case t.dir == "auto":
		t.dir = ""
	}
	return "<bdi" + template.HTML(t.Attributes()) + ">" //nolint:gosec // escaped
}

// As returns the text as an element, with a class if one is given.
func (t Text) As(tag string, class ...string) template.HTML {
	if t.Value == "" {
		return ""
	}
	var b strings.Builder
	b.Grow(len(t.Value) + len(t.Markup) + len(t.Mark) + 48)
	b.WriteString("<" + tag)
	for _, c := range class {
		b.WriteString(` class="` + template.HTMLEscapeString(c) + `"`)
	}
	t.writeAttributes(&b)
	b.WriteString(">" + string(t.Inner()) + string(t.Mark) + "</" + tag + ">")
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// Block returns the text for an element that contains nothing else and has dir="auto", which depends
// on the content of a span but not of a bdi.
func (t Text) Block() template.HTML {
	if t.lang == "" {
		return t.Inner() + t.Mark
	}
	return template.HTML(`<span lang="`+template.HTMLEscapeString(t.lang)+`">`) + t.Inner() + "</span>" + t.Mark //nolint:gosec // escaped
}

// Inner returns the text without an element.
func (t Text) Inner() template.HTML {
	if t.Markup != "" {
		return t.Markup
	}
	return template.HTML(template.HTMLEscapeString(t.Value)) //nolint:gosec // escaped
}

// Attributes returns the attributes of an element that has the text and nothing else, such as an
// option, which can have only plain text.
func (t Text) Attributes() template.HTMLAttr {
	if t.lang == "" && t.dir == "" {
		return ""
	}
	var b strings.Builder
	t.writeAttributes(&b)
	return template.HTMLAttr(b.String()) //nolint:gosec // escaped
}

func (t Text) writeAttributes(b *strings.Builder) {
	if t.lang != "" {
		b.WriteString(` lang="` + template.HTMLEscapeString(t.lang) + `"`)
	}
	if t.dir != "" {
		b.WriteString(` dir="` + t.dir + `"`)
	}
}
