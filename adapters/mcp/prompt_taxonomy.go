package mcp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// maxListed is how many elements a prompt lists; tools find the others.
const maxListed = 200

// describeTaxonomy lists the categories and elements of a release for a model.
func describeTaxonomy(r *taxonomy.Release, language string) string {
	var b strings.Builder
	locales := append([]string{language}, r.Locales()...)
	pick := func(l taxonomy.Localized) string { return oneLine(l.Pick(locales...)) }
	fmt.Fprintf(&b, "The taxonomy %s, %s. Its categories and elements:\n", r.Version(), pick(r.Manifest().Title))
	omitted := maxListed
	for _, c := range r.Categories() {
		fmt.Fprintf(&b, "\n## %s: %s\n%s\n", c.ID, pick(c.Name), cmp.Or(pick(c.Prompt), pick(c.Description)))
		fmt.Fprintf(&b, "%s\n", placementLimits(c))
		if len(c.Context.Values) > 0 {
			var values []string
			for _, v := range c.Context.Values {
				values = append(values, v.ID+" ("+pick(v.Label)+")")
			}
			demand := "context_type_id"
			if c.Context.Required {
				demand += " (required)"
			}
			fmt.Fprintf(&b, "%s: %s\n", demand, strings.Join(values, ", "))
		}
		elements := r.ElementsOf(c.ID)
		for _, e := range elements[:min(omitted, len(elements))] {
			fmt.Fprintf(&b, "- %s: %s%s\n", e.ID, oneLine(e.FillIn(e.Title, nil, locales...)), variableList(e))
		}
		if omitted < len(elements) {
			fmt.Fprintf(&b, "- … and %d more: list_elements with category_id %q\n", len(elements)-omitted, c.ID)
		}
		omitted -= min(omitted, len(elements))
	}
	return b.String()
}

// placementLimits says how many placements a category requires and allows.
func placementLimits(c *taxonomy.Category) string {
	switch {
	case c.Cardinality.Min > 0 && c.Cardinality.Max > 0:
		return fmt.Sprintf("Place %d to %d.", c.Cardinality.Min, c.Cardinality.Max)
	case c.Cardinality.Min > 0:
		return fmt.Sprintf("Place %d or more.", c.Cardinality.Min)
	case c.Required && c.Cardinality.Max > 0:
		return fmt.Sprintf("Required, at most %d.", c.Cardinality.Max)
	case c.Required:
		return "Required."
	case c.Cardinality.Max > 0:
		return fmt.Sprintf("Optional, at most %d.", c.Cardinality.Max)
	}
	return "Optional."
}

// variableList lists the variables of an element.
func variableList(e *taxonomy.Element) string {
	var names []string
	for _, v := range e.Variables {
		if v.Required {
			names = append(names, v.ID+" (required)")
		} else {
			names = append(names, v.ID)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " [variables: " + strings.Join(names, ", ") + "]"
}

// oneLine returns a text without line breaks and hidden characters.
func oneLine(s string) string { return visible(strings.Join(strings.Fields(s), " ")) }
