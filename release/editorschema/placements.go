package editorschema

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// placements is the schema of elements: what can be placed, and how often.
func (b *builder) placements() *object {
	var c choices
	conditions := list{}
	for _, category := range b.release.Categories() {
		elements := b.release.ElementsOf(category.ID)
		if len(elements) == 0 {
			continue
		}
		for _, e := range elements {
			title := e.FillIn(e.Title, nil, b.locales...)
			c.add(e.ID, title, b.markdownOf(title, b.annotation(e, category), e.FillIn(e.Description, nil, b.locales...)))
		}
		conditions = append(conditions, obj("if", hasID("element_id", b.elementsOf(category))).with("then", b.context(category)))
	}
	placement := obj("properties", obj("element_id", c.schema("The id of the element."))).
		withSome("allOf", append(conditions, b.variables()...))
	if b.few {
		placement.withSome("defaultSnippets", b.placementSnippets())
	}
	return obj("items", placement).withSome("allOf", b.counts())
}

// subchains is the schema of subchain_instances.
func (b *builder) subchains() *object {
	var c choices
	for _, s := range b.release.Type().Subchains {
		c.add(s.ID, b.text(s.Name), b.text(s.Name))
	}
	if len(c.ids) == 0 {
		return obj("maxItems", 0)
	}
	return obj("items", obj("properties", obj("subchain_id", c.schema("The subchain of the datachain type."))))
}

// elementsOf is the schema of the ids of the elements of a category.
func (b *builder) elementsOf(c *taxonomy.Category) *object {
	elements := b.release.ElementsOf(c.ID)
	ids := make([]string, len(elements))
	for i, e := range elements {
		ids[i] = e.ID
	}
	return b.define("elements", obj("$comment", "The elements of the category "+c.ID+".").with("enum", texts(ids)))
}

// context is the schema of a placement of a category that has contexts, or none.
func (b *builder) context(c *taxonomy.Category) *object {
	if len(c.Context.Values) == 0 {
		return obj("properties", obj("context_type_id", false))
	}
	var values choices
	for _, v := range c.Context.Values {
		label := b.text(v.Label)
		values.add(v.ID, label, b.markdownOf(label, "", b.text(v.Description)))
	}
	what := b.text(c.Context.Name)
	if what == "" {
		what = "A context value of the category."
	}
	schema := obj("properties", obj("context_type_id", values.schema(what)))
	if c.Context.Required {
		schema.with("required", list{"context_type_id"})
	}
	return schema
}

// counts are the schemas that say how often categories and elements are placed.
func (b *builder) counts() list {
	all := list{}
	for _, c := range b.release.Categories() {
		minimum, maximum := c.Cardinality.Min, c.Cardinality.Max
		if c.Required {
			minimum = max(minimum, 1)
		}
		// A category without elements can't be placed, whatever it requires.
		if len(b.release.ElementsOf(c.ID)) == 0 || minimum == 0 && maximum == 0 {
			continue
		}
		count := obj("contains", hasID("element_id", b.elementsOf(c))).with("minContains", minimum)
		if maximum > 0 {
			count.with("maxContains", maximum)
		}
		all = append(all, count.with("errorMessage", fmt.Sprintf("The category %s (%s) %s.", c.ID, b.text(c.Name), allowed(minimum, maximum))))
	}
	if b.few {
		all = append(all, b.limits()...)
	}
	return all
}

// allowed says how many placements there can be; 0 means no limit.
func allowed(minimum, maximum int) string {
	switch {
	case maximum == 0:
		return "needs at least " + wording.Count(minimum, "placement")
	case minimum == maximum:
		return "needs exactly " + wording.Count(minimum, "placement")
	case minimum == 0:
		return "can have at most " + wording.Count(maximum, "placement")
	}
	return fmt.Sprintf("needs %d to %d placements", minimum, maximum)
}

// limits are the schemas for max_placements.
func (b *builder) limits() list {
	var all list
	for _, e := range b.release.Elements() {
		if e.MaxPlacements > 0 {
			all = append(all, obj("contains", hasID("element_id", obj("const", e.ID))).with("minContains", 0).with("maxContains", e.MaxPlacements).
				with("errorMessage", fmt.Sprintf("The element %s %s.", e.ID, allowed(0, e.MaxPlacements))))
		}
	}
	return all
}
