package diff

import (
	"reflect"
	"slices"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// RuleID identifies a [Rule]. Ids are stable: new ones may be added, but none is
// renamed or removed, since programs match on them.
type RuleID string

// Rule describes a kind of change and what it means for documents. docs/changes.md
// lists all rules.
type Rule struct {
	ID       RuleID
	Severity Severity
	// Warns means that documents can get a new warning.
	Warns bool
	// Meaning describes the change in a sentence.
	Meaning string
	// Consequence says what happens to documents. That of a [Change] can be more
	// precise.
	Consequence string
	// WayOut says how documents that a breaking change makes invalid become valid
	// again. It is empty for other changes.
	WayOut string
}

// Rules returns all rules: the breaking ones, then the notable and the compatible
// ones. The caller owns the slice.
func Rules() []Rule {
	list := make([]Rule, 0, len(rules))
	for _, s := range Severities() {
		for i := range rules {
			if rules[i].Severity == s {
				list = append(list, rules[i].Rule)
			}
		}
	}
	return list
}

// LookupRule returns the rule with an id.
func LookupRule(id RuleID) (Rule, bool) {
	r := lookup(id)
	return r.Rule, r.ID == id
}

// lookup returns the rule with an id, or the zero rule.
func lookup(id RuleID) rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return rule{}
	}
	return rules[i]
}

// rule is a [Rule], how it is recognised, and which places of documents it concerns.
type rule struct {
	Rule
	on []pattern
	// when returns the consequence of a change that matches a pattern, or "" if the
	// rule does not apply. If it is nil, the rule applies with Consequence.
	when func(*counts, *Change) string
	// where returns the places of a document that a change concerns. It is nil if that does not
	// depend on the document. A change can break documents in several ways, but has the rule of
	// the first.
	where func(*subject, *Change) []issue.Path
}

// pattern describes the place of a change.
type pattern struct {
	subject Subject // any if empty
	kind    Kind    // any if empty
	path    []string
}

// Steps of the path of a pattern that are no names.
const (
	anyStep = "*"  // matches any step
	anyRest = "**" // matches any steps at the end, or none
)

// on returns the pattern of a change. Kind is "" for any kind.
func on(s Subject, k Kind, path ...string) pattern { return pattern{s, k, path} }

func (p *pattern) matches(c *Change) bool {
	if p.subject != "" && p.subject != c.Subject || p.kind != "" && p.kind != c.Kind {
		return false
	}
	path, rest := p.path, c.Path
	if n := len(path) - 1; n >= 0 && path[n] == anyRest {
		if len(rest) < n {
			return false
		}
		path, rest = path[:n], rest[:n]
	}
	return slices.EqualFunc(path, rest, func(pattern string, s issue.Step) bool {
		return pattern == anyStep || pattern == s.Name()
	})
}

// judge sets what a change means for documents. The first rule that applies decides;
// the last ones apply to everything.
func (k *counts) judge(c *Change) {
	for i := range rules {
		r := &rules[i]
		if !slices.ContainsFunc(r.on, func(p pattern) bool { return p.matches(c) }) {
			continue
		}
		consequence := r.Consequence
		if r.when != nil {
			consequence = r.when(k, c)
		}
		if consequence != "" {
			c.Rule, c.Severity, c.Warns, c.Consequence = r.ID, r.Severity, r.Warns, consequence
			return
		}
	}
}

// Allowance is an exception: a breaking change that is intended.
type Allowance struct {
	// Rule is the id of a breaking rule.
	Rule RuleID `json:"rule"`
	// Subject is what the change is about; see [Change.Target]. The id of a
	// category or an element alone stands for every change of it by the rule.
	Subject string `json:"subject"`
	// Reason says why the change is intended.
	Reason string `json:"reason,omitempty"`
}

// Target returns the id of the part that has changed and, after a slash, the field:
// purpose.safety, data/context.values.named, or subchains.flow for parts without id.
func (c *Change) Target() string {
	switch {
	case c.ID == "":
		return c.Path.String()
	case len(c.Path) == 0:
		return c.ID
	}
	return c.ID + "/" + c.Path.String()
}

// Allows reports whether the allowance is for a change.
func (a *Allowance) Allows(c *Change) bool {
	return c.Severity == Breaking && a.Rule == c.Rule && (a.Subject == c.Target() || c.ID != "" && a.Subject == c.ID)
}

// rules are all rules, in the order in which they are tried. Variables are judged at
// the elements, which have the effective ones; [inheritance] moves the result to the
// category. Categories matter by the placements that they allow: documents do not name
// them.
var rules = slices.Concat(breakingRules, notableRules, warningRules, compatibleRules)

// Ways out of breaking changes.
const (
	byUpgrade = "Run 'datachain upgrade': it writes the new id."
	byPerson  = "Edit the documents; 'datachain upgrade' lists the places."
)

var breakingRules = []rule{
	{
		Rule:  Rule{"subchain-removed", Breaking, false, "A subchain of the datachain type was removed.", "documents that use the subchain become invalid", byPerson},
		on:    []pattern{on(DatachainType, Removed, "subchains", anyStep)},
		when:  subchainRemoved,
		where: whereSubchain,
	},

	{
		Rule:  Rule{"category-minimum-raised", Breaking, false, "A category is required, or needs more placements than some documents have.", "documents with fewer placements of its elements become invalid", byPerson},
		on:    []pattern{on(Category, Added), on(Category, "", "required"), on(Category, "", "cardinality", "min")},
		when:  minimumRaised,
		where: whereCategoryLimits,
	},
	{
		Rule:  Rule{"category-maximum-lowered", Breaking, false, "A category allows fewer placements than some documents have.", "documents with more placements of its elements become invalid", byPerson},
		on:    []pattern{on(Category, Added), on(Category, "", "cardinality", "max")},
		when:  maximumLowered,
		where: whereCategoryLimits,
	},
	{
		Rule:  Rule{"context-value-removed", Breaking, false, "A context value was removed.", "placements with the context value become invalid", byPerson},
		on:    []pattern{on(Category, Removed, "context", "values", anyStep)},
		when:  contextValueRemoved,
		where: whereContextValue,
	},
	{
		Rule:  Rule{"context-value-renamed", Breaking, false, "A context value has a new id.", "placements with the context value become invalid", byUpgrade},
		on:    []pattern{on(Category, Renamed, "context", "values", anyStep)},
		when:  contextValueRenamed,
		where: whereContextValue,
	},
	{
		Rule:  Rule{"context-required", Breaking, false, "Placements of a category must have a context value.", "placements must now have a context value", byPerson},
		on:    []pattern{on(Category, Added, "context", "values", anyStep), on(Category, "", "context", "required")},
		when:  contextRequired,
		where: whereNoContext,
	},

	{
		Rule:  Rule{"element-removed", Breaking, false, "An element was removed.", "documents that place the element become invalid", "If the new version names one successor, run 'datachain upgrade'; otherwise choose another element."},
		on:    []pattern{on(Element, Removed)},
		when:  elementRemoved,
		where: whereElement,
	},
	{
		Rule:  Rule{"element-moved-context", Breaking, false, "An element moved to a category with other context values, or whose context is required.", "placements with a context value that the new category lacks, or without one that it requires, become invalid", byPerson},
		on:    []pattern{on(Element, "", "category_id")},
		when:  contextsLost,
		where: whereElementMoved,
	},
	{
		Rule:  Rule{"element-moved-needed", Breaking, false, "An element moved out of a category that some documents can't do without.", "documents that need the placements for the old category become invalid", byPerson},
		on:    []pattern{on(Element, "", "category_id")},
		when:  categoryLeft,
		where: whereElementMoved,
	},
	{
		Rule:  Rule{"element-moved-full", Breaking, false, "An element moved into a category that can't take all placements that documents have.", "documents with more placements than the new category allows become invalid", byPerson},
		on:    []pattern{on(Element, "", "category_id")},
		when:  categoryEntered,
		where: whereElementMoved,
	},
	{
		Rule:  Rule{"element-maximum-lowered", Breaking, false, "An element can be placed less often.", "documents that place the element more often become invalid", byPerson},
		on:    []pattern{on(Element, "", "max_placements")},
		when:  placementsLowered,
		where: whereElementTooOften,
	},

	{
		Rule:  Rule{"variable-removed", Breaking, false, "A variable was removed.", "placements with a value for the variable become invalid", byPerson},
		on:    []pattern{on(Element, Removed, "variables", anyStep)},
		when:  variableRemoved,
		where: whereValue(func(_, after *taxonomy.Variable) bool { return after == nil }),
	},
	{
		Rule:  Rule{"variable-renamed", Breaking, false, "A variable has a new id.", "placements with a value for the variable become invalid", byUpgrade},
		on:    []pattern{on(Element, Renamed, "variables", anyStep)},
		when:  variableRenamed,
		where: whereValueRenamed,
	},
	{
		Rule:  Rule{"variable-required", Breaking, false, "A variable must be filled in.", "placements must now have a value for the variable", "Fill the variable in; 'datachain upgrade' adds it as a marked gap."},
		on:    []pattern{on(Element, Added, "variables", anyStep), on(Element, "", "variables", anyStep, "required")},
		when:  variableRequired,
		where: whereNoValue,
	},
	{
		Rule: Rule{"variable-type-changed", Breaking, false, "A variable has another type.", "values of the variable have the wrong type", byPerson},
		on:   []pattern{on(Element, "", "variables", anyStep, "type")},
		when: typeChanged,
		where: whereValue(func(before, after *taxonomy.Variable) bool {
			return before != nil && after != nil && before.Type != after.Type
		}),
	},
	{
		Rule:  Rule{"option-removed", Breaking, false, "An option of a variable was removed.", "placements with the option become invalid", byPerson},
		on:    []pattern{on(Element, Removed, "variables", anyStep, "options", anyStep)},
		when:  optionRemoved,
		where: whereOption(func(_ *placement, _, after *taxonomy.Option) bool { return after == nil }),
	},
	{
		Rule:  Rule{"option-renamed", Breaking, false, "An option of a variable has a new id.", "placements with the option become invalid", byUpgrade},
		on:    []pattern{on(Element, Renamed, "variables", anyStep, "options", anyStep)},
		when:  optionRenamed,
		where: whereOptionRenamed,
	},
	{
		Rule:  Rule{"option-narrowed", Breaking, false, "An option no longer applies to an element.", "placements with the option become invalid, because it no longer applies to the element", byPerson},
		on:    []pattern{on(Element, "", "variables", anyStep, "options", anyStep, "applies_to", anyStep)},
		when:  optionNarrowed,
		where: whereOption(func(p *placement, _, after *taxonomy.Option) bool { return after != nil && !after.Applies(p.ElementID) }),
	},
}

// A translation that is added or removed does not change the meaning. What a version
// forgets about earlier changes does not either, but documents of older versions need it.
var notableRules = []rule{
	{
		// Before those that would be notable.
		Rule: Rule{"punctuation-changed", Compatible, false, "A text differs only in white space or in the full stop at its end.", "documents stay valid and say the same", ""},
		on:   texts(Changed),
		when: func(_ *counts, c *Change) string {
			same := wording.SameWords(unquoted(c.Old), unquoted(c.New))
			return ifTrue(same, "documents stay valid and say the same")
		},
	},
	{
		Rule:  Rule{"type-changed", Notable, false, "The datachain type has another id.", "documents get another datachain type", ""},
		on:    []pattern{on(DatachainType, "", "id")},
		where: whereVersion,
	},
	{
		Rule: Rule{
			"id-reused", Breaking, false, "An id that was removed or renamed is back with another title.",
			"the id was given up and now stands for something else; use an id that no version has had",
			"replace what the document uses by something that says the same; upgrading reports each place",
		},
		on: []pattern{
			on(Element, Changed, "title", anyStep), on(Category, Changed, "name", anyStep),
			on(Category, Changed, "context", "values", anyStep, "label", anyStep),
			on("", Changed, "variables", anyStep, "label", anyStep), on("", Changed, "variables", anyStep, "options", anyStep, "label", anyStep),
		},
		when: idReused,
	},
	{
		Rule:  Rule{"element-reworded", Notable, false, "The title or description of an element was reworded.", "placements of the element now say something else", ""},
		on:    []pattern{on(Element, Changed, "title", anyStep), on(Element, Changed, "description", anyStep)},
		when:  elementReworded,
		where: whereElement,
	},
	{
		Rule:  Rule{"context-reworded", Notable, false, "The name or description of a context was reworded.", "placements with a context value now say something else", ""},
		on:    []pattern{on(Category, Changed, "context", "name", anyStep), on(Category, Changed, "context", "description", anyStep)},
		where: whereContext,
	},
	{
		Rule:  Rule{"context-value-reworded", Notable, false, "The label or description of a context value was reworded.", "placements with the context value now say something else", ""},
		on:    []pattern{on(Category, Changed, "context", "values", anyStep, "label", anyStep), on(Category, Changed, "context", "values", anyStep, "description", anyStep)},
		where: whereContextValue,
	},
	{
		Rule: Rule{"variable-reworded", Notable, false, "The label of a variable was reworded.", "values of the variable now say something else", ""},
		on:   []pattern{on(Element, Changed, "variables", anyStep, "label", anyStep)},
		// Also asked for elements that override the variable of the category.
		where: whereValue(func(before, after *taxonomy.Variable) bool {
			return before != nil && after != nil && !slices.Equal(before.Label, after.Label)
		}),
	},
	{
		Rule: Rule{"option-reworded", Notable, false, "The label or description of an option was reworded.", "placements with the option now say something else", ""},
		on:   []pattern{on(Element, Changed, "variables", anyStep, "options", anyStep, "label", anyStep), on(Element, Changed, "variables", anyStep, "options", anyStep, "description", anyStep)},
		where: whereOption(func(_ *placement, before, after *taxonomy.Option) bool {
			return before != nil && after != nil &&
				(!slices.Equal(before.Label, after.Label) || !slices.Equal(before.Description, after.Description))
		}),
	},
	{
		Rule: Rule{"scheme-reworded", Notable, false, "The title of a scheme was reworded: it may be another one with the same id.", "mappings to the scheme now say something else", ""},
		on:   []pattern{on(Manifest, Changed, "schemes", anyStep, "title", anyStep)},
	},
	{
		Rule: Rule{"removal-forgotten", Notable, false, "An element that was removed in an older version is no longer listed in `removed`, or no longer has a successor.", "documents of older versions that place the element can no longer follow", ""},
		on:   []pattern{on(Manifest, Removed, "removed", anyStep), on(Manifest, Changed, "removed"), on(Manifest, "", "removed", anyStep, "replaced_by", anyRest)},
		when: removalForgotten,
	},
	{
		Rule: Rule{"rename-forgotten", Notable, false, "An id that something had in an older version is no longer listed in `renamed_from`.", "documents of older versions that use the id can no longer follow", ""},
		on:   renameRecords,
		when: renameForgotten,
	},
}

// renameRecords are the places of renamed_from.
var renameRecords = []pattern{
	on(Category, "", "renamed_from", anyRest),
	on(Category, "", "context", "values", anyStep, "renamed_from", anyRest),
	on(Category, "", "variables", anyStep, "renamed_from", anyRest),
	on(Category, "", "variables", anyStep, "options", anyStep, "renamed_from", anyRest),
	on(Element, "", "variables", anyStep, "renamed_from", anyRest),
	on(Element, "", "variables", anyStep, "options", anyStep, "renamed_from", anyRest),
}

// Consequences that several compatible rules share.
const (
	nothing   = "documents stay valid and mean the same"
	shownText = "documents stay valid; pages show the new text"
)

// warningRules are for compatible changes after which documents can get a warning.
var warningRules = []rule{
	{
		Rule:  Rule{"locale-removed", Compatible, true, "The schema version no longer has a locale.", "texts in this locale get a warning, because the schema no longer lists it", ""},
		on:    []pattern{on(Manifest, Removed, "locales", anyStep)},
		where: whereLocaleRemoved,
	},
	{
		Rule:  Rule{"element-deprecated", Compatible, true, "An element was deprecated.", "placements of the element get a warning", ""},
		on:    []pattern{on(Element, Added, "status"), on(Element, Changed, "status")},
		when:  elementDeprecated,
		where: whereElement,
	},
}

// compatibleRules apply to what no other rule applies to; the last one to everything.
var compatibleRules = []rule{
	{
		Rule: Rule{"category-renamed", Compatible, false, "A category has a new id.", "documents stay valid: they name elements, not categories", ""},
		on:   []pattern{on(Category, Renamed)},
	},
	{
		Rule: Rule{"unused-removed", Compatible, false, "Something was removed that no valid document uses: an element that can't be placed, or what belongs only to such elements.", "no valid document is affected", ""},
		on: []pattern{
			on(Element, Removed), on("", Removed, "variables", anyStep), on("", Removed, "variables", anyStep, "options", anyStep),
			on(Category, Removed, "context", "values", anyStep), on(DatachainType, Removed, "subchains", anyStep),
		},
	},
	{
		Rule: Rule{"unused-renamed", Compatible, false, "Something has a new id that no valid document uses.", "no valid document is affected", ""},
		on:   []pattern{on("", Renamed, anyRest)},
	},

	{
		Rule: Rule{"category-added", Compatible, false, "A category was added.", "documents can place its elements", ""},
		on:   []pattern{on(Category, Added)},
	},
	{
		Rule: Rule{"category-removed", Compatible, false, "A category was removed. What happens to its elements is reported for each of them.", "documents stay valid: they name elements, not categories", ""},
		on:   []pattern{on(Category, Removed)},
	},
	{
		Rule: Rule{"element-added", Compatible, false, "An element was added.", "documents can place the element", ""},
		on:   []pattern{on(Element, Added)},
	},
	{
		Rule: Rule{"element-moved", Compatible, false, "An element moved to another category, which allows what documents have.", "placements of the element count for its new category", ""},
		on:   []pattern{on(Element, "", "category_id")},
	},
	{
		Rule: Rule{"element-reinstated", Compatible, false, "An element is no longer deprecated.", "placements of the element no longer get a warning", ""},
		on:   []pattern{on(Element, "", "status")},
	},
	{
		Rule: Rule{"context-value-added", Compatible, false, "A context value was added.", "placements can have the context value", ""},
		on:   []pattern{on(Category, Added, "context", "values", anyStep)},
	},
	{
		Rule: Rule{"variable-added", Compatible, false, "An optional variable was added.", "placements can have a value for the variable", ""},
		on:   []pattern{on("", Added, "variables", anyStep)},
	},
	{
		Rule: Rule{"option-added", Compatible, false, "An option of a variable was added.", "placements can choose the option", ""},
		on:   []pattern{on("", Added, "variables", anyStep, "options", anyStep)},
	},
	{
		Rule: Rule{"subchain-added", Compatible, false, "A subchain was added to the datachain type.", "documents can use the subchain", ""},
		on:   []pattern{on(DatachainType, Added, "subchains", anyStep)},
	},
	{
		Rule: Rule{"subchain-changed", Compatible, false, "The categories of a subchain have changed.", nothing, ""},
		on:   []pattern{on(DatachainType, "", "subchains", anyStep, "categories", anyRest)},
	},
	{
		Rule: Rule{"locale-added", Compatible, false, "The schema version has another locale.", "documents can have texts in the locale", ""},
		on:   []pattern{on(Manifest, Added, "locales", anyStep)},
	},
	{
		Rule: Rule{"limits-changed", Compatible, false, "What documents must or may contain has changed in a way that keeps all valid documents valid, such as a limit that was raised.", "all valid documents stay valid", ""},
		on: []pattern{
			on(Category, "", "required"), on(Category, "", "cardinality", anyRest), on(Category, "", "context", "required"),
			on(Element, "", "max_placements"), on("", "", "variables", anyStep, "required"), on("", "", "variables", anyStep, "type"),
			on("", "", "variables", anyStep, "options", anyStep, "applies_to", anyRest),
		},
	},

	{
		Rule: Rule{"order-changed", Compatible, false, "Categories, elements or items of a list are in another order.", "documents stay valid; lists and pages have another order", ""},
		on:   []pattern{on("", Reordered, anyRest), on(Element, "", "order")},
	},
	{
		Rule: Rule{"symbol-added", Compatible, false, "A symbol was added.", nothing, ""},
		on:   []pattern{on(Symbol, Added)},
	},
	{
		Rule: Rule{"symbol-removed", Compatible, false, "A symbol was removed.", nothing, ""},
		on:   []pattern{on(Symbol, Removed)},
	},
	{
		Rule: Rule{"symbol-changed", Compatible, false, "A symbol was redrawn.", "documents stay valid; icons look different", ""},
		on:   []pattern{on(Symbol, Changed)},
	},
	{
		Rule: Rule{"icon-changed", Compatible, false, "The symbol of an element, the shape of a category, or a colour has changed.", "documents stay valid; icons look different", ""},
		on: []pattern{
			on(Element, "", "symbol_id"), on(Element, "", "icon_variants", anyRest),
			on(Category, "", "shape"), on(Category, "", "context", "values", anyStep, "color"),
		},
	},

	{
		Rule: Rule{"successor-changed", Compatible, false, "Other elements are named as successors of a deprecated or removed element.", "'datachain upgrade' uses the new successors", ""},
		on:   []pattern{on(Element, "", "replaced_by", anyRest), on(Manifest, "", "removed", anyRest)},
	},
	{
		Rule: Rule{"rename-recorded", Compatible, false, "The ids that something had in older versions have changed.", "'datachain upgrade' follows these ids", ""},
		on:   renameRecords,
	},
	{
		Rule: Rule{"search-changed", Compatible, false, "Keywords of an element or synonyms have changed.", "documents stay valid; searches find something else", ""},
		on:   []pattern{on(Element, "", "keywords", anyRest), on(Manifest, "", "synonyms", anyRest)},
	},
	{
		Rule: Rule{"guidance-changed", Compatible, false, "The prompt, the guidance or the examples for authors have changed.", "documents stay valid; their authors read another text", ""},
		on:   []pattern{on("", "", "prompt", anyRest), on("", "", "authoring_guidance", anyRest), on(Element, "", "examples", anyRest)},
	},
	{
		Rule: Rule{"role-changed", Compatible, false, "A role, a lead or the order of context values has changed.", "documents stay valid; their summaries may say something else first", ""},
		on: []pattern{
			on(Category, "", "role"), on(Category, "", "context", "role"), on(Category, "", "context", "order"),
			on(Category, "", "context", "values", anyStep, "lead"), on(Element, "", "lead"), on("", "", "variables", anyStep, "role"),
		},
	},
	{
		Rule: Rule{"sources-changed", Compatible, false, "The sources of a category, an element, a variable or an option have changed.", nothing, ""},
		on: []pattern{
			on("", "", "sources", anyRest), on("", "", "variables", anyStep, "sources", anyRest),
			on("", "", "variables", anyStep, "options", anyStep, "sources", anyRest),
		},
	},
	{
		Rule: Rule{"mappings-changed", Compatible, false, "The schemes of the schema version, or the entries that a category or an element is mapped to, have changed.", "documents stay valid; crosswalks list something else", ""},
		on:   []pattern{on(Manifest, "", "schemes", anyRest), on(Category, "", "mappings", anyRest), on(Element, "", "mappings", anyRest)},
	},
	{
		Rule: Rule{"licence-changed", Compatible, false, "The licence or the attribution of the schema version has changed.", nothing, ""},
		on:   []pattern{on(Manifest, "", "licence"), on(Manifest, "", "attribution")},
	},
	{
		Rule: Rule{"notes-changed", Compatible, false, "The notes on the schema version have changed.", nothing, ""},
		on:   []pattern{on(Manifest, "", "notes", anyRest)},
	},

	{Rule: Rule{"text-added", Compatible, false, "A text was added, such as a translation.", shownText, ""}, on: texts(Added)},
	{Rule: Rule{"text-removed", Compatible, false, "A text was removed, such as a translation.", "documents stay valid; pages show the text in another language, or none", ""}, on: texts(Removed)},
	{
		Rule: Rule{"placeholder-changed", Compatible, false, "A text of an element names a variable in another way, such as by its new id.", "documents stay valid and say the same", ""},
		on:   []pattern{on(Element, Changed, "title", anyStep), on(Element, Changed, "description", anyStep)},
	},
	{
		Rule: Rule{"category-reworded", Compatible, false, "The name or description of a category was reworded.", shownText, ""},
		on:   []pattern{on(Category, Changed, "name", anyStep), on(Category, Changed, "description", anyStep)},
	},
	{
		Rule: Rule{"version-reworded", Compatible, false, "The title or description of the schema version, its datachain type or a subchain was reworded.", shownText, ""},
		on: []pattern{
			on(Manifest, Changed, "title", anyStep), on(Manifest, Changed, "description", anyStep),
			on(DatachainType, Changed, "name", anyStep), on(DatachainType, Changed, "description", anyStep), on(DatachainType, Changed, "subchains", anyStep, "name", anyStep),
		},
	},
	{
		Rule: Rule{"other-changed", Compatible, false, "Something else has changed, such as a field that this program does not know.", nothing, ""},
		on:   []pattern{on("", "", anyRest)},
	},
}

// texts returns the patterns of the localized texts of the model, each in any language.
func texts(k Kind) (all []pattern) {
	var add func(t reflect.Type, path []string)
	add = func(t reflect.Type, path []string) {
		switch {
		case t == reflect.TypeFor[taxonomy.Localized]():
			all = append(all, on("", k, append(path, anyStep)...))
		case t.Kind() == reflect.Slice:
			add(t.Elem(), append(path, anyStep))
		case t.Kind() == reflect.Struct:
			list, _ := jsonfields.Of(t)
			for _, f := range list {
				add(f.Type, append(slices.Clip(path), f.Name))
			}
		}
	}
	for _, t := range []reflect.Type{reflect.TypeFor[taxonomy.Manifest](), reflect.TypeFor[taxonomy.Type](), reflect.TypeFor[taxonomy.Category](), reflect.TypeFor[taxonomy.Element]()} {
		add(t, nil)
	}
	return all
}
