package validate

import (
	"bytes"
	"fmt"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// example returns an example of a value for a path, or nil if there is none. If the
// document is validated against a release, the example has ids of the release, so that it
// can be pasted; otherwise it is that of the JSON Schema.
func (e *explainer) example(path issue.Path, s *shape) []byte {
	schema := e.p.countingSchema()
	if schema == nil || len(path) == 0 {
		return s.example
	}
	if e.exampler == nil {
		e.exampler = &exampler{p: e.p, schema: schema}
		e.exampler.simple = e.exampler.simplest()
	}
	x := e.exampler
	switch path[0].Name() {
	case "elements":
		if text, known := x.placement(path); known {
			return text
		}
	case "subchain_instances":
		if text, known := x.subchain(path); known {
			return text
		}
	}
	return x.localized(path, s.example)
}

// exampler makes examples that fit a release.
type exampler struct {
	p      *Pass
	schema Definitions
	simple *taxonomy.Element // nil if the release has no elements
}

// localized returns the example of a JSON Schema with texts in a language of the release.
func (x *exampler) localized(path issue.Path, example []byte) []byte {
	locales := x.schema.Locales()
	if len(locales) == 0 {
		return example
	}
	if path[len(path)-1].Name() == "locale" {
		return quote(locales[0])
	}
	return bytes.ReplaceAll(example, []byte(`"locale": "en"`), fmt.Appendf(nil, `"locale": %s`, quote(locales[0])))
}

// placement returns an example for a path in elements. It is nil if the placed element
// allows no value; known is false if any value of the shape will do.
func (x *exampler) placement(path issue.Path) (text []byte, known bool) {
	simple := x.simple
	if simple == nil {
		return nil, false
	}
	switch len(path) {
	case 1:
		return fmt.Appendf(nil, "[%s]", x.placed(simple)), true
	case 2:
		return x.placed(simple), true
	}
	placed, _ := x.p.Document.Find(path[:2])
	id, _ := placed.Get("element_id")
	element, _ := x.schema.Element(id.Text())
	switch field := path[2].Name(); {
	case field == "element_id":
		return quote(simple.ID), true
	case element == nil: // which is a finding of its own
		return nil, false
	case field == "context_type_id":
		if c, ok := x.schema.Category(element.CategoryID); ok && len(c.Context.Values) > 0 {
			return quote(c.Context.Values[0].ID), true
		}
		return nil, true
	case field == "variables":
		return x.variable(path, element, placed)
	}
	return nil, false
}

// variable returns an example for a path in the variables of a placement.
func (x *exampler) variable(path issue.Path, e *taxonomy.Element, placed document.Value) (text []byte, known bool) {
	if len(path) > 5 || len(path) == 5 && path[4].Name() != "id" && path[4].Name() != "value" {
		return nil, false
	}
	if len(path) == 5 && path[4].Name() == "value" {
		entry, _ := x.p.Document.Find(path[:4])
		id, _ := entry.Get("id")
		v := x.p.variable(&Placed{Element: e}, id.Text())
		if v == nil { // which is a finding of its own
			return nil, false
		}
		return []byte(x.p.exampleOf(v, e.ID, x.schema.Locales())), true
	}
	values, _ := placed.Get("variables")
	v := x.unfilled(e, values)
	if v == nil {
		return nil, true
	}
	switch len(path) {
	case 3:
		if list := x.variables(e); list != nil {
			return list, true
		}
		return fmt.Appendf(nil, "[%s]", x.filled(e, v)), true
	case 4:
		return x.filled(e, v), true
	}
	return quote(v.ID), true
}

// unfilled returns a variable of an element that a list of values lacks, preferably a
// required one, or nil. It reads the whole list, so it uses the budget of hints.
func (x *exampler) unfilled(e *taxonomy.Element, values document.Value) *taxonomy.Variable {
	if x.p.hints.budget -= values.Len(); x.p.hints.budget < 0 {
		return nil
	}
	given := make(map[string]bool, values.Len())
	for value := range values.All() {
		id, _ := value.Get("id")
		given[id.Text()] = true
	}
	var found *taxonomy.Variable
	for i := range e.Variables {
		if v := &e.Variables[i]; !given[v.ID] && (found == nil || v.Required && !found.Required) {
			found = v
		}
	}
	return found
}

// simplest returns an element that can be placed with nothing but its id, preferably of a
// required category, or else the first element, or nil.
func (x *exampler) simplest() *taxonomy.Element {
	var found *taxonomy.Element
	for _, c := range x.schema.Categories() {
		if len(c.Context.Values) > 0 || found != nil && !c.Required {
			continue
		}
		if e := x.bare(c); e != nil {
			if found = e; c.Required {
				return e
			}
		}
	}
	if ids := x.schema.ElementIDs(); found == nil && len(ids) > 0 {
		found, _ = x.schema.Element(ids[0])
	}
	return found
}

// bare returns the first element of a category without required variables, or nil.
func (x *exampler) bare(c *taxonomy.Category) *taxonomy.Element {
	for _, e := range x.schema.ElementsOf(c.ID) {
		var room [maxScanned]int
		if len(x.p.required(&e.Variables, room[:0])) == 0 {
			return e
		}
	}
	return nil
}

// placed returns a placement of an element with everything that it requires.
func (x *exampler) placed(e *taxonomy.Element) []byte {
	text := fmt.Appendf(nil, `{"element_id": %s`, quote(e.ID))
	if c, ok := x.schema.Category(e.CategoryID); ok && len(c.Context.Values) > 0 {
		text = fmt.Appendf(text, `, "context_type_id": %s`, quote(c.Context.Values[0].ID))
	}
	if list := x.variables(e); list != nil {
		text = fmt.Appendf(text, `, "variables": %s`, list)
	}
	return append(text, '}')
}

// variables returns the values of the required variables of an element, or nil if there are
// none.
func (x *exampler) variables(e *taxonomy.Element) []byte {
	var room [maxScanned]int
	var entries [][]byte
	for _, at := range x.p.required(&e.Variables, room[:0]) {
		entries = append(entries, x.filled(e, &e.Variables[at]))
	}
	if entries == nil {
		return nil
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(entries, []byte(", ")))
}

// filled returns the value of a variable.
func (x *exampler) filled(e *taxonomy.Element, v *taxonomy.Variable) []byte {
	return fmt.Appendf(nil, `{"id": %s, "value": %s}`, quote(v.ID), x.p.exampleOf(v, e.ID, x.schema.Locales()))
}

// subchain returns an example for a path in subchain_instances.
func (x *exampler) subchain(path issue.Path) (text []byte, known bool) {
	subchains := x.schema.Type().Subchains
	if len(subchains) == 0 {
		return nil, len(path) < 3 || path[2].Name() == "subchain_id"
	}
	id := subchains[0].ID
	instance := fmt.Sprintf(`{"id": %s, "subchain_id": %s}`, quote(id+"-1"), quote(id))
	switch {
	case len(path) == 1:
		return []byte("[" + instance + "]"), true
	case len(path) == 2:
		return []byte(instance), true
	case path[2].Name() == "subchain_id":
		return quote(id), true
	}
	return nil, false
}

// neededFields returns the hint to write an object with its required fields, for an object
// that is too large for an example.
func (s *shape) neededFields() string {
	var names []string
	for i, f := range s.fields {
		if s.requires(i) {
			names = append(names, f.name)
		}
	}
	return "write an object with " + wording.And(names)
}
