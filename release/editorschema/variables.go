package editorschema

import (
	"fmt"
	"strconv"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
)

// variables are the conditions for the variables of placements. Elements with the same
// variables share one; those beyond maxConditions have none.
func (b *builder) variables() list {
	type group struct {
		first *taxonomy.Element
		ids   []string
	}
	var groups []*group
	alike := make(map[string]*group)
	var key []byte
	for _, e := range b.release.Elements() {
		key = b.appendKey(key[:0], e)
		g := alike[string(key)]
		if g == nil && len(groups) < maxConditions {
			g = &group{first: e}
			alike[string(key)], groups = g, append(groups, g)
		}
		if g != nil {
			g.ids = append(g.ids, e.ID)
		}
	}
	conditions := make(list, len(groups))
	for i, g := range groups {
		conditions[i] = obj("if", hasID("element_id", oneOf(g.ids))).with("then", b.variablesOf(g.first))
	}
	return conditions
}

// appendKey appends what is shown and required of the variables of an element. It is the
// same for elements whose variables have the same schema.
func (b *builder) appendKey(key []byte, e *taxonomy.Element) []byte {
	for i := range e.Variables {
		v := &e.Variables[i]
		key = jcs.AppendQuote(jcs.AppendQuote(key, v.ID), b.text(v.Label))
		key = jcs.AppendQuote(strconv.AppendBool(key, v.Required), string(v.Type))
		for _, o := range options(e, v) {
			key = jcs.AppendQuote(append(key, '+'), o.ID)
			key = jcs.AppendQuote(jcs.AppendQuote(key, b.text(o.Label)), b.text(o.Description))
		}
	}
	return key
}

// variablesOf is the schema of a placement of an element, as far as its variables go.
func (b *builder) variablesOf(e *taxonomy.Element) *object {
	if len(e.Variables) == 0 {
		return obj("properties", obj("variables", obj("maxItems", 0).with("doNotSuggest", true)))
	}
	var c choices
	values, required, snippets := list{}, list{}, list{}
	for i := range e.Variables {
		v := &e.Variables[i]
		if c.seen[v.ID] {
			continue
		}
		label := b.text(v.Label)
		note := string(v.Type)
		if v.Required {
			note += ", required"
			required = append(required, obj("contains", hasID("id", obj("const", v.ID))).
				with("errorMessage", fmt.Sprintf("The variable %s (%s) is required.", v.ID, label)))
		}
		c.add(v.ID, label, b.markdownOf(label, note, ""))
		values = append(values, b.define("variable", obj("if", hasID("id", obj("const", v.ID))).
			with("then", obj("properties", obj("value", b.value(e, v))))))
		if body, ok := b.variableSnippet(e, v, new(stops)); ok && b.few {
			snippets = append(snippets, obj("label", label).with("description", v.ID).with("body", body))
		}
	}
	item := obj("properties", obj("id", c.schema("The id of the variable."))).with("allOf", values).withSome("defaultSnippets", snippets)
	all := obj("description", "The values of the variables of the element.").with("items", item).withSome("allOf", required)
	schema := obj("properties", obj("variables", all))
	if len(required) > 0 {
		schema.with("required", list{"variables"})
	}
	return schema
}

// notBlank matches a text that is not only white space, as Unicode defines it.
const notBlank = "[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"

// value is the schema of the value of a variable.
func (b *builder) value(e *taxonomy.Element, v *taxonomy.Variable) *object {
	value := obj("description", b.text(v.Label)).with("type", "array").with("minItems", 1)
	if v.Type != taxonomy.SelectVariable {
		text := obj("pattern", notBlank).with("patternErrorMessage", "The text is empty.").with("doNotSuggest", true)
		items := obj("type", "object").with("properties", obj("value", text))
		return value.with("allOf", list{b.define("text", obj("items", items).withSome("defaultSnippets", b.textSnippets()))})
	}
	var c choices
	for _, o := range options(e, v) {
		label := b.text(o.Label)
		c.add(o.ID, label, b.markdownOf(label, "", b.text(o.Description)))
	}
	return value.with("uniqueItems", true).with("items", c.schema(b.text(v.Label)))
}

// options are the options of a variable that an element can use. If there are two with
// an id, the first one counts.
func options(e *taxonomy.Element, v *taxonomy.Variable) []*taxonomy.Option {
	var usable []*taxonomy.Option
	seen := make(map[string]bool, len(v.Options))
	for i := range v.Options {
		o := &v.Options[i]
		if !seen[o.ID] && o.Applies(e.ID) {
			usable = append(usable, o)
		}
		seen[o.ID] = true
	}
	return usable
}
