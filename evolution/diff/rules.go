package diff

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// rules are all rules, in the order in which they are tried. Variables are classified at
// the elements, which have the effective ones; [inheritance] moves the result to the
// category. Categories matter by the placements that they allow: documents do not name
// them.
var rules = slices.Concat(breakingRules, notableRules, warningRules, compatibleRules)

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
			before, _ := p.before.Element(c.ID)
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
			return before != nil && fillable(c.ID, before)
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
			if before == nil || after == nil || !before.Applies(c.ID) || after.Applies(c.ID) {
				return false
			}
			return c.Kind == Removed && c.Path[5].Name() == c.ID || c.Kind == Added && len(before.AppliesTo) == 0
		},
		where: whereOption(func(p *placement, _, after *taxonomy.Option) bool { return after != nil && !after.Applies(p.ElementID) }),
	},
}

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

// Consequences that several compatible rules share.
const (
	nothing   = "documents stay valid and mean the same"
	shownText = "documents stay valid; pages show the new text"
)

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

// compatibleRules apply to what no other rule applies to; the last one to everything.
var compatibleRules = []rule{
	compatible("category-renamed", "A category has a new id.",
		"documents stay valid: they name elements, not categories", on(Category, Renamed, "")),
	compatible("unused-removed",
		"Something was removed that no valid document uses: "+
			"an element that can't be placed, or what belongs only to such elements.",
		"no valid document is affected", on(Element, Removed, ""), on("", Removed, "variables.*"),
		on("", Removed, "variables.*.options.*"), on(Category, Removed, "context.values.*"),
		on(DatachainType, Removed, "subchains.*")),
	compatible("unused-renamed", "Something has a new id that no valid document uses.", "no valid document is affected",
		on("", Renamed, "**")),
	compatible("category-added", "A category was added.", "documents can place its elements", on(Category, Added, "")),
	compatible("category-removed", "A category was removed. What happens to its elements is reported for each of them.",
		"documents stay valid: they name elements, not categories", on(Category, Removed, "")),
	compatible("element-added", "An element was added.", "documents can place the element", on(Element, Added, "")),
	compatible("element-moved", "An element moved to another category, which allows what documents have.",
		"placements of the element count for its new category", on(Element, "", "category_id")),
	compatible("element-reinstated", "An element is no longer deprecated.",
		"placements of the element no longer get a warning", on(Element, "", "status")),
	compatible("context-value-added", "A context value was added.", "placements can have the context value",
		on(Category, Added, "context.values.*")),
	compatible("variable-added", "An optional variable was added.", "placements can have a value for the variable",
		on("", Added, "variables.*")),
	compatible("option-added", "An option of a variable was added.", "placements can choose the option",
		on("", Added, "variables.*.options.*")),
	compatible("subchain-added", "A subchain was added to the datachain type.", "documents can use the subchain",
		on(DatachainType, Added, "subchains.*")),
	compatible("subchain-changed", "The categories of a subchain have changed.", nothing,
		on(DatachainType, "", "subchains.*.categories.**")),
	compatible("locale-added", "The schema version has another locale.", "documents can have texts in the locale",
		on(Manifest, Added, "locales.*")),
	compatible("limits-changed",
		"What documents must or may contain has changed in a way that keeps all valid documents valid, "+
			"such as a limit that was raised.",
		"all valid documents stay valid", on(Category, "", "required"), on(Category, "", "cardinality.**"),
		on(Category, "", "context.required"), on(Element, "", "max_placements"), on("", "", "variables.*.required"),
		on("", "", "variables.*.type"), on("", "", "variables.*.options.*.applies_to.**")),
	compatible("order-changed", "Categories, elements or items of a list are in another order.",
		"documents stay valid; lists and pages have another order", on("", Reordered, "**"), on(Element, "", "order")),
	compatible("symbol-added", "A symbol was added.", nothing, on(Symbol, Added, "")),
	compatible("symbol-removed", "A symbol was removed.", nothing, on(Symbol, Removed, "")),
	compatible("symbol-changed", "A symbol was redrawn.", "documents stay valid; icons look different",
		on(Symbol, Changed, "")),
	compatible("icon-changed", "The symbol of an element, the shape of a category, or a colour has changed.",
		"documents stay valid; icons look different", on(Element, "", "symbol_id"), on(Element, "", "icon_variants.**"),
		on(Category, "", "shape"), on(Category, "", "context.values.*.color")),
	compatible("successor-changed", "Other elements are named as successors of a deprecated or removed element.",
		"'datachain upgrade' uses the new successors", on(Element, "", "replaced_by.**"),
		on(Manifest, "", "removed.**")),
	compatible("rename-recorded", "The ids that something had in older versions have changed.",
		"'datachain upgrade' follows these ids", renameRecords...),
	compatible("search-changed", "Keywords of an element or synonyms have changed.",
		"documents stay valid; searches find something else", on(Element, "", "keywords.**"),
		on(Manifest, "", "synonyms.**")),
	compatible("guidance-changed", "The prompt, the guidance or the examples for authors have changed.",
		"documents stay valid; their authors read another text", on("", "", "prompt.**"),
		on("", "", "authoring_guidance.**"), on(Element, "", "examples.**")),
	compatible("role-changed", "A role, a lead or the order of context values has changed.",
		"documents stay valid; their summaries may say something else first", on(Category, "", "role"),
		on(Category, "", "context.role"), on(Category, "", "context.order"), on(Category, "", "context.values.*.lead"),
		on(Element, "", "lead"), on("", "", "variables.*.role")),
	compatible("sources-changed", "The sources of a category, an element, a variable or an option have changed.",
		nothing, on("", "", "sources.**"), on("", "", "variables.*.sources.**"),
		on("", "", "variables.*.options.*.sources.**")),
	compatible("mappings-changed",
		"The schemes of the schema version, or the entries that a category or an element is mapped to, have changed.",
		"documents stay valid; crosswalks list something else", on(Manifest, "", "schemes.**"),
		on(Category, "", "mappings.**"), on(Element, "", "mappings.**")),
	compatible("licence-changed", "The licence or the attribution of the schema version has changed.", nothing,
		on(Manifest, "", "licence"), on(Manifest, "", "attribution")),
	compatible("notes-changed", "The notes on the schema version have changed.", nothing, on(Manifest, "", "notes.**")),
	compatible("text-added", "A text was added, such as a translation.", shownText, texts(Added)...),
	compatible("text-removed", "A text was removed, such as a translation.",
		"documents stay valid; pages show the text in another language, or none", texts(Removed)...),
	compatible("placeholder-changed", "A text of an element names a variable in another way, such as by its new id.",
		"documents stay valid and say the same", on(Element, Changed, "title.*"),
		on(Element, Changed, "description.*")),
	compatible("category-reworded", "The name or description of a category was reworded.", shownText,
		on(Category, Changed, "name.*"), on(Category, Changed, "description.*")),
	compatible("version-reworded",
		"The title or description of the schema version, its datachain type or a subchain was reworded.",
		shownText, on(Manifest, Changed, "title.*"), on(Manifest, Changed, "description.*"),
		on(DatachainType, Changed, "name.*"), on(DatachainType, Changed, "description.*"),
		on(DatachainType, Changed, "subchains.*.name.*")),
	compatible("other-changed", "Something else has changed, such as a field that this program does not know.",
		nothing, on("", "", "**")),
}

// texts returns the patterns of the localized texts of the model, each in any language.
func texts(k Kind) (all []pattern) {
	var add func(t reflect.Type, path string)
	add = func(t reflect.Type, path string) {
		switch {
		case t == reflect.TypeFor[taxonomy.Localized]():
			all = append(all, on("", k, path+".*"))
		case t.Kind() == reflect.Slice:
			add(t.Elem(), path+".*")
		case t.Kind() == reflect.Struct:
			list, _ := jsonfields.Of(t)
			for _, f := range list {
				add(f.Type, path+"."+f.Name)
			}
		}
	}
	add(reflect.TypeFor[taxonomy.Manifest](), "")
	add(reflect.TypeFor[taxonomy.Type](), "")
	add(reflect.TypeFor[taxonomy.Category](), "")
	add(reflect.TypeFor[taxonomy.Element](), "")
	return all
}

// compatible returns a rule for changes that keep documents valid and their meaning.
func compatible(id RuleID, meaning, consequence string, patterns ...pattern) rule {
	return rule{Rule: Rule{ID: id, Severity: Compatible, Meaning: meaning, Consequence: consequence}, on: patterns}
}
