package explorer

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// tryout is a placement of an element that one can fill in. Its state is in the address
// of the page: context, and v.<variable> for each value.
type tryout struct {
	Fields   []*field
	Contexts []*formChoice
	// ContextName is the name of the choice of contexts.
	ContextName text

	// What the reader of a document would see, and the JSON of the placement.
	Icon         template.HTML
	Chip         *formChoice
	Title, About text
	Rest         []*filled
	JSON         string
	// Missing names what is to be filled in. The JSON has examples in its place, so
	// that it is valid.
	Missing []text

	placement taxonomy.Placement
}

// field is a variable to fill in.
type field struct {
	ID, Name string // Name is that of the parameter
	Label    text
	Required bool
	Value    string // of a text
	Options  []*formChoice
}

// filled is a variable with a value that is in no text.
type filled struct{ Label, Value text }

// maxValue is the length of a value.
const maxValue = 300

// tryOut returns the placement that the address of a page describes.
func (q *request) tryOut(e *taxonomy.Element, c *taxonomy.Category) *tryout {
	t := &tryout{ContextName: q.text(c.Context.Name), placement: taxonomy.Placement{ElementID: e.ID}}
	variant := taxonomy.VariantDefault
	for i := range c.Context.Values {
		value := &c.Context.Values[i]
		one := &formChoice{Value: value.ID, Label: q.name(value.Label, value.ID), Checked: value.ID == q.params.Get("context")}
		if value.Color != "" {
			one.Swatch = swatch(c, value.ID)
		}
		if one.Checked {
			t.Chip, t.placement.ContextTypeID = one, value.ID
			if value.Color != "" {
				variant = value.ID
			}
		}
		t.Contexts = append(t.Contexts, one)
	}
	if variant == taxonomy.VariantDefault {
		t.Icon = q.icon(q.schema, e)
	} else {
		t.Icon = q.variant(q.schema, e, variant)
	}
	if c.Context.Required && len(c.Context.Values) > 0 && t.Chip == nil {
		name := t.ContextName
		if name.Empty() {
			name = q.in(q.words.Lang, q.words.Word("element.context"))
		}
		t.Missing = append(t.Missing, name)
	}
	for i := range e.Variables {
		given := len(t.placement.Variables)
		f := q.field(t, e, &e.Variables[i])
		t.Fields = append(t.Fields, f)
		if f.Required && len(t.placement.Variables) == given {
			t.Missing = append(t.Missing, f.Label)
		}
	}
	valueOf := func(id string) (shown template.HTML) {
		for i := range t.placement.Variables {
			if given := &t.placement.Variables[i]; given.ID == id {
				v, _ := e.Variable(id)
				shown = q.valueOf(v, given).As("bdi", "value")
			}
		}
		return shown
	}
	t.Title, t.About = q.filledIn(e.Title, e.Variables, nil, valueOf), q.filledIn(e.Description, e.Variables, nil, valueOf)
	for _, value := range t.placement.Variables {
		if v, ok := e.Variable(value.ID); ok && !hasVariable(e.Title, v.ID) && !hasVariable(e.Description, v.ID) {
			t.Rest = append(t.Rest, &filled{q.name(v.Label, v.ID), q.valueOf(v, &value)})
		}
	}
	text, err := json.Marshal(q.completed(t, e, c), jsontext.WithIndent("  "))
	if err == nil {
		t.JSON = string(text)
	}
	return t
}

// completed returns the placement with an example for what is required and missing: the first
// context value or option, or the label of a text.
func (q *request) completed(t *tryout, e *taxonomy.Element, c *taxonomy.Category) *taxonomy.Placement {
	p := t.placement
	if c.Context.Required && len(c.Context.Values) > 0 && p.ContextTypeID == "" {
		p.ContextTypeID = c.Context.Values[0].ID
	}
	p.Variables = slices.Clone(p.Variables)
	for i, f := range t.Fields {
		given := slices.ContainsFunc(p.Variables, func(v taxonomy.VariableValue) bool { return v.ID == f.ID })
		switch {
		case given || !f.Required:
		case e.Variables[i].Type != taxonomy.SelectVariable:
			p.Variables = append(p.Variables, taxonomy.VariableValue{ID: f.ID, Text: taxonomy.Localized{{Locale: q.locale, Value: f.Label.Plain}}})
		case len(f.Options) > 0:
			p.Variables = append(p.Variables, taxonomy.VariableValue{ID: f.ID, Options: []string{f.Options[0].Value}})
		}
	}
	return &p
}

// field reads a variable from the address.
func (q *request) field(t *tryout, e *taxonomy.Element, v *taxonomy.Variable) *field {
	name := "v." + v.ID
	f := &field{ID: v.ID, Name: name, Label: q.name(v.Label, v.ID), Required: v.Required}
	given := q.params[name]
	value := taxonomy.VariableValue{ID: v.ID}
	if v.Type == taxonomy.SelectVariable {
		for i := range v.Options {
			o := &v.Options[i]
			if !o.Applies(e.ID) {
				continue
			}
			checked := slices.Contains(given, o.ID)
			if checked {
				value.Options = append(value.Options, o.ID)
			}
			f.Options = append(f.Options, &formChoice{Value: o.ID, Label: q.name(o.Label, o.ID), Checked: checked})
		}
	} else if len(given) > 0 {
		f.Value = short(i18n.Clean(strings.ToValidUTF8(given[0], "\uFFFD")), maxValue)
		if f.Value != "" {
			value.Text = taxonomy.Localized{{Locale: q.locale, Value: f.Value}}
		}
	}
	if len(value.Options) > 0 || len(value.Text) > 0 {
		t.placement.Variables = append(t.placement.Variables, value)
	}
	return f
}

// state is the query of the placement.
func (t *tryout) state() url.Values {
	state := url.Values{}
	if id := t.placement.ContextTypeID; id != "" {
		state.Set("context", id)
	}
	for _, v := range t.placement.Variables {
		if len(v.Options) > 0 {
			state["v."+v.ID] = v.Options
		} else {
			state.Set("v."+v.ID, v.Text[0].Value)
		}
	}
	return state
}

// hasVariable reports whether a text has a variable.
func hasVariable(l taxonomy.Localized, id string) bool {
	for _, t := range l {
		for p := range ident.Pieces(t.Value) {
			if found, ok := p.Variable(); ok && found == id {
				return true
			}
		}
	}
	return false
}

// valueOf returns the value of a variable as readers see it.
func (q *request) valueOf(v *taxonomy.Variable, value *taxonomy.VariableValue) text {
	if len(value.Options) == 0 {
		return q.text(value.Text)
	}
	var names []string
	for i := range v.Options {
		if o := &v.Options[i]; slices.Contains(value.Options, o.ID) {
			names = append(names, q.name(o.Label, o.ID).Plain)
		}
	}
	return q.in(q.chooser().Locale, joined(names))
}
