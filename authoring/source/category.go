package source

import (
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxValues limits the values of a context. Each is an icon variant of every
// element of the category.
const maxValues = 200

// category is a category with the spots that later checks report.
type category struct {
	taxonomy.Category
	spot     spot        // of the id
	least    spot        // of cardinality.min
	colors   []reference // of the context values that have one
	appliers []applier
	renames  []reference
}

// category reads a file of categories/. It returns nil if the category has no
// valid id.
func (d *decoder) category(root *node) *category {
	var c category
	f, ok := d.fields(root, named("Category", root), "!id", "!name", "!description", "!shape", "required", "cardinality", "variables", "context", "prompt", "authoring_guidance",
		"renamed_from", "sources")
	if !ok {
		d.lost = true
		return nil
	}
	c.ID = f.id(taxonomy.ValidID)
	c.Name = f.localized("name")
	c.Description = f.localized("description")
	c.Shape = choice(f, "shape", taxonomy.Shapes()...)
	c.Required = f.bool("required")
	f.cardinality(&c)
	c.Variables, c.appliers = f.variables()
	c.Prompt = f.guidance("prompt")
	c.AuthoringGuidance = f.guidance("authoring_guidance")
	c.renames = f.renamedFrom()
	c.RenamedFrom = idsOf(c.renames)
	c.Sources = f.sources()
	f.checkPlaceholders("description", c.Description, c.Variables)
	f.context(&c)
	if c.ID == "" {
		d.lost = true
		return nil
	}
	c.spot = d.spot(f.get("id"))
	return &c
}

// cardinality reads how many placements a category allows.
func (f fields) cardinality(c *category) {
	n := f.get("cardinality")
	if n == nil {
		return
	}
	o, ok := f.fields(n, f.what+": cardinality", "min", "max")
	if !ok {
		return
	}
	c.Cardinality = taxonomy.Cardinality{Min: o.int("min", 0), Max: o.int("max", 1)}
	if c.Cardinality.Max > 0 && c.Cardinality.Max < c.Cardinality.Min {
		o.wrong(issue.CodeFieldValue, n, "raise max or lower min", "min is %d, but max is %d", c.Cardinality.Min, c.Cardinality.Max)
	}
	if least := o.get("min"); least != nil {
		c.least = f.spot(least)
	}
}

// context reads the context of a category.
func (f fields) context(c *category) {
	n := f.get("context")
	if n == nil {
		return
	}
	o, ok := f.fields(n, f.what+": context", "id", "name", "description", "required", "!values")
	if !ok {
		return
	}
	c.Context.ID = o.id(taxonomy.ValidID)
	c.Context.Name = o.localized("name")
	c.Context.Description = o.localized("description")
	c.Context.Required = o.bool("required")
	ids := newIDSet("context value id")
	var renames []renamed
	for item := range o.list("values", maxValues) {
		v, color, from := f.contextValue(item, ids)
		renames = append(renames, renamed{v.ID, from})
		c.Context.Values = append(c.Context.Values, v)
		if color.id != "" {
			c.colors = append(c.colors, color)
		}
	}
	f.checkRenames("context value", renames)
	if values := o.get("values"); values != nil && c.Context.Required && len(c.Context.Values) == 0 {
		o.wrong(issue.CodeFieldValue, values, "add values, or remove required", "required is set, but there are no values")
	}
}

func (d *decoder) contextValue(n *node, ids *idSet) (v taxonomy.ContextValue, color reference, from []reference) {
	f, ok := d.fields(n, named("Context value", n), "!id", "!label", "description", "color", "renamed_from")
	if !ok {
		return v, color, nil
	}
	v.ID = f.id(taxonomy.ValidID)
	if strings.EqualFold(v.ID, taxonomy.VariantDefault) || strings.EqualFold(v.ID, taxonomy.VariantDark) {
		// In any case: variants are files, and some file systems ignore case.
		f.wrong(issue.CodeIDReserved, f.get("id"), "use another id, such as "+v.ID+"_value", "default and dark are reserved for the icon variants that every element has")
	}
	ids.addID(f, v.ID)
	v.Label = f.localized("label")
	v.Description = f.localized("description")
	from = f.renamedFrom()
	v.RenamedFrom = idsOf(from)
	if at := f.get("color"); at != nil && f.is(at, text, `write "#RRGGBB", in quotes`) {
		if parsed, ok := icons.ParseColor(at.value); ok {
			v.Color = parsed.String()
			color = reference{v.Color, f.spot(at)}
		} else {
			f.wrong(issue.CodeColorMalformed, at, colorHint(at.value), "color must be #RRGGBB, not %s", prose.Quote(at.value))
		}
	}
	return v, color, from
}

// colorHint returns the hint for an invalid colour.
func colorHint(written string) string {
	if color, ok := asColor(written); ok {
		return "write " + strconv.Quote(color)
	}
	return `write "#RRGGBB" in hexadecimal digits, such as "#1F6FEB"`
}

// asColor returns the colour that was meant.
func asColor(written string) (string, bool) {
	digits := strings.TrimPrefix(written, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	c, ok := icons.ParseColor("#" + digits)
	return c.String(), ok
}
