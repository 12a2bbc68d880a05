package view

import (
	"cmp"
	"encoding/json"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// element is an element and its texts, which are read when it is first shown.
type element struct {
	*taxonomy.Element
	page      *page
	suggested bool
	placed    int // the number of placements

	read        bool
	title       phrases.Text
	titlePieces []piece // nil if the title has no variables
	description phrases.Text
	pieces      []piece
	sources     []source
	variables   map[string]*variable // by id; see [element.variable]
}

// variable is a variable of an element.
type variable struct {
	*taxonomy.Variable
	index   int
	label   phrases.Text
	inTitle bool // the title contains it
	inText  bool // the title or the description contains it
	options map[string]phrases.Text
}

// load reads the texts of an element.
func (e *element) load() *element {
	if e.read {
		return e
	}
	e.read = true
	e.title = e.page.locales.Name(e.Title, e.ID)
	if list := pieces(e.title.Value); slices.ContainsFunc(list, piece.isVariable) {
		e.titlePieces = list
	}
	e.description = e.page.locales.Text(e.Description)
	e.pieces = pieces(e.description.Value)
	e.sources = newSources(e.Sources)
	e.variables = make(map[string]*variable, len(e.Variables))
	variables := make([]variable, len(e.Variables))
	for i := range variables {
		v := &e.Variables[i]
		variables[i] = variable{Variable: v, index: i, label: e.page.locales.Name(v.Label, v.ID)}
		e.variables[v.ID] = &variables[i]
	}
	for i, list := range [][]piece{e.titlePieces, e.pieces} {
		for _, p := range list {
			if v := e.variable(p.variable); v != nil {
				v.inText, v.inTitle = true, v.inTitle || i == 0
			}
		}
	}
	return e
}

// variable returns a variable by its id, or nil. A suggested element has those of its category,
// too.
func (e *element) variable(id string) *variable {
	if v := e.load().variables[id]; v != nil || !e.suggested {
		return v
	}
	s := e.page.sections[e.CategoryID]
	if s == nil || s.category == nil {
		return nil
	}
	if s.variables == nil {
		s.variables = make(map[string]int, len(s.category.Variables))
		for i := range s.category.Variables {
			s.variables[s.category.Variables[i].ID] = i
		}
	}
	i, ok := s.variables[id]
	if !ok {
		return nil
	}
	declared := &s.category.Variables[i]
	v := &variable{Variable: declared, index: len(e.Variables) + i, label: e.page.locales.Name(declared.Label, id)}
	e.variables[id] = v
	return v
}

// option returns the label of an option.
func (v *variable) option(pg *page, id string) phrases.Text {
	if v.options == nil {
		v.options = make(map[string]phrases.Text, len(v.Options))
		for i := range v.Options {
			v.options[v.Options[i].ID] = pg.locales.Name(v.Options[i].Label, v.Options[i].ID)
		}
	}
	if t, ok := v.options[id]; ok {
		return t
	}
	return phrases.Raw(id)
}

// placement is a placement with its element and its section.
type placement struct {
	*taxonomy.Placement

	id      int
	element *element
	section *section
	entry   *summary.Entry
}

func (p *placement) name() template.HTML {
	if p.Label == nil {
		return ""
	}
	return p.element.page.label(*p.Label, p.element.title.Lang()).HTML()
}

// value returns the context value of the placement, or nil.
func (p *placement) value() *taxonomy.ContextValue {
	if p.section.category == nil {
		return nil
	}
	value, _ := p.section.category.Context.Value(p.ContextTypeID)
	return value
}

// draw draws the icon in the variant of the context or, if that has no colour, for light
// and for dark pages. Its ids begin with the prefix, after that of the language.
func (p *placement) draw(m *markup, prefix string) {
	pg := p.element.page
	one := func(variant, prefix string) {
		m.bytes, _ = pg.show.AppendIcon(m.bytes, p.element.Element, variant, &icons.Options{IDPrefix: m.prefix + prefix}) // of sanitized symbols
	}
	if value := p.value(); value != nil && value.Color != "" {
		one(value.ID, prefix+"-")
		return
	}
	one(taxonomy.VariantDefault, prefix+"l-")
	one(taxonomy.VariantDark, prefix+"d-")
}

// writeValue writes the value of a variable, or that it has none, in a text in a language.
func (p *placement) writeValue(m *markup, value *taxonomy.VariableValue, lang string) {
	pg := p.element.page
	if value == nil {
		value = new(taxonomy.VariableValue)
	}
	if t := pg.locales.Text(value.Text); t.Value != "" {
		m.value(pg.mark(t, lang))
		return
	}
	v := p.element.variable(value.ID)
	for i, id := range value.Options {
		if m.full() {
			return
		}
		if i > 0 {
			m.WriteString(phrases.In(pg.messages.Lang).Comma)
		}
		if v == nil {
			m.text(phrases.Raw(id))
		} else {
			m.text(pg.mark(v.option(pg, id), lang))
		}
	}
	if len(value.Options) == 0 {
		m.WriteString(`<i>`)
		m.text(pg.ours(pg.messages.Word("notgiven")))
		m.WriteString(`</i>`)
	}
}

// filled is a variable with its value.
type filled struct {
	*variable
	value *taxonomy.VariableValue
}

// listedValues returns the variables with a value, in the order of the element, without those that the
// article shows as its title, its name and its words. Those in the description are listed, because
// the description is folded.
func (p *placement) listedValues() []filled {
	pick := p.element.page.locales.Text
	name, words := pick(p.entry.Name).Value, pick(p.entry.Words).Value
	return p.variables(func(v *variable, value *taxonomy.VariableValue) bool {
		text := pick(value.Text).Value
		return !v.inTitle && (text == "" || text != name && text != words)
	})
}

// valuesOutsideText returns the variables with a value that neither title nor description contains, in the
// order of the element.
func (p *placement) valuesOutsideText() []filled {
	return p.variables(func(v *variable, _ *taxonomy.VariableValue) bool { return !v.inText })
}

// variables returns the variables with a value that are wanted, in the order of the element.
func (p *placement) variables(wanted func(*variable, *taxonomy.VariableValue) bool) []filled {
	e := p.element.load()
	list := make([]filled, 0, len(p.Variables))
	for i := range p.Variables {
		value := &p.Variables[i]
		v := e.variable(value.ID)
		if v == nil || len(value.Text) == 0 && len(value.Options) == 0 || !wanted(v, value) {
			continue
		}
		list = append(list, filled{v, value})
	}
	slices.SortStableFunc(list, func(a, b filled) int { return a.index - b.index })
	return list
}

// unsaid returns the required variables that have no value, for an unfinished document.
func (p *placement) unsaid() (list []*variable) {
	e := p.element.load()
	if !e.page.options.Unfinished {
		return nil
	}
	values := p.values()
	for i := range e.Variables {
		value := values[e.Variables[i].ID]
		if e.Variables[i].Required && (value == nil || len(value.Options) == 0 && e.page.locales.Text(value.Text).Empty()) {
			list = append(list, e.variable(e.Variables[i].ID))
		}
	}
	return list
}

// provenance is why a placement was made.
type provenance struct {
	Said                  bool // there is a rationale or a confidence
	Rationale, Confidence template.HTML
	Quotes                []quote
	Variables             []reason
}

type quote struct {
	Quote, Context template.HTML
	// Own is set if the quote has its own quotation marks.
	Own bool
}

type reason struct{ Label, Reason template.HTML }

// provenance returns why the placement was made, or nil.
func (p *placement) provenance() *provenance {
	pg := p.element.page
	from := pg.doc.AuthoringProvenance
	if from == nil {
		return nil
	}
	id := p.ElementInstanceID
	entry, ok := from.ElementProvenance[id]
	if !ok || id == "" {
		if entry, ok = from.ElementProvenance[p.ElementID]; !ok || p.element.placed > 1 {
			return nil
		}
	}
	confidence := phrases.Raw(entry.Confidence)
	if name, ok := map[string]string{"high": pg.messages.Word("high"), "medium": pg.messages.Word("medium"), "low": pg.messages.Word("low")}[entry.Confidence]; ok {
		confidence = pg.ours(name)
	}
	shown := &provenance{Rationale: phrases.Raw(entry.Rationale).Block(), Confidence: confidence.HTML(), Variables: p.reasons(entry.VariableRationale)}
	for _, r := range entry.SourceReferences {
		t := phrases.Raw(r.Quote)
		shown.Quotes = append(shown.Quotes, quote{t.Block(), phrases.Raw(r.Context).Block(), quoted(t.Value)})
	}
	shown.Said = shown.Rationale != "" || shown.Confidence != ""
	if !shown.Said && len(shown.Quotes) == 0 && len(shown.Variables) == 0 {
		return nil
	}
	return shown
}

// reasons returns the rationale of values in the order of the element's variables, then
// those of unknown variables. A rationale that is not a string is shown as JSON.
func (p *placement) reasons(rationale map[string]json.RawMessage) []reason {
	e := p.element.load()
	index := func(id string) int {
		if v := e.variable(id); v != nil {
			return v.index
		}
		return math.MaxInt
	}
	ids := slices.SortedFunc(maps.Keys(rationale), func(a, b string) int {
		return cmp.Or(cmp.Compare(index(a), index(b)), strings.Compare(a, b))
	})
	list := make([]reason, len(ids))
	for i, id := range ids {
		list[i].Label = phrases.Raw(id).HTML()
		if v := e.variable(id); v != nil {
			list[i].Label = e.page.mark(v.label, e.title.Lang()).HTML()
		}
		var s string
		if err := json.Unmarshal(rationale[id], &s); err != nil {
			s = string(rationale[id])
		}
		list[i].Reason = phrases.Raw(s).Block()
	}
	return list
}

// orZero returns a number that a document can omit.
func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
