package upgrade_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// generator makes pairs of versions, and documents for the older one.
type generator struct {
	*rand.Rand
	next int // number of the next name
}

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func (g *generator) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

func en(text string) textSpec { return textSpec{{Locale: "en", Value: text}} }

// about is the label of something new. It stays when that is renamed.
func about(id string) textSpec { return en("About " + id) }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// schema makes a version.
func (g *generator) schema() *schemaSpec {
	s := &schemaSpec{Version: "trail@2026-01-01-stable", Subchains: []string{"run"}}
	for range 1 + g.IntN(3) {
		c := categorySpec{ID: g.name("c"), Required: g.chance(4)}
		for range g.IntN(4) {
			id := g.name("x")
			c.Context.Values = append(c.Context.Values, valueSpec{ID: id, Label: about(id)})
		}
		c.Context.Required = len(c.Context.Values) > 0 && g.chance(3)
		for range 1 + g.IntN(5) {
			c.Elements = append(c.Elements, g.element(c.ID))
		}
		s.Categories = append(s.Categories, c)
	}
	return s
}

func (g *generator) element(category string) elementSpec {
	e := elementSpec{ID: category + "." + g.name("e")}
	for range g.IntN(4) {
		e.Variables = append(e.Variables, g.variable())
	}
	return e
}

func (g *generator) variable() variableSpec {
	id := g.name("v")
	v := variableSpec{ID: id, Label: about(id), Required: g.chance(3)}
	if g.chance(2) {
		for range 1 + g.IntN(4) {
			id := g.name("o")
			v.Options = append(v.Options, optionSpec{ID: id, Label: about(id)})
		}
	}
	return v
}

// change makes the next version of a schema. Like a careful author, it keeps what the old
// one says about its past.
func (g *generator) change(old *schemaSpec, version string) *schemaSpec {
	s := &schemaSpec{Version: version, Subchains: old.Subchains}
	if g.chance(5) {
		s.Subchains = []string{"walk"}
	}
	var all, gone []string
	for _, c := range old.Categories {
		if g.chance(4) {
			c.RenamedFrom, c.ID = append(slices.Clone(c.RenamedFrom), c.ID), g.name("c")
		}
		c.Required = c.Required != g.chance(5)
		if g.chance(5) {
			c.Max = 1 + g.IntN(2)
		}
		c.Context.Values = changed(g, c.Context.Values, func(v *valueSpec) { rename(g, &v.ID, &v.RenamedFrom); reword(g, &v.Label) })
		c.Context.Required = len(c.Context.Values) > 0 && c.Context.Required != g.chance(4)
		elements := []elementSpec{g.element(c.ID)}
		for _, e := range c.Elements {
			if g.chance(3) {
				gone = append(gone, e.ID)
				continue
			}
			elements = append(elements, g.changeElement(e))
		}
		c.Elements = elements
		s.Categories = append(s.Categories, c)
		for _, e := range elements {
			all = append(all, e.ID)
		}
	}
	if g.chance(6) { // an element moves to another category
		from, to := &s.Categories[0], &s.Categories[len(s.Categories)-1]
		to.Elements = append(to.Elements, from.Elements[0])
		from.Elements = append([]elementSpec{g.element(from.ID)}, from.Elements[1:]...)
	}
	s.Removed = slices.Clone(old.Removed)
	for _, id := range gone {
		if g.chance(6) {
			continue // nobody says what became of it
		}
		r := removalSpec{ID: id}
		for range g.IntN(3) {
			r.ReplacedBy = append(r.ReplacedBy, successorSpec{ID: pick(g, slices.Concat(all, gone, []string{"never.was"}))})
		}
		s.Removed = append(s.Removed, r)
	}
	return s
}

// changed drops some items of a list and changes others.
func changed[T any](g *generator, list []T, change func(*T)) []T {
	var next []T
	for _, item := range list {
		if g.chance(6) {
			continue
		}
		change(&item)
		next = append(next, item)
	}
	return next
}

func rename(g *generator, id *string, from *[]string) {
	if g.chance(4) {
		*from, *id = append(slices.Clone(*from), *id), g.name("r")
	}
}

func reword(g *generator, label *textSpec) {
	if g.chance(5) {
		*label = en(g.name("Reworded "))
	}
}

func (g *generator) changeElement(e elementSpec) elementSpec {
	reword(g, &e.Title)
	if g.chance(6) {
		e.Max = 1
	}
	e.Deprecated = g.chance(6)
	e.Variables = changed(g, e.Variables, func(v *variableSpec) {
		rename(g, &v.ID, &v.RenamedFrom)
		reword(g, &v.Label)
		v.Required = v.Required != g.chance(4)
		v.Options = changed(g, v.Options, func(o *optionSpec) {
			rename(g, &o.ID, &o.RenamedFrom)
			if g.chance(6) {
				o.AppliesTo = []string{"never.was"}
			}
		})
		if len(v.Options) > 1 && g.chance(4) { // two become one
			last := v.Options[len(v.Options)-1]
			v.Options = v.Options[:len(v.Options)-1]
			v.Options[0].RenamedFrom = slices.Concat(v.Options[0].RenamedFrom, last.RenamedFrom, []string{last.ID})
		}
		if g.chance(8) {
			v.Options = nil // a text, now
		}
	})
	if g.chance(3) {
		e.Variables = append(e.Variables, g.variable())
	}
	return e
}

// document makes a document for a version. It is valid, apart from categories that have
// no placement, and a mistake now and then.
func (g *generator) document(r *taxonomy.Release) string {
	elements := r.Elements()
	var placements []map[string]any
	count := make(map[string]int)
	for range 1 + g.IntN(6) {
		e := pick(g, elements)
		count[e.ID]++
		placements = append(placements, g.placement(r, e, len(placements)))
	}
	provenance := make(map[string]any)
	var heads []string
	for _, p := range placements {
		id, _ := p["element_id"].(string)
		if own, ok := p["element_instance_id"].(string); ok && g.chance(2) {
			id = own
		} else if count[id] != 1 {
			continue
		}
		if g.chance(2) {
			provenance[id] = g.rationale(p)
		}
		if g.chance(3) {
			heads = append(heads, id)
		}
	}
	doc := map[string]any{
		"id": "d", "schema_version": r.Version().String(), "created_at": "2026-02-01T10:00Z", "elements": placements,
		"mine": g.name("unknown "),
	}
	if len(provenance) > 0 {
		doc["authoring_provenance"] = map[string]any{"kind": "human", "element_provenance": provenance}
	}
	if len(heads) > 0 || g.chance(4) {
		doc["subchain_instances"] = []any{map[string]any{"id": "s", "subchain_id": "run", "head_refs": heads}}
		if len(heads) == 0 {
			delete(doc["subchain_instances"].([]any)[0].(map[string]any), "head_refs")
		}
	}
	return g.format(doc)
}

func (g *generator) placement(r *taxonomy.Release, e *taxonomy.Element, i int) map[string]any {
	p := map[string]any{"element_id": e.ID}
	if g.chance(30) {
		p["element_id"] = g.name("typo")
	}
	if g.chance(4) {
		p["label"] = g.name("label ")
	}
	if g.chance(4) {
		p["element_instance_id"] = fmt.Sprintf("i%d", i)
	}
	c, _ := r.Category(e.CategoryID)
	if values := c.Context.Values; len(values) > 0 && (c.Context.Required || g.chance(2)) {
		p["context_type_id"] = pick(g, values).ID
	}
	var variables []any
	for _, v := range e.Variables {
		if !v.Required && g.chance(2) || g.chance(20) {
			continue
		}
		var value any = []any{map[string]any{"locale": "en", "value": g.name("text ")}}
		if v.Type == taxonomy.SelectVariable {
			var ids []string
			for _, o := range v.Options {
				if len(ids) == 0 || g.chance(2) {
					ids = append(ids, o.ID)
				}
			}
			value = ids
		}
		variables = append(variables, map[string]any{"id": v.ID, "value": value})
	}
	if len(variables) > 0 || g.chance(4) {
		p["variables"] = slices.Concat([]any{}, variables)
	}
	return p
}

// rationale makes the provenance of a placement.
func (g *generator) rationale(p map[string]any) map[string]any {
	entry := map[string]any{"rationale": g.name("because ")}
	if variables, ok := p["variables"].([]any); ok && len(variables) > 0 {
		id, _ := pick(g, variables).(map[string]any)["id"].(string)
		entry["variable_rationale"] = map[string]any{id: g.name("since ")}
	}
	return entry
}

// format writes a document in one of several styles.
func (g *generator) format(doc any) string {
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	switch g.IntN(4) {
	case 0:
		return string(text)
	case 1:
		text, _ = json.MarshalIndent(doc, "", "  ")
	case 2:
		text, _ = json.MarshalIndent(doc, "", "\t")
		return strings.ReplaceAll(string(text), "\n", "\r\n")
	default: // some lines, as by hand
		return strings.NewReplacer(`,"`, `, "`, `":`, `": `, `},{`, "},\n  {").Replace(string(text)) + "\n"
	}
	return string(text)
}
