package diff

import (
	"slices"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A translation that is added or removed does not change the meaning. What a version
// forgets about earlier changes does not either, but documents of older versions need it.
var notableRules = []rule{
	{
		// Before those that would be notable.
		Rule: Rule{
			ID: "punctuation-changed", Severity: Compatible,
			Meaning:     "A text differs only in white space or in the full stop at its end.",
			Consequence: "documents stay valid and say the same",
		},
		on:   texts(Changed),
		when: func(_ *pair, c *Change) bool { return wording.SameWords(unquoted(c.Old), unquoted(c.New)) },
	},
	{
		Rule: Rule{
			ID: "type-changed", Severity: Notable,
			Meaning:     "The datachain type has another id.",
			Consequence: "documents get another datachain type",
		},
		on:    []pattern{on(DatachainType, "", "id")},
		where: func(*candidate, *Change) []issue.Path { return []issue.Path{issue.Root.Key("schema_version")} },
	},
	{
		Rule: Rule{
			ID: "id-reused", Severity: Breaking,
			Meaning:     "An id that was removed or renamed is back with another title.",
			Consequence: "the id was removed or renamed and now has another meaning; use an id that no version has had",
			Remedy:      "Replace it with an element that says the same; 'datachain upgrade' lists the places.",
		},
		on: []pattern{
			on(Element, Changed, "title.*"), on(Category, Changed, "name.*"),
			on(Category, Changed, "context.values.*.label.*"),
			on("", Changed, "variables.*.label.*"), on("", Changed, "variables.*.options.*.label.*"),
		},
		when: (*pair).idReused,
	},
	{
		Rule: Rule{
			ID: "element-reworded", Severity: Notable,
			Meaning:     "The title or description of an element was reworded.",
			Consequence: "placements of the element now say something else",
		},
		on:    []pattern{on(Element, Changed, "title.*"), on(Element, Changed, "description.*")},
		when:  (*pair).elementReworded,
		where: whereElement,
	},
	{
		Rule: Rule{
			ID: "context-reworded", Severity: Notable,
			Meaning:     "The name or description of a context was reworded.",
			Consequence: "placements with a context value now say something else",
		},
		on: []pattern{on(Category, Changed, "context.name.*"), on(Category, Changed, "context.description.*")},
		where: func(d *candidate, c *Change) []issue.Path {
			return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
				return p.at.Key("context_type_id"), p.ContextTypeID != ""
			})
		},
	},
	{
		Rule: Rule{
			ID: "context-value-reworded", Severity: Notable,
			Meaning:     "The label or description of a context value was reworded.",
			Consequence: "placements with the context value now say something else",
		},
		on:    []pattern{on(Category, Changed, "context.values.*.label.*"), on(Category, Changed, "context.values.*.description.*")},
		where: whereContextValue,
	},
	{
		Rule: Rule{
			ID: "variable-reworded", Severity: Notable,
			Meaning:     "The label of a variable was reworded.",
			Consequence: "values of the variable now say something else",
		},
		on: []pattern{on(Element, Changed, "variables.*.label.*")},
		// Also asked for elements that override the variable of the category.
		where: whereValue(func(before, after *taxonomy.Variable) bool {
			return before != nil && after != nil && !slices.Equal(before.Label, after.Label)
		}),
	},
	{
		Rule: Rule{
			ID: "option-reworded", Severity: Notable,
			Meaning:     "The label or description of an option was reworded.",
			Consequence: "placements with the option now say something else",
		},
		on: []pattern{on(Element, Changed, "variables.*.options.*.label.*"), on(Element, Changed, "variables.*.options.*.description.*")},
		where: whereOption(func(_ *placement, before, after *taxonomy.Option) bool {
			return before != nil && after != nil &&
				(!slices.Equal(before.Label, after.Label) || !slices.Equal(before.Description, after.Description))
		}),
	},
	{
		Rule: Rule{
			ID: "scheme-reworded", Severity: Notable,
			Meaning:     "The title of a scheme was reworded: it may be another one with the same id.",
			Consequence: "mappings to the scheme now say something else",
		},
		on: []pattern{on(Manifest, Changed, "schemes.*.title.*")},
	},
	{
		Rule: Rule{
			ID: "removal-forgotten", Severity: Notable,
			Meaning:     "An element that was removed in an older version is no longer listed in `removed`, or no longer has a successor.",
			Consequence: "documents of older versions that place the element can no longer follow",
		},
		on: []pattern{on(Manifest, Removed, "removed.*"), on(Manifest, Changed, "removed"), on(Manifest, "", "removed.*.replaced_by.**")},
		when: func(p *pair, c *Change) bool {
			if len(c.Path) > 1 {
				return p.forgets(c, c.Path[1].Name())
			}
			// A list that can't be compared item by item.
			return slices.ContainsFunc(p.before.Manifest().Removed, func(r taxonomy.Removal) bool { return p.forgets(c, r.ID) })
		},
	},
	{
		Rule: Rule{
			ID: "rename-forgotten", Severity: Notable,
			Meaning:     "An id that something had in an older version is no longer listed in `renamed_from`.",
			Consequence: "documents of older versions that use the id can no longer follow",
		},
		on:   renameRecords,
		when: (*pair).renameForgotten,
	},
}

// renameRecords are the places of renamed_from.
var renameRecords = []pattern{
	on(Category, "", "renamed_from.**"),
	on(Category, "", "context.values.*.renamed_from.**"),
	on(Category, "", "variables.*.renamed_from.**"),
	on(Category, "", "variables.*.options.*.renamed_from.**"),
	on(Element, "", "variables.*.renamed_from.**"),
	on(Element, "", "variables.*.options.*.renamed_from.**"),
}

// warningRules are for compatible changes after which documents can get a warning.
var warningRules = []rule{
	{
		Rule: Rule{
			ID: "locale-removed", Severity: Compatible, Warns: true,
			Meaning:     "The schema version no longer has a locale.",
			Consequence: "texts in this locale get a warning, because the schema no longer lists it",
		},
		on: []pattern{on(Manifest, Removed, "locales.*")},
		where: func(d *candidate, c *Change) (places []issue.Path) { // where documents usually have texts
			has := func(l taxonomy.Localized) bool { _, ok := l.Get(c.Path[1].Name()); return ok }
			if has(d.instance.Description) {
				places = append(places, issue.Root.Key("description"))
			}
			if has(d.instance.Title) {
				places = append(places, issue.Root.Key("title"))
			}
			for _, p := range d.placements {
				for k, v := range p.Variables {
					if has(v.Text) {
						places = append(places, p.at.Key("variables").Index(k).Key("value"))
					}
				}
			}
			return places
		},
	},
	{
		Rule: Rule{
			ID: "element-deprecated", Severity: Compatible, Warns: true,
			Meaning:     "An element was deprecated.",
			Consequence: "placements of the element get a warning",
		},
		on: []pattern{on(Element, Added, "status"), on(Element, Changed, "status")},
		when: func(p *pair, c *Change) bool {
			e, _ := p.after.Element(c.ID)
			if !e.Deprecated() {
				return false
			}
			if c.Successors = successors(p.after, c.ID); len(c.Successors) > 0 {
				c.Consequence += "; it is replaced by " + wording.Or(c.Successors)
			}
			return true
		},
		where: whereElement,
	},
}
