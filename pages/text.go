package pages

import (
	"html/template"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// text is a text of a taxonomy as it is shown.
type text struct {
	// Plain is the text itself, for attributes and titles.
	Plain string

	html template.HTML // escaped, without its language
	lang string        // its language, or "" if it is that of the words of the page
	dir  string        // its direction, or "" if it is that of the page
	mark template.HTML // tells the reader the language, if it is not the chosen one
}

// Empty reports whether there is no text.
func (t text) Empty() bool { return t.Plain == "" }

// HTML returns the text inside other text, isolated from its direction.
func (t text) HTML() template.HTML { return t.As("bdi") }

// As returns the text as an element, with a class if one is given, or "".
func (t text) As(tag string, class ...string) template.HTML {
	if t.Plain == "" {
		return ""
	}
	var b strings.Builder
	b.Grow(len(t.html) + 48)
	b.WriteString("<" + tag)
	for _, c := range class {
		b.WriteString(` class="` + template.HTMLEscapeString(c) + `"`)
	}
	t.writeAttributes(&b)
	b.WriteString(">" + string(t.html) + string(t.mark) + "</" + tag + ">")
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// Attributes returns the attributes that tell the language and the direction of the
// text, for an element that can have only plain text, such as an option.
func (t text) Attributes() template.HTMLAttr {
	var b strings.Builder
	t.writeAttributes(&b)
	return template.HTMLAttr(b.String()) //nolint:gosec // escaped
}

func (t text) writeAttributes(b *strings.Builder) {
	if t.lang != "" {
		b.WriteString(` lang="` + template.HTMLEscapeString(t.lang) + `"`)
	}
	if t.dir != "" {
		b.WriteString(` dir="` + t.dir + `"`)
	}
}

// unmarked returns the text without telling its language to readers, because the page does so
// elsewhere.
func (t text) unmarked() text {
	t.mark = ""
	return t
}

// text returns a localized text in the language of the page, or else in another one.
func (q *request) text(l taxonomy.Localized) text {
	value, locale := q.chooser().Pick(l)
	return q.in(locale, value)
}

// name returns a localized name, or the id if there is none.
func (q *request) name(l taxonomy.Localized, id string) text {
	if t := q.text(l); !t.Empty() {
		return t
	}
	return q.raw(id)
}

// raw returns a text that is in no language, such as an id or the title of a source.
func (q *request) raw(s string) text {
	s = i18n.Clean(s)
	return text{Plain: s, html: template.HTML(template.HTMLEscapeString(s)), dir: "auto"} //nolint:gosec // escaped
}

// in returns a text in a language.
func (q *request) in(locale, value string) text {
	value = i18n.Clean(value)
	t := text{Plain: value, html: template.HTML(template.HTMLEscapeString(value))} //nolint:gosec // escaped
	q.localize(&t, locale)
	return t
}

// localize sets the language of a text.
func (q *request) localize(t *text, locale string) {
	if !ident.IsLocale(locale) {
		t.dir = "auto"
		return
	}
	if !strings.EqualFold(locale, q.words.Lang) {
		t.lang = locale
	}
	if dir := i18n.Direction(locale); dir != i18n.Direction(q.locale) {
		t.dir = dir
	}
	if !i18n.Same(locale, q.locale) {
		name := q.words.Word("layout.language") + q.words.Word("colon") + " " + endonym(locale)
		t.mark = template.HTML(i18n.LanguageTag(locale, name, q.words.Lang)) //nolint:gosec // escaped
	}
}

// span is a part of a text that a search has found.
type span struct{ start, end int }

// blanks returns a text with its {{variables}} shown as blanks, which have the labels
// of the variables, and with the parts that a search has found marked.
func (q *request) blanks(l taxonomy.Localized, variables []taxonomy.Variable, found []span) text {
	value, locale := q.chooser().Pick(l)
	var b strings.Builder
	for p := range ident.Pieces(value) {
		if id, ok := p.Variable(); ok {
			b.WriteString(`<span class="blank">` + template.HTMLEscapeString(q.labelOf(variables, id)) + `</span>`)
		} else {
			writeFound(&b, p.Text, p.At, found)
		}
	}
	t := text{Plain: q.plain(l, variables), html: template.HTML(b.String())} //nolint:gosec // escaped
	if t.Plain != "" {
		q.localize(&t, locale)
	}
	return t
}

// labelOf returns the label of a variable, or its id if it is not declared.
func (q *request) labelOf(variables []taxonomy.Variable, id string) string {
	for i := range variables {
		if variables[i].ID == id {
			return q.name(variables[i].Label, id).Plain
		}
	}
	return i18n.Clean(id)
}

// plain returns a text with the labels of its variables in brackets.
func (q *request) plain(l taxonomy.Localized, variables []taxonomy.Variable) string {
	value, _ := q.chooser().Pick(l)
	return i18n.Clean(ident.Interpolate(value, func(id string) (string, bool) {
		return "[" + q.labelOf(variables, id) + "]", true
	}))
}

// writeFound writes a piece of a text, which begins at an offset, with what was found
// marked.
func writeFound(b *strings.Builder, piece string, offset int, found []span) {
	at := 0
	for _, f := range found {
		start, end := max(f.start-offset, at), min(f.end-offset, len(piece))
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

// short cuts a text for a list or a description.
func short(s string, most int) string {
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

// icon draws the icon of an element for light and for dark pages: the style sheet shows
// one of them.
func (q *request) icon(schema *datachain.Schema, e *taxonomy.Element) template.HTML {
	return q.variant(schema, e, taxonomy.VariantDefault) + q.variant(schema, e, taxonomy.VariantDark)
}

// variant draws the icon of an element in a variant, or only its shape if the symbol can't be
// drawn. Each icon on a page has ids of its own.
func (q *request) variant(schema *datachain.Schema, e *taxonomy.Element, variant string) template.HTML {
	*q.icons++
	svg, err := schema.AppendIcon(q.ctx, nil, e.ID, variant, &icons.Options{IDPrefix: "i" + strconv.Itoa(*q.icons) + "-"})
	if c, ok := schema.Release().Category(e.CategoryID); err != nil && ok {
		return swatch(c, variant)
	}
	return template.HTML(svg) //nolint:gosec // composed of sanitized symbols
}

// shape draws a bare shape for light and for dark pages.
func shape(s taxonomy.Shape) template.HTML {
	light, _ := icons.Append(nil, s, nil, icons.DefaultColors(), nil) // nil for an unknown shape
	dark, _ := icons.Append(nil, s, nil, icons.DarkColors(), nil)
	return template.HTML(append(light, dark...)) //nolint:gosec // composed of our own drawing
}
