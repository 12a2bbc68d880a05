package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// Format is how a datachain is written as text.
type Format string

// The formats of [AppendText].
const (
	Markdown Format = "md"
	Text     Format = "text"
)

// AppendText appends a datachain as text to dst: the summary first, then all placements
// with the document's own words. It is for screens without pictures, for speech, and for
// letters. On error it returns dst unchanged.
func AppendText(dst []byte, p *datachain.Presentation, f Format, o *Options) ([]byte, Summary, error) {
	if f != Markdown && f != Text {
		return dst, Summary{}, fmt.Errorf("view: the format %q is not known; use %s or %s", f, Markdown, Text)
	}
	return appendTo(dst, p, o, func(pg *page, m *markup) {
		(&plainPage{page: pg, m: m, markdown: f == Markdown}).write()
	})
}

// plainPage writes a page as text.
type plainPage struct {
	*page
	m        *markup
	markdown bool
	started  bool
	listing  bool // the last line is an item of a list
}

// line is a text for one line. Markdown in it has no meaning.
func (w *plainPage) line(s string) string {
	if w.markdown {
		return wording.Markdown(i18n.Clean(s))
	}
	return strings.Join(strings.Fields(i18n.Clean(s)), " ")
}

// pick is a text in the language of the page.
func (w *plainPage) pick(l taxonomy.Localized) string { return w.line(w.locales.Text(l).Value) }

// heading writes a heading of a level.
func (w *plainPage) heading(level int, s string) {
	switch {
	case w.markdown:
		s = strings.Repeat("#", level) + " " + s
	case level < 3:
		s += "\n" + strings.Repeat("=-"[level-1:level], utf8.RuneCountInString(s))
	}
	w.paragraph(s)
}

// paragraph writes a paragraph, if there is one.
func (w *plainPage) paragraph(s string) {
	if s == "" {
		return
	}
	if w.started {
		w.m.WriteString("\n")
	}
	w.started, w.listing = true, false
	w.m.all(s, "\n")
}

// item writes an item of a list: a name and a value.
func (w *plainPage) item(name, value string) {
	if value == "" {
		return
	}
	if name != "" {
		name += w.messages.Word("colon") + " "
	}
	if w.markdown && name != "" {
		name = "**" + strings.TrimSpace(name) + "** "
	}
	if !w.listing {
		w.m.WriteString("\n")
		w.listing = true
	}
	w.m.all("- ", name, value, "\n")
}

func (w *plainPage) write() {
	doc := w.doc
	w.heading(1, w.line(w.locales.Name(doc.Title, doc.ID).Value))
	w.paragraph(w.pick(doc.Description))
	for i := range w.summary.Points {
		said := phrases.NewPoint(&w.summary.Points[i], &w.locales)
		w.item(w.line(said.Name), w.line(said.Text()))
	}
	if answered := w.site.Answered; answered != nil {
		w.item(phrases.In(w.messages.Lang).Answered, answered.In(w.messages.Lang))
	}
	for _, s := range w.Sections {
		w.heading(2, w.line(s.name.Value))
		for _, p := range s.Placements {
			if w.m.full() {
				return
			}
			w.placement(p)
		}
	}
	if len(doc.Sources) > 0 {
		w.heading(2, w.messages.Word("sources"))
		w.sources("", doc.Sources)
	}
	w.listing = false
	day := func(name, timestamp string) {
		if written, ok := i18n.Day(w.messages.Lang, timestamp); ok {
			w.item(name, written)
		}
	}
	day(w.messages.Word("created"), doc.CreatedAt)
	day(w.messages.Word("updated"), doc.UpdatedAt)
	w.item(w.messages.Word("document"), w.line(doc.ID))
	w.item(w.messages.Word("taxonomy"), w.line(doc.SchemaVersion))
}

// placement writes a placement: its name, what it says, its values, actions and sources.
func (w *plainPage) placement(p *placement) {
	e := p.element.load()
	title := w.values(p, e.title.Value)
	if p.Label != nil {
		if own := w.line(w.label(*p.Label, "").Value); own != "" && own != title {
			title = own + " (" + title + ")"
		}
	}
	if e.suggested {
		title += " (" + w.messages.Word("suggested") + ")"
	}
	w.heading(3, title)
	w.paragraph(w.values(p, e.description.Value))
	if id := p.ContextTypeID; id != "" {
		if value := p.value(); value != nil {
			w.item(strings.TrimRight(w.pick(p.section.category.Context.Name), ":?"), w.line(w.locales.Name(value.Label, id).Value))
		}
	}
	for _, f := range p.valuesOutsideText() {
		w.item(w.line(f.label.Value), w.line(w.value(p, f.value)))
	}
	for _, a := range p.Actions {
		w.item(w.line(w.label(a.Label, "").Value), w.line(a.Target))
	}
	w.sources(w.messages.Word("sources"), p.Sources)
}

// values returns a title or a description with the values of a placement.
func (w *plainPage) values(p *placement, s string) string {
	values, size := p.values(), 0
	return w.line(ident.Interpolate(s, func(id string) (string, bool) {
		if w.m.full() {
			return "", true
		}
		value := w.value(p, values[id])
		if size += len(value); size > w.m.limit {
			w.m.stopped = ErrTooLarge
		}
		return value, true
	}))
}

// value returns the value of a variable.
func (w *plainPage) value(p *placement, v *taxonomy.VariableValue) string {
	if v == nil {
		return w.messages.Word("notgiven")
	}
	if t := w.locales.Text(v.Text); t.Value != "" {
		return t.Value
	}
	var labels []string
	for _, id := range v.Options {
		label := id
		if known := p.element.variable(v.ID); known != nil {
			label = known.option(w.page, id).Value
		}
		labels = append(labels, label)
	}
	if len(labels) == 0 {
		return w.messages.Word("notgiven")
	}
	return strings.Join(labels, phrases.In(w.messages.Lang).Comma)
}

// sources writes sources as items.
func (w *plainPage) sources(name string, list []taxonomy.Source) {
	for _, s := range list {
		var parts []string
		for _, part := range []string{s.Title, s.Citation, s.URL} {
			if part != "" {
				parts = append(parts, w.line(part))
			}
		}
		w.item(name, strings.Join(parts, ", "))
	}
}
