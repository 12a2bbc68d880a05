package view

import (
	"cmp"
	"encoding/json"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// element is an element and its texts, which are read when it is first shown.
type element struct {
	*taxonomy.Element
	page      *page
	suggested bool
	placed    int // the number of placements

	read        bool
	title       text
	titlePieces []piece // nil if the title has no variables
	description text
	pieces      []piece
	sources     []source
	variables   map[string]*variable
}

// variable is a variable of an element.
type variable struct {
	*taxonomy.Variable
	index   int
	label   text
	inTitle bool // the title contains it
	inText  bool // the title or the description contains it
	options map[string]text
}

// load reads the texts of an element.
func (e *element) load() *element {
	if e.read {
		return e
	}
	e.read = true
	e.title = e.page.name(e.Title, e.ID)
	if list := pieces(e.title.value); slices.ContainsFunc(list, piece.isVariable) {
		e.titlePieces = list
	}
	e.description = e.page.locales.pick(e.Description)
	e.pieces = pieces(e.description.value)
	e.sources = newSources(e.Sources)
	e.variables = make(map[string]*variable, len(e.Variables))
	variables := make([]variable, len(e.Variables))
	for i := range variables {
		v := &e.Variables[i]
		variables[i] = variable{Variable: v, index: i, label: e.page.name(v.Label, v.ID)}
		e.variables[v.ID] = &variables[i]
	}
	for i, list := range [][]piece{e.titlePieces, e.pieces} {
		for _, p := range list {
			if v := e.variables[p.variable]; v != nil {
				v.inText, v.inTitle = true, v.inTitle || i == 0
			}
		}
	}
	return e
}

// option returns the label of an option.
func (v *variable) option(pg *page, id string) text {
	if v.options == nil {
		v.options = make(map[string]text, len(v.Options))
		for i := range v.Options {
			v.options[v.Options[i].ID] = pg.name(v.Options[i].Label, v.Options[i].ID)
		}
	}
	if t, ok := v.options[id]; ok {
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
	entry   *datachain.SummaryEntry
}

func (c *card) name() template.HTML {
	if c.placed.Label == nil {
		return ""
	}
	return c.element.page.label(*c.placed.Label, c.element.title.lang).html()
}

// value returns the context value of the placement, or nil.
func (c *card) value() *taxonomy.ContextValue {
	if c.section.category == nil {
		return nil
	}
	value, _ := c.section.category.Context.Value(c.placed.ContextTypeID)
	return value
}

// draw draws the icon in the variant of the context or, if that has no colour, for light
// and for dark pages. Its ids begin with the prefix, after that of the language.
func (c *card) draw(m *markup, prefix string) {
	pg := c.element.page
	one := func(variant, prefix string) {
		m.bytes, _ = pg.show.AppendIcon(m.bytes, c.element.Element, variant, &icons.Options{IDPrefix: m.prefix + prefix}) // of sanitized symbols
	}
	if value := c.value(); value != nil && value.Color != "" {
		one(value.ID, prefix+"-")
		return
	}
	one(taxonomy.VariantDefault, prefix+"l-")
	one(taxonomy.VariantDark, prefix+"d-")
}

// says writes the description of the element with the values of the placement.
func (c *card) says(m *markup) {
	e := c.element.load()
	values := c.values()
	m.last = 0 // nothing comes before it
	for _, p := range e.pieces {
		switch {
		case m.full():
			return
		case p.variable == "":
			m.WriteString(template.HTMLEscapeString(m.continued(p.text)))
		default:
			m.WriteString(`<b>`)
			c.writeValue(m, values[p.variable], e.description.lang)
			m.WriteString(`</b>`)
		}
	}
	m.WriteString(e.page.mark(e.description, e.title.lang).mark)
}

// writeValue writes the value of a variable, or that it has none, in a text in a language.
func (c *card) writeValue(m *markup, value *taxonomy.VariableValue, lang string) {
	pg := c.element.page
	if value == nil {
		value = new(taxonomy.VariableValue)
	}
	if t := pg.locales.pick(value.Text); t.value != "" {
		m.value(pg.mark(t, lang))
		return
	}
	v := c.element.variables[value.ID]
	for i, id := range value.Options {
		if m.full() {
			return
		}
		if i > 0 {
			m.WriteString(phrases.In(pg.messages.Lang).Comma)
		}
		if v == nil {
			m.text(plain(id))
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

// own returns the variables with a value, in the order of the element, without those that the
// article shows as its title, its name and its words. What the description contains is listed,
// because that is folded.
func (c *card) own() []filled {
	pick := c.element.page.locales.pick
	name, words := pick(c.entry.Name).value, pick(c.entry.Words).value
	return c.variables(func(v *variable, value *taxonomy.VariableValue) bool {
		text := pick(value.Text).value
		return !v.inTitle && (text == "" || text != name && text != words)
	})
}

// filled returns the variables with a value that neither title nor description contains, in the
// order of the element.
func (c *card) filled() []filled {
	return c.variables(func(v *variable, _ *taxonomy.VariableValue) bool { return !v.inText })
}

// variables returns the variables with a value that are wanted, in the order of the element.
func (c *card) variables(wanted func(*variable, *taxonomy.VariableValue) bool) []filled {
	e := c.element.load()
	list := make([]filled, 0, len(c.placed.Variables))
	for i := range c.placed.Variables {
		value := &c.placed.Variables[i]
		v := e.variables[value.ID]
		if v == nil || len(value.Text) == 0 && len(value.Options) == 0 || !wanted(v, value) {
			continue
		}
		list = append(list, filled{v, value})
	}
	slices.SortStableFunc(list, func(a, b filled) int { return a.index - b.index })
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
	// Own is set if the quote has its own quotation marks.
	Own bool
}

type reason struct{ Label, Reason template.HTML }

// why returns the provenance of the placement, or nil.
func (c *card) why() *why {
	pg := c.element.page
	from := pg.doc.AuthoringProvenance
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
	if name, ok := map[string]string{"high": pg.messages.Word("high"), "medium": pg.messages.Word("medium"), "low": pg.messages.Word("low")}[entry.Confidence]; ok {
		confidence = pg.ours(name)
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

// reasons returns the rationale of values in the order of the element's variables, then
// those of unknown variables. A rationale that is not a string is shown as JSON.
func (c *card) reasons(rationale map[string]json.RawMessage) []reason {
	e := c.element.load()
	index := func(id string) int {
		if v := e.variables[id]; v != nil {
			return v.index
		}
		return len(e.variables)
	}
	ids := slices.SortedFunc(maps.Keys(rationale), func(a, b string) int {
		return cmp.Or(index(a)-index(b), strings.Compare(a, b))
	})
	list := make([]reason, len(ids))
	for i, id := range ids {
		list[i].Label = plain(id).html()
		if v := e.variables[id]; v != nil {
			list[i].Label = e.page.mark(v.label, e.title.lang).html()
		}
		var s string
		if err := json.Unmarshal(rationale[id], &s); err != nil {
			s = string(rationale[id])
		}
		list[i].Reason = plain(s).block()
	}
	return list
}

// flow is a subchain instance: a sequence of stages.
type flow struct {
	ID     int
	Name   template.HTML
	Stages []*stage
	// From are the heads that are not elements: other flows, or unknown references.
	From []ref
}

// stage is the elements of one category, side by side.
type stage struct {
	Name  template.HTML
	Steps []step
}

// step is an element in a flow.
type step struct {
	card *card
	flow int
}

// ref is a reference to a flow.
type ref struct {
	Name template.HTML
	Flow int // the id of the flow, or 0 if it is not shown
	name text
}

// subchain is a subchain of the datachain type.
type subchain struct {
	name text
	// order sorts the categories of the subchain before others: it is negative.
	order map[string]int
}

// readFlows makes a flow of each subchain instance with elements, in their order.
func (pg *page) readFlows() {
	instances := make([]*taxonomy.SubchainInstance, len(pg.doc.SubchainInstances))
	for i := range instances {
		instances[i] = &pg.doc.SubchainInstances[i]
	}
	slices.SortStableFunc(instances, func(a, b *taxonomy.SubchainInstance) int { return cmp.Compare(orZero(a.Order), orZero(b.Order)) })
	members := make(map[string][]*card)
	byRef := make(map[string]*card)
	for _, s := range pg.Sections {
		for _, c := range s.Cards {
			if c.element.placed == 1 {
				byRef[c.placed.ElementID] = c
			}
			if c.placed.ElementInstanceID != "" {
				byRef[c.placed.ElementInstanceID] = c
			}
			if id := c.placed.SubchainInstanceID; id != "" {
				members[id] = append(members[id], c)
			}
		}
	}
	subchains := pg.subchains()
	names := make(map[string]ref)
	for i, in := range instances {
		name := ref{name: plain(in.SubchainID)}
		if s, ok := subchains[in.SubchainID]; ok {
			name.name = s.name
		}
		name.Name = name.name.html()
		if len(members[in.ID]) > 0 {
			name.Flow = i + 1
		}
		names[in.ID] = name
	}
	for i, in := range instances {
		f := &flow{ID: i + 1, Name: pg.mark(names[in.ID].name, "").block()}
		f.arrange(f.heads(in, byRef, names), members[in.ID], subchains[in.SubchainID].order)
		if len(f.Stages) > 0 {
			pg.Flows = append(pg.Flows, f)
		}
	}
}

// subchains returns the subchains of the datachain type by id.
func (pg *page) subchains() map[string]subchain {
	list := pg.doc.SchemaSnapshot.DatachainType.Subchains
	subchains := make(map[string]subchain, len(list))
	for i := range list {
		s := &list[i]
		order := make(map[string]int, len(s.Categories))
		for k, id := range s.Categories {
			order[id] = k - len(s.Categories)
		}
		subchains[s.ID] = subchain{pg.name(s.Name, s.ID), order}
	}
	return subchains
}

// heads returns the elements that a flow starts from, each once, and adds other references
// to From.
func (f *flow) heads(in *taxonomy.SubchainInstance, byRef map[string]*card, names map[string]ref) []*card {
	var heads []*card
	seen := make(map[string]bool)
	for _, id := range in.HeadRefs {
		if seen[id] {
			continue
		}
		seen[id] = true
		if c := byRef[id]; c != nil {
			heads = append(heads, c)
		} else if other, ok := names[id]; ok {
			f.From = append(f.From, other)
		} else {
			f.From = append(f.From, ref{Name: plain(id).html()})
		}
	}
	return heads
}

// arrange makes the stages: the heads, then the categories of the subchain in its order,
// then the rest.
func (f *flow) arrange(heads, members []*card, order map[string]int) {
	if len(heads) > 0 {
		start := &stage{Name: heads[0].section.name.html()}
		for _, c := range heads {
			if c.section != heads[0].section {
				start.Name = ""
			}
			start.Steps = append(start.Steps, step{c, f.ID})
		}
		f.Stages = append(f.Stages, start)
	}
	isHead := make(map[*card]bool, len(heads))
	for _, c := range heads {
		isHead[c] = true
	}
	rest := slices.DeleteFunc(slices.Clone(members), func(c *card) bool { return isHead[c] })
	slices.SortStableFunc(rest, func(a, b *card) int {
		return cmp.Compare(order[a.element.CategoryID], order[b.element.CategoryID])
	})
	for i, c := range rest {
		if i == 0 || rest[i-1].section != c.section {
			f.Stages = append(f.Stages, &stage{Name: c.section.name.html()})
		}
		last := f.Stages[len(f.Stages)-1]
		last.Steps = append(last.Steps, step{c, f.ID})
	}
}

// orZero returns a number that a document can omit.
func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
