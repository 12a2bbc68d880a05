package view

import (
	"cmp"
	"encoding/json"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// element is an element with what is read of it when it is first shown.
type element struct {
	*taxonomy.Element
	page      *page
	suggested bool
	placed    int // how many placements

	read        bool
	title       text
	description text
	pieces      []piece
	sources     []source
	variables   map[string]*variable
}

// variable is a variable of an element.
type variable struct {
	*taxonomy.Variable
	place   int
	label   text
	inText  bool // the description says it
	options map[string]text
}

// load reads the texts of an element.
func (e *element) load() *element {
	if e.read {
		return e
	}
	e.read = true
	l := &e.page.locales
	e.title = e.page.name(e.Title, e.ID)
	e.description = l.pick(e.Description)
	e.pieces = pieces(e.description.value)
	e.sources = newSources(e.Sources)
	e.variables = make(map[string]*variable, len(e.Variables))
	for i := range e.Variables {
		v := &e.Variables[i]
		e.variables[v.ID] = &variable{Variable: v, place: i, label: e.page.name(v.Label, v.ID)}
	}
	for _, p := range e.pieces {
		if v := e.variables[p.variable]; v != nil {
			v.inText = true
		}
	}
	return e
}

// option returns the label of an option.
func (v *variable) option(l *locales, id string) text {
	if v.options == nil {
		v.options = make(map[string]text, len(v.Options))
		for i := range v.Options {
			v.options[v.Options[i].ID] = l.pick(v.Options[i].Label)
		}
	}
	if t := v.options[id]; t.some() {
		return t
	}
	return plain(id)
}

// card is a placement.
type card struct {
	id      int
	placed  *taxonomy.Placement
	element *element
	section *section
}

// shownCard is what the template shows of a placement. Its fields are made at
// once: a template looks up fields much faster than it calls methods.
type shownCard struct {
	ID string
	// Marked is set where there is a context, or the element is suggested.
	Marked, Suggested bool
	// Name tells the placement from others of the element, if it says so.
	Icon, Title, Name template.HTML
	Context           *chip
	// Says is the description of the element with the values in place.
	Says     template.HTML
	SaysLang string
	Filled   []filled
	Actions  []action
	Citation template.HTML
	// Sources are those of the placement, Given those of the taxonomy.
	Sources, Given []source
	Why            *why
}

// Shown reads the placement.
func (c *card) Shown() *shownCard {
	e := c.element.load()
	shown := &shownCard{
		ID: strconv.Itoa(c.id), Marked: c.placed.ContextTypeID != "" || e.suggested, Suggested: e.suggested,
		Icon: c.draw("i" + strconv.Itoa(c.id)), Title: e.page.mark(e.title, "").block(), Name: c.name(), Context: c.context(),
		Says: c.says(), SaysLang: e.description.lang, Filled: c.filled(), Actions: c.actions(),
		Citation: plain(c.placed.Citation).block(), Sources: newSources(c.placed.Sources), Given: e.sources, Why: c.why(),
	}
	if e.suggested { // who wrote the document wrote the element, too
		shown.Sources, shown.Given = append(shown.Sources, e.sources...), nil
	}
	return shown
}

func (c *card) name() template.HTML {
	if c.placed.Label == nil {
		return ""
	}
	return plain(*c.placed.Label).html()
}

// draw draws the icon in the variant of the context, or else for light and for
// dark pages. All of its ids begin with the prefix.
func (c *card) draw(prefix string) template.HTML {
	show := c.element.page.show
	one := func(variant, prefix string) []byte {
		svg, _ := show.Icon(c.element.Element, variant, &icons.Options{IDPrefix: prefix})
		return svg
	}
	if value := c.section.contexts[c.placed.ContextTypeID]; value != nil && value.Color != "" {
		return template.HTML(one(value.ID, prefix+"-")) //nolint:gosec // composed of what was sanitized
	}
	both := append(one(taxonomy.VariantDefault, prefix+"l-"), one(taxonomy.VariantDark, prefix+"d-")...)
	return template.HTML(both) //nolint:gosec // composed of what was sanitized
}

// chip is the context of a placement.
type chip struct {
	Name, Label template.HTML
	// Fill is its colour, "" where it has none, and Ink what can be read on
	// it: white or black.
	Fill, Ink string
}

// context is the context value that the placement chose, if it did.
func (c *card) context() *chip {
	id := c.placed.ContextTypeID
	if id == "" {
		return nil
	}
	if shown := c.section.chips[id]; shown != nil {
		return shown
	}
	shown := c.element.page.newChip(c.section, id)
	if c.section.chips == nil {
		c.section.chips = make(map[string]*chip)
	}
	c.section.chips[id] = shown
	return shown
}

func (pg *page) newChip(s *section, id string) *chip {
	value := s.contexts[id]
	if value == nil {
		return &chip{Label: plain(id).html()}
	}
	shown := &chip{Name: pg.locales.pick(s.category.Context.Name).html(), Label: pg.mark(pg.name(value.Label, value.ID), s.name.lang).html()}
	if fill, ok := icons.ParseColor(value.Color); ok {
		look := icons.FilledLook(fill)
		shown.Fill, shown.Ink = look.Fill.String(), "black"
		if look.Ink == icons.DarkLook().Ink {
			shown.Ink = "white"
		}
	}
	return shown
}

// says is the description of the element, with the values of the placement in
// place of the variables.
func (c *card) says() template.HTML {
	e := c.element.load()
	values := c.values()
	m := &markup{limit: e.page.limit}
	for _, p := range e.pieces {
		switch {
		case m.full():
			return m.html()
		case p.variable == "":
			m.WriteString(template.HTMLEscapeString(p.text))
		default:
			m.WriteString(`<b>`)
			c.writeValue(m, values[p.variable], e.description.lang)
			m.WriteString(`</b>`)
		}
	}
	m.WriteString(e.page.mark(e.description, e.title.lang).mark)
	return m.html()
}

// values are those of the placement by variable.
func (c *card) values() map[string]*taxonomy.VariableValue {
	if len(c.placed.Variables) == 0 {
		return nil
	}
	values := make(map[string]*taxonomy.VariableValue, len(c.placed.Variables))
	for i := range c.placed.Variables {
		values[c.placed.Variables[i].ID] = &c.placed.Variables[i]
	}
	return values
}

// writeValue writes what a variable is filled in with, or that it is not, within a
// text in a language.
func (c *card) writeValue(m *markup, value *taxonomy.VariableValue, lang string) {
	pg := c.element.page
	if value != nil {
		if t := pg.locales.pick(value.Text); t.some() {
			m.text(pg.mark(t, lang))
			return
		}
		v := c.element.variables[value.ID]
		for i, id := range value.Options {
			if m.full() {
				return
			}
			if i > 0 {
				m.WriteString(pg.edition.comma)
			}
			if v == nil {
				m.text(plain(id))
			} else {
				m.text(pg.mark(v.option(&pg.locales, id), lang))
			}
		}
		if len(value.Options) > 0 {
			return
		}
	}
	m.WriteString(`<i>`)
	m.text(pg.ours(pg.edition.NotGiven))
	m.WriteString(`</i>`)
}

// filled is a variable with its value.
type filled struct {
	Label, Value template.HTML
	place        int
}

// filled are the variables that the placement fills in and the description does
// not say, in the order of the element.
func (c *card) filled() []filled {
	e := c.element.load()
	var list []filled
	for i := range c.placed.Variables {
		value := &c.placed.Variables[i]
		v := e.variables[value.ID]
		if v == nil || v.inText || len(value.Text) == 0 && len(value.Options) == 0 {
			continue
		}
		m := &markup{limit: e.page.limit}
		c.writeValue(m, value, v.label.lang)
		list = append(list, filled{e.page.mark(v.label, e.title.lang).html(), m.html(), v.place})
	}
	slices.SortStableFunc(list, func(a, b filled) int { return a.place - b.place })
	return list
}

// actions are what a reader can do.
func (c *card) actions() []action {
	list := make([]action, len(c.placed.Actions))
	for i := range list {
		list[i] = newAction(&c.placed.Actions[i])
	}
	return list
}

// why is the provenance of a placement.
type why struct {
	Rationale, Confidence template.HTML
	Quotes                []quote
	Variables             []reason
}

type quote struct {
	Quote, Context template.HTML
	// Own is set where the quote brings its quotation marks.
	Own bool
}

type reason struct{ Label, Reason template.HTML }

// why tells why the placement is there, nil where nobody says.
func (c *card) why() *why {
	from := c.element.page.doc.AuthoringProvenance
	if from == nil {
		return nil
	}
	id := c.placed.ElementInstanceID
	entry, ok := from.ElementProvenance[id]
	if !ok || id == "" {
		if entry, ok = from.ElementProvenance[c.placed.ElementID]; !ok || c.element.placed > 1 {
			return nil
		}
	}
	confidence := plain(entry.Confidence)
	if level, known := c.element.page.edition.confidence(entry.Confidence); known {
		confidence = c.element.page.ours(level)
	}
	shown := &why{Rationale: plain(entry.Rationale).block(), Confidence: confidence.html(), Variables: c.reasons(entry.VariableRationale)}
	for _, r := range entry.SourceReferences {
		t := plain(r.Quote)
		shown.Quotes = append(shown.Quotes, quote{t.block(), plain(r.Context).block(), quoted(t.value)})
	}
	if shown.Rationale == "" && shown.Confidence == "" && len(shown.Quotes) == 0 && len(shown.Variables) == 0 {
		return nil
	}
	return shown
}

// reasons are those for the values of variables, in the order of the element, then
// those for variables that it does not have. Most are texts; anything else is shown
// as it is written.
func (c *card) reasons(rationale map[string]json.RawMessage) []reason {
	e := c.element.load()
	place := func(id string) int {
		if v := e.variables[id]; v != nil {
			return v.place
		}
		return len(e.variables)
	}
	ids := slices.SortedFunc(maps.Keys(rationale), func(a, b string) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a, b))
	})
	list := make([]reason, 0, len(ids))
	for _, id := range ids {
		r := reason{Label: plain(id).html()}
		if v := e.variables[id]; v != nil {
			r.Label = e.page.mark(v.label, e.title.lang).html()
		}
		var s string
		if err := json.Unmarshal(rationale[id], &s); err != nil {
			s = string(rationale[id])
		}
		r.Reason = plain(s).block()
		list = append(list, r)
	}
	return list
}
