package diff

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Ways out of breaking changes.
const (
	byUpgrade = "Run 'datachain upgrade': it writes the new id."
	byPerson  = "Edit the documents; 'datachain upgrade' lists the places."
)

// renamesIt follows the consequence of a new id.
const renamesIt = "; 'datachain upgrade' renames it"

var breakingRules = []rule{
	{
		Rule: Rule{
			ID: "subchain-removed", Severity: Breaking,
			Meaning:     "A subchain of the datachain type was removed.",
			Consequence: "documents that use the subchain become invalid",
			Remedy:      byPerson,
		},
		on:   []pattern{on(DatachainType, Removed, "subchains.*")},
		when: func(p *pair, _ *Change) bool { return p.satisfiable() },
		where: func(d *candidate, c *Change) (places []issue.Path) {
			for i, s := range d.instance.SubchainInstances {
				if s.SubchainID == c.Path[1].Name() {
					places = append(places, issue.Root.Key("subchain_instances").Index(i).Key("subchain_id"))
				}
			}
			return places
		},
	},

	{
		Rule: Rule{
			ID: "category-minimum-raised", Severity: Breaking,
			Meaning:     "A category is required, or needs more placements than some documents have.",
			Consequence: "documents with fewer placements of its elements become invalid",
			Remedy:      byPerson,
		},
		on: []pattern{on(Category, Added, ""), on(Category, "", "required"), on(Category, "", "cardinality.min")},
		when: func(p *pair, c *Change) bool { // a required category needs one placement at least
			after, _ := p.after.Category(c.ID)
			if !p.raised(after) || !p.tooFew(after) {
				return false
			}
			c.Consequence = fmt.Sprintf("the minimum number of placements of its elements is now %d (before: %d)",
				minimum(after), p.placementsOf(after).fewest)
			return true
		},
		where: whereCategoryLimits,
	},
	{
		Rule: Rule{
			ID: "category-maximum-lowered", Severity: Breaking,
			Meaning:     "A category allows fewer placements than some documents have.",
			Consequence: "documents with more placements of its elements become invalid",
			Remedy:      byPerson,
		},
		on: []pattern{on(Category, Added, ""), on(Category, "", "cardinality.max")},
		when: func(p *pair, c *Change) bool {
			after, _ := p.after.Category(c.ID)
			if !p.lowered(after) || !p.tooMany(after) {
				return false
			}
			c.Consequence = lowered("the maximum number of placements of its elements", p.placementsOf(after).most, maximum(after))
			return true
		},
		where: whereCategoryLimits,
	},
	{
		Rule: Rule{
			ID: "context-value-removed", Severity: Breaking,
			Meaning:     "A context value was removed.",
			Consequence: "placements with the context value become invalid",
			Remedy:      byPerson,
		},
		on:    []pattern{on(Category, Removed, "context.values.*")},
		when:  func(p *pair, c *Change) bool { return p.placed(c.ID) },
		where: whereContextValue,
	},
	{
		Rule: Rule{
			ID: "context-value-renamed", Severity: Breaking,
			Meaning:     "A context value has a new id.",
			Consequence: "placements with the context value become invalid",
			Remedy:      byUpgrade,
		},
		on: []pattern{on(Category, Renamed, "context.values.*")},
		when: func(p *pair, c *Change) bool {
			c.Consequence += renamesIt
			return p.placed(c.ID)
		},
		where: whereContextValue,
	},
	{
		Rule: Rule{
			ID: "context-required", Severity: Breaking,
			Meaning:     "Placements of a category must have a context value.",
			Consequence: "placements must now have a context value",
			Remedy:      byPerson,
		},
		on: []pattern{on(Category, Added, "context.values.*"), on(Category, "", "context.required")},
		when: func(p *pair, c *Change) bool {
			before, _ := p.before.Category(p.renames.was[c.ID])
			after, _ := p.after.Category(c.ID)
			return needsContext(after) && !needsContext(before) && p.placed(c.ID)
		},
		where: func(d *candidate, c *Change) []issue.Path {
			return d.inPlacements(c, func(p *placement) (issue.Path, bool) { return p.at, p.ContextTypeID == "" })
		},
	},

	{
		Rule: Rule{
			ID: "element-removed", Severity: Breaking,
			Meaning:     "An element was removed.",
			Consequence: "documents that place the element become invalid",
			Remedy:      "If the new version names one successor, run 'datachain upgrade'; otherwise choose another element.",
		},
		on:    []pattern{on(Element, Removed, "")},
		when:  (*pair).elementRemoved,
		where: whereElement,
	},
	{
		Rule: Rule{
			ID: "element-renamed", Severity: Breaking,
			Meaning:     "An element has a new id.",
			Consequence: "documents that place the element become invalid",
			Remedy:      byUpgrade,
		},
		on: []pattern{on(Element, Renamed, "")},
		when: func(p *pair, c *Change) bool {
			old, _ := p.before.Element(Text(c.Old))
			c.Consequence += renamesIt
			return p.placeable(old)
		},
		where: func(d *candidate, c *Change) (places []issue.Path) {
			for _, p := range d.placed[Text(c.Old)] {
				places = append(places, p.at.Key("element_id"))
			}
			return places
		},
	},
	{
		Rule: Rule{
			ID: "element-moved-context", Severity: Breaking,
			Meaning:     "An element moved to a category with other context values, or whose context is required.",
			Consequence: "placements with a context value that the new category lacks, or without one that it requires, become invalid",
			Remedy:      byPerson,
		},
		on:    []pattern{on(Element, "", "category_id")},
		when:  (*pair).contextsLost,
		where: whereElementMoved,
	},
	{
		Rule: Rule{
			ID: "element-moved-needed", Severity: Breaking,
			Meaning:     "An element moved out of a category that some documents can't do without.",
			Consequence: "documents that need the placements for the old category become invalid",
			Remedy:      byPerson,
		},
		on: []pattern{on(Element, "", "category_id")},
		when: func(p *pair, c *Change) bool { // some documents need the element in the category that it left
			before, _ := p.categoriesOf(c.ID)
			if before == nil {
				return false
			}
			left, ok := p.after.Category(p.newID(before.ID))
			if !ok || p.raised(left) || !p.tooFew(left) {
				return false
			}
			c.Consequence = fmt.Sprintf("placements no longer count for the category %s, which needs %d", left.ID, minimum(left))
			return true
		},
		where: whereElementMoved,
	},
	{
		Rule: Rule{
			ID: "element-moved-full", Severity: Breaking,
			Meaning:     "An element moved into a category that can't take all placements that documents have.",
			Consequence: "documents with more placements than the new category allows become invalid",
			Remedy:      byPerson,
		},
		on: []pattern{on(Element, "", "category_id")},
		when: func(p *pair, c *Change) bool {
			_, entered := p.categoriesOf(c.ID)
			if entered == nil || p.lowered(entered) || !p.tooMany(entered) {
				return false
			}
			c.Consequence = fmt.Sprintf("placements now count for the category %s, which can have at most %d",
				entered.ID, maximum(entered))
			return true
		},
		where: whereElementMoved,
	},
	{
		Rule: Rule{
			ID: "element-maximum-lowered", Severity: Breaking,
			Meaning:     "An element can be placed less often.",
			Consequence: "documents that place the element more often become invalid",
			Remedy:      byPerson,
		},
		on: []pattern{on(Element, "", "max_placements")},
		when: func(p *pair, c *Change) bool {
			before := p.oldElement(c.ID)
			after, _ := p.after.Element(c.ID)
			could, can := p.placements(before), limit(after.MaxPlacements)
			c.Consequence = lowered("the maximum number of its placements", could, can)
			return could > can
		},
		where: func(d *candidate, c *Change) []issue.Path {
			now, ok := d.after.Element(c.ID)
			if !ok || now.MaxPlacements == 0 {
				return nil
			}
			return beyond(now.MaxPlacements, d.placed[c.ID])
		},
	},

	{
		Rule: Rule{
			ID: "variable-removed", Severity: Breaking,
			Meaning:     "A variable was removed.",
			Consequence: "placements with a value for the variable become invalid",
			Remedy:      byPerson,
		},
		on:    []pattern{on(Element, Removed, "variables.*")},
		when:  (*pair).usesVariable,
		where: whereValue(func(_, after *taxonomy.Variable) bool { return after == nil }),
	},
	{
		Rule: Rule{
			ID: "variable-renamed", Severity: Breaking,
			Meaning:     "A variable has a new id.",
			Consequence: "placements with a value for the variable become invalid",
			Remedy:      byUpgrade,
		},
		on: []pattern{on(Element, Renamed, "variables.*")},
		when: func(p *pair, c *Change) bool {
			used := p.usesVariable(c)
			c.Consequence += renamesIt
			return used
		},
		where: func(d *candidate, c *Change) []issue.Path {
			return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
				v, at := p.value(Text(c.Old))
				return at, v != nil
			})
		},
	},
	{
		Rule: Rule{
			ID: "variable-required", Severity: Breaking,
			Meaning:     "A variable must be filled in.",
			Consequence: "placements must now have a value for the variable",
			Remedy:      "Fill the variable in; 'datachain upgrade' adds it as a marked gap.",
		},
		on: []pattern{on(Element, Added, "variables.*"), on(Element, "", "variables.*.required")},
		when: func(p *pair, c *Change) bool {
			before, after := p.variables(c)
			return after != nil && after.Required && (before == nil || !before.Required)
		},
		where: func(d *candidate, c *Change) []issue.Path {
			return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
				v, _ := p.value(c.Path[1].Name())
				_, after := d.variables(p, c.Path[1].Name())
				return p.at, v == nil && after != nil && after.Required
			})
		},
	},
	{
		Rule: Rule{
			ID: "variable-type-changed", Severity: Breaking,
			Meaning:     "A variable has another type.",
			Consequence: "values of the variable have the wrong type",
			Remedy:      byPerson,
		},
		on: []pattern{on(Element, "", "variables.*.type")},
		when: func(p *pair, c *Change) bool {
			before, _ := p.variables(c)
			return before != nil && fillable(p.oldElement(c.ID).ID, before)
		},
		where: whereValue(func(before, after *taxonomy.Variable) bool {
			return before != nil && after != nil && before.Type != after.Type
		}),
	},
	{
		Rule: Rule{
			ID: "option-removed", Severity: Breaking,
			Meaning:     "An option of a variable was removed.",
			Consequence: "placements with the option become invalid",
			Remedy:      byPerson,
		},
		on:    []pattern{on(Element, Removed, "variables.*.options.*")},
		when:  (*pair).usesOption,
		where: whereOption(func(_ *placement, _, after *taxonomy.Option) bool { return after == nil }),
	},
	{
		Rule: Rule{
			ID: "option-renamed", Severity: Breaking,
			Meaning:     "An option of a variable has a new id.",
			Consequence: "placements with the option become invalid",
			Remedy:      byUpgrade,
		},
		on: []pattern{on(Element, Renamed, "variables.*.options.*")},
		when: func(p *pair, c *Change) bool {
			c.Consequence += renamesIt
			return p.usesOption(c)
		},
		where: func(d *candidate, c *Change) []issue.Path {
			return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
				at := p.option(c.Path[1].Name(), Text(c.Old))
				return at, at != nil
			})
		},
	},
	{
		Rule: Rule{
			ID: "option-narrowed", Severity: Breaking,
			Meaning:     "An option no longer applies to an element.",
			Consequence: "placements with the option become invalid, because it no longer applies to the element",
			Remedy:      byPerson,
		},
		on: []pattern{on(Element, "", "variables.*.options.*.applies_to.*")},
		// The element is removed from the list, or an empty list, which means every element, gets
		// entries without it.
		when: func(p *pair, c *Change) bool {
			before, after := p.options(c)
			if before == nil || after == nil {
				return false
			}
			old := p.oldElement(c.ID).ID
			if !before.Applies(old) || after.Applies(c.ID) {
				return false
			}
			return c.Kind == Removed && c.Path[5].Name() == old || c.Kind == Added && len(before.AppliesTo) == 0
		},
		where: whereOption(func(p *placement, _, after *taxonomy.Option) bool { return after != nil && !after.Applies(p.ElementID) }),
	},
}
