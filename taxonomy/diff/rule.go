package diff

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A rule describes a kind of change that breaks documents which move from the
// older version to the newer one.
type rule struct {
	subject Subject
	kind    Kind // any if empty
	path    []string
	// reason says what happens to documents; "" if nothing does.
	reason func(pair, *Change) string
	// warns means that documents stay valid, but get a warning.
	warns bool
}

// anyStep matches any step of a path.
const anyStep = "*"

// rules are all rules; the first one that gives a reason applies. Variables and
// icon variants are judged at the elements, which have the effective ones;
// [heritage] moves the result to the category.
var rules = []rule{
	{subject: Manifest, kind: Removed, path: []string{"locales", anyStep}, warns: true, reason: always("texts in this locale get a warning, because the schema no longer lists it")},

	{subject: DatachainType, path: []string{"id"}, reason: always("documents have another datachain type")},
	{subject: DatachainType, kind: Removed, path: []string{"subchains", anyStep}, reason: always("documents that use the subchain become invalid")},

	{subject: Category, kind: Removed, reason: ifPlaced("its elements are removed or belong to another category")},
	{subject: Category, kind: Added, reason: minimumRaised},
	{subject: Category, path: []string{"required"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "min"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "max"}, reason: maximumLowered},
	{subject: Category, kind: Removed, path: []string{"context", "values", anyStep}, reason: ifPlaced("placements with the context value become invalid")},
	{subject: Category, path: []string{"context", "required"}, reason: contextRequired},

	{subject: Element, kind: Removed, reason: always("documents that place the element become invalid")},
	{subject: Element, path: []string{"category_id"}, reason: always("the rules of another category apply to placements of the element")},
	{subject: Element, path: []string{"max_placements"}, reason: placementsLowered},
	{subject: Element, kind: Removed, path: []string{"icon_variants", anyStep}, reason: always("URLs of the icon in this variant no longer work")},
	{subject: Element, kind: Removed, path: []string{"variables", anyStep}, reason: always("placements with a value for the variable become invalid")},
	{subject: Element, kind: Added, path: []string{"variables", anyStep}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "required"}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "type"}, reason: always("values of the variable have the wrong type")},
	{subject: Element, kind: Removed, path: []string{"variables", anyStep, "options", anyStep}, reason: always("placements with the option become invalid")},
	{subject: Element, path: []string{"variables", anyStep, "options", anyStep, "applies_to", anyStep}, reason: optionNarrowed},
}

// judge sets what a change means for documents.
func (p pair) judge(c *Change) {
	for _, r := range rules {
		if !r.matches(c) {
			continue
		}
		if reason := r.reason(p, c); reason != "" {
			c.Reason, c.Breaking = reason, !r.warns
			return
		}
	}
}

func (r *rule) matches(c *Change) bool {
	return r.subject == c.Subject && (r.kind == "" || r.kind == c.Kind) &&
		slices.EqualFunc(r.path, c.Path, func(pattern string, s issue.Step) bool {
			return pattern == anyStep || pattern == s.Name()
		})
}

func always(reason string) func(pair, *Change) string {
	return func(pair, *Change) string { return reason }
}

// ifPlaced is for changes of a category that concern placements of its elements,
// of which there are none if it had no elements.
func ifPlaced(reason string) func(pair, *Change) string {
	return func(p pair, c *Change) string {
		if len(p.before.ElementsOf(c.ID)) == 0 {
			return ""
		}
		return reason
	}
}

// minimumRaised considers required and cardinality together: a required category
// needs one placement at least.
func minimumRaised(p pair, c *Change) string {
	least := func(r *taxonomy.Release) int {
		switch category, ok := r.Category(c.ID); {
		case !ok:
			return 0
		case category.Required:
			return max(category.Cardinality.Min, 1)
		default:
			return category.Cardinality.Min
		}
	}
	before, after := least(p.before), least(p.after)
	if after <= before {
		return ""
	}
	return fmt.Sprintf("the minimum number of placements of its elements is now %d (before: %d)", after, before)
}

func maximumLowered(p pair, c *Change) string {
	before, _ := p.before.Category(c.ID)
	after, _ := p.after.Category(c.ID)
	return lowered("the maximum number of placements of its elements", before.Cardinality.Max, after.Cardinality.Max)
}

func placementsLowered(p pair, c *Change) string {
	before, _ := p.before.Element(c.ID)
	after, _ := p.after.Element(c.ID)
	return lowered("the maximum number of its placements", before.MaxPlacements, after.MaxPlacements)
}

// lowered compares maxima, of which 0 means no limit.
func lowered(what string, before, after int) string {
	switch {
	case after == 0 || before != 0 && after >= before:
		return ""
	case before == 0:
		return fmt.Sprintf("%s is now %d (before: no limit)", what, after)
	}
	return fmt.Sprintf("%s is now %d (before: %d)", what, after, before)
}

func contextRequired(p pair, c *Change) string {
	if after, _ := p.after.Category(c.ID); !after.Context.Required {
		return ""
	}
	return ifPlaced("placements must now have a context value")(p, c)
}

func variableRequired(p pair, c *Change) string {
	after, _ := p.after.Element(c.ID)
	if v, ok := after.Variable(c.Path[1].Name()); !ok || !v.Required {
		return ""
	}
	return "placements must now have a value for the variable"
}

// optionNarrowed finds the two ways in which an option stops to apply to an
// element: the element is removed from the list, or an empty list, which means
// every element, gets entries without it.
func optionNarrowed(p pair, c *Change) string {
	before, after := appliesTo(p.before, c), appliesTo(p.after, c)
	if len(after) == 0 || slices.Contains(after, c.ID) {
		return ""
	}
	removed := c.Kind == Removed && c.Path[5].Name() == c.ID
	if limited := c.Kind == Added && len(before) == 0; !removed && !limited {
		return ""
	}
	return "placements with the option become invalid, because it no longer applies to the element"
}

// appliesTo returns the elements of the option that a change is about.
func appliesTo(r *taxonomy.Release, c *Change) []string {
	e, _ := r.Element(c.ID)
	v, _ := e.Variable(c.Path[1].Name())
	for _, o := range v.Options {
		if o.ID == c.Path[3].Name() {
			return o.AppliesTo
		}
	}
	return nil
}
