package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxValues is how many values the context of a category may have. Each of them
// is an icon variant of every element of the category.
const maxValues = 200

// category is a category with the places that later checks need.
type category struct {
	taxonomy.Category
	at       reference // its id
	least    reference // cardinality.min, as far as there is one
	colors   []reference
	appliers []applier
}

// category reads a file of categories/. Its id is "" where it can't be used.
func (d *decoder) category(root *node) category {
	var c category
	what := thing("category", root)
	f, ok := d.fields(root, what, "!id", "!name", "!description", "!shape", "required", "cardinality", "variables", "context", "prompt", "authoring_guidance")
	if !ok {
		d.lost = true
		return c
	}
	c.ID = f.id(taxonomy.ValidID)
	c.Name = f.localized("name")
	c.Description = f.localized("description")
	c.Shape = choice(f, "shape", taxonomy.Shapes()...)
	c.Required = f.bool("required")
	c.Cardinality, c.least = f.cardinality()
	c.Variables, c.appliers = f.variables()
	c.Prompt = f.guidance("prompt")
	c.AuthoringGuidance = f.guidance("authoring_guidance")
	f.checkPlaceholders("description", c.Description, c.Variables)
	if n := f.get("context"); n != nil {
		c.Context, c.colors = d.context(n, what)
	}
	if c.ID == "" {
		d.lost = true
		return c
	}
	c.at = d.reference(c.ID, f.get("id"))
	return c
}

// cardinality reads how many placements a category takes, and where it says how
// many at least.
func (f fields) cardinality() (c taxonomy.Cardinality, least reference) {
	n := f.get("cardinality")
	if n == nil {
		return c, least
	}
	o, ok := f.d.fields(n, f.what+": cardinality", "min", "max")
	if !ok {
		return c, least
	}
	c = taxonomy.Cardinality{Min: o.int("min", 0), Max: o.int("max", 1)}
	if c.Max > 0 && c.Max < c.Min {
		f.d.error(issue.CodeFieldValue, n, fmt.Sprintf("%s: the minimum %d is above the maximum %d", f.what, c.Min, c.Max), "raise max or lower min")
	}
	if at := o.get("min"); at != nil {
		least = f.d.reference("min", at)
	}
	return c, least
}

// context reads the context of a category, and where its colours stand.
func (d *decoder) context(n *node, owner string) (taxonomy.Context, []reference) {
	var c taxonomy.Context
	f, ok := d.fields(n, owner+": context", "id", "name", "description", "required", "!values")
	if !ok {
		return c, nil
	}
	c.ID = f.id(taxonomy.ValidID)
	c.Name = f.localized("name")
	c.Description = f.localized("description")
	c.Required = f.bool("required")
	var colors []reference
	ids := newIDSet("context value")
	for item := range f.list("values", maxValues) {
		v, color := d.contextValue(item, ids)
		c.Values = append(c.Values, v)
		colors = append(colors, color)
	}
	if values := f.get("values"); values != nil && c.Required && len(c.Values) == 0 {
		d.error(issue.CodeFieldValue, values, owner+": the context is required, but has no values", "add values, or remove required")
	}
	return c, colors
}

func (d *decoder) contextValue(n *node, ids *idSet) (v taxonomy.ContextValue, color reference) {
	f, ok := d.fields(n, thing("context value", n), "!id", "!label", "description", "color")
	if !ok {
		return v, color
	}
	v.ID = f.id(taxonomy.ValidID)
	if strings.EqualFold(v.ID, taxonomy.VariantDefault) || strings.EqualFold(v.ID, taxonomy.VariantDark) {
		// In any case: variants are files, and some file systems ignore case.
		d.error(issue.CodeIDReserved, f.get("id"), fmt.Sprintf("%s: default and dark are reserved, they are the icon variants of every element", f.what), "use another id, such as "+v.ID+"_value")
	}
	ids.addNode(d, v.ID, f.get("id"))
	v.Label = f.localized("label")
	v.Description = f.localized("description")
	if at := f.get("color"); at != nil && f.is(at, text, `write "#RRGGBB", in quotes`) {
		parsed, ok := icons.ParseColor(at.value)
		if !ok {
			d.error(issue.CodeColorMalformed, at, fmt.Sprintf("%s: %q is no colour", f.what, prose.Clip(at.value)), colorHint(at.value))
			return v, color
		}
		v.Color = parsed.String()
		color = d.reference(v.Color, at)
	}
	return v, color
}

// colorHint shows how to write a colour.
func colorHint(written string) string {
	digits := strings.TrimPrefix(written, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	if c, ok := icons.ParseColor("#" + digits); ok {
		return "write " + strconv.Quote(c.String())
	}
	return `write "#RRGGBB" in hexadecimal digits, such as "#1F6FEB"`
}
