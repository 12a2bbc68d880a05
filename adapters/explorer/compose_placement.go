package explorer

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composePlacement is a placement with its fields.
type composePlacement struct {
	Index, Number   int
	ID, Path        string
	Icon            template.HTML
	Title, About    text
	Marks           []badge
	Guidance        text
	Examples        []text
	Fields          []*composeGroup
	More            []*composeGroup
	Lists           []*composeList
	Unknown         []*composeChoice // variables that the element does not have
	Wrong           []*composeFinding
	First, Last     bool
	Before, After   string // the ids of its neighbours
	Up, Down, Clear string // what buttons do
}

// placement returns a placement with its fields. The element or its category can be nil.
func (c *composer) placement(v document.Value, i int, e *taxonomy.Element, category *taxonomy.Category) *composePlacement {
	at := issue.Root.Key("elements").Index(i)
	id, _ := v.Get("element_id")
	w := &c.words.Compose
	p := &composePlacement{Index: i, ID: "p-" + strconv.Itoa(i), Path: at.String(), Title: c.raw(id.Text())}
	if e != nil {
		p.Title, p.About, p.Guidance, p.Examples, p.Marks = c.titled(e, nil), c.blanks(e.Description, e.Variables, nil), c.text(e.AuthoringGuidance), c.examples(e.Examples), c.elementBadges(e, nil)
	}
	if p.Title.Empty() {
		p.Title = c.own(w.Unknown)
	}
	c.anchor(at, p.ID, p.Title, &p.Wrong)
	if v.Kind() != '{' {
		return p
	}
	chosen, _ := v.Get("context_type_id")
	if e != nil {
		variant := taxonomy.VariantDefault
		if category != nil {
			if value, ok := category.Context.Value(chosen.Text()); ok && value.Color != "" {
				variant = value.ID
			}
		}
		if _, published := c.release().Element(e.ID); !published {
			p.Icon = shape(categoryShape(category))
		} else if p.Icon = c.variant(c.schema, e, variant); variant == taxonomy.VariantDefault {
			p.Icon += c.variant(c.schema, e, taxonomy.VariantDark)
		}
	}
	if category != nil && len(category.Context.Values) > 0 || chosen.Kind() != 0 {
		p.Fields = append(p.Fields, c.contextOf(at, category))
	}
	variables, _ := v.Get("variables")
	var known []string
	if e != nil {
		for k := range e.Variables {
			variable := &e.Variables[k]
			known = append(known, variable.ID)
			p.Fields = append(p.Fields, c.variable(at, i, e, variable, variables))
		}
	}
	c.anchor(at.Key("variables"), p.ID, p.Title, &p.Wrong)
	for variable := range variables.All() {
		if of, _ := variable.Get("id"); e != nil && of.Text() != "" && !slices.Contains(known, of.Text()) && len(p.Unknown) < maxFormItems {
			value, _ := variable.Get("value")
			p.Unknown = append(p.Unknown, &composeChoice{Value: of.Text(), Label: c.raw(of.Text()), About: c.raw(short(valueText(value), maxAbout))})
		}
	}
	if slices.Contains(c.state.more, strconv.Itoa(i)) || slices.ContainsFunc(rareFields, func(key string) bool { _, ok := v.Get(key); return ok }) {
		c.moreOf(p, at)
	}
	return p
}

func categoryShape(category *taxonomy.Category) taxonomy.Shape {
	if category == nil {
		return taxonomy.Circle
	}
	return category.Shape
}

// valueText returns the texts of a value.
func valueText(v document.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	var list []string
	for item := range v.All() {
		if value, ok := item.Get("value"); ok {
			item = value
		}
		list = append(list, item.Text())
	}
	return strings.Join(list, ", ")
}

// contextOf returns the choice of the context of a placement.
func (c *composer) contextOf(at issue.Path, category *taxonomy.Category) *composeGroup {
	choices := []*composeChoice{{Label: c.own(c.words.Compose.NotChosen)}}
	label, required := c.own(c.words.Element.Context), false
	if category != nil {
		if name := c.text(category.Context.Name); !name.Empty() {
			label = name
		}
		required = category.Context.Required
		for k := range category.Context.Values {
			value := &category.Context.Values[k]
			one := &composeChoice{Value: value.ID, Label: c.name(value.Label, value.ID), About: c.text(value.Description)}
			if value.Color != "" {
				one.Swatch = swatch(category, value.ID)
			}
			choices = append(choices, one)
		}
	}
	g := c.choose(at.Key("context_type_id"), label, "radio", choices)
	if g.Required = required; category != nil {
		g.Note = c.text(category.Context.Description)
	}
	return g
}

// variable returns the fields of a variable.
func (c *composer) variable(at issue.Path, i int, e *taxonomy.Element, variable *taxonomy.Variable, list document.Value) *composeGroup {
	j := variableAt(list, variable.ID)
	item, _ := list.At(j)
	value, _ := item.Get("value")
	name := strconv.Itoa(i) + ":" + variable.ID
	g := &composeGroup{ID: fieldID("v-" + name), Label: c.name(variable.Label, variable.ID), Required: variable.Required}
	if j >= 0 {
		c.anchor(at.Key("variables").Index(j), g.ID, g.Label, &g.Wrong)
	} else { // where a finding about it has no place of its own
		c.anchors[at.Key("variables").Key(variable.ID).String()] = anchor{g.ID, g.Label, &g.Wrong}
	}
	if variable.Type != taxonomy.SelectVariable {
		g.Kind = "texts"
		g.Fields = c.texts(value, func(locale string) string { return "v:" + locale + ":" + name }, variable.Role == taxonomy.RoleWords)
		return g
	}
	g.Kind, g.Name = "check", "o:"+name
	var choices []*composeChoice
	for k := range variable.Options {
		o := &variable.Options[k]
		if len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, e.ID) {
			choices = append(choices, &composeChoice{Value: o.ID, Label: c.name(o.Label, o.ID), About: c.text(o.Description)})
		}
	}
	var chosen []string
	for item := range value.All() {
		if item.Text() != "" {
			chosen = append(chosen, item.Text())
		}
	}
	g.Choices = withOther(c.request, choices, chosen)
	return g
}

// link tells placements about their neighbours.
func link(list []*composePlacement) {
	for i, p := range list {
		p.Number, p.First, p.Last = i+1, i == 0, i == len(list)-1
		if !p.First {
			p.Before = list[i-1].ID
		}
		if !p.Last {
			p.After = list[i+1].ID
		}
	}
}
