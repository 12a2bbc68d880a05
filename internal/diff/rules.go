package diff

import (
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
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
	i := slices.IndexFunc(rules, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i].Rule, true
}

// rule is a [Rule] and how it is recognised.
type rule struct {
	Rule
	on []pattern
	// when returns the consequence of a change that matches a pattern, or "" if the
	// rule does not apply. If it is nil, the rule applies with Consequence.
	when func(*counts, *Change) string
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
// the elements, which have the effective ones; [heritage] moves the result to the
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
		Rule{"subchain-removed", Breaking, false, "A subchain of the datachain type was removed.", "documents that use the subchain become invalid", byPerson},
		[]pattern{on(DatachainType, Removed, "subchains", anyStep)},
		subchainRemoved,
	},

	{
		Rule{"category-minimum-raised", Breaking, false, "A category is required, or needs more placements than some documents have.", "documents with fewer placements of its elements become invalid", byPerson},
		[]pattern{on(Category, Added), on(Category, "", "required"), on(Category, "", "cardinality", "min")},
		minimumRaised,
	},
	{
		Rule{"category-maximum-lowered", Breaking, false, "A category allows fewer placements than some documents have.", "documents with more placements of its elements become invalid", byPerson},
		[]pattern{on(Category, Added), on(Category, "", "cardinality", "max")},
		maximumLowered,
	},
	{
		Rule{"context-value-removed", Breaking, false, "A context value was removed.", "placements with the context value become invalid", byPerson},
		[]pattern{on(Category, Removed, "context", "values", anyStep)},
		contextValueRemoved,
	},
	{
		Rule{"context-value-renamed", Breaking, false, "A context value has a new id.", "placements with the context value become invalid", byUpgrade},
		[]pattern{on(Category, Renamed, "context", "values", anyStep)},
		contextValueRenamed,
	},
	{
		Rule{"context-required", Breaking, false, "Placements of a category must have a context value.", "placements must now have a context value", byPerson},
		[]pattern{on(Category, Added, "context", "values", anyStep), on(Category, "", "context", "required")},
		contextRequired,
	},

	{
		Rule{"element-removed", Breaking, false, "An element was removed.", "documents that place the element become invalid", "If the new version names one successor, run 'datachain upgrade'; otherwise choose another element."},
		[]pattern{on(Element, Removed)},
		elementRemoved,
	},
	{
		Rule{"element-moved-context", Breaking, false, "An element moved to a category with other context values, or whose context is required.", "placements with a context value that the new category lacks, or without one that it requires, become invalid", byPerson},
		[]pattern{on(Element, "", "category_id")},
		contextsLost,
	},
	{
		Rule{"element-moved-needed", Breaking, false, "An element moved out of a category that some documents can't do without.", "documents that need the placements for the old category become invalid", byPerson},
		[]pattern{on(Element, "", "category_id")},
		categoryLeft,
	},
	{
		Rule{"element-moved-full", Breaking, false, "An element moved into a category that can't take all placements that documents have.", "documents with more placements than the new category allows become invalid", byPerson},
		[]pattern{on(Element, "", "category_id")},
		categoryEntered,
	},
	{
		Rule{"element-maximum-lowered", Breaking, false, "An element can be placed less often.", "documents that place the element more often become invalid", byPerson},
		[]pattern{on(Element, "", "max_placements")},
		placementsLowered,
	},

	{
		Rule{"variable-removed", Breaking, false, "A variable was removed.", "placements with a value for the variable become invalid", byPerson},
		[]pattern{on(Element, Removed, "variables", anyStep)},
		variableRemoved,
	},
	{
		Rule{"variable-renamed", Breaking, false, "A variable has a new id.", "placements with a value for the variable become invalid", byUpgrade},
		[]pattern{on(Element, Renamed, "variables", anyStep)},
		variableRenamed,
	},
	{
		Rule{"variable-required", Breaking, false, "A variable must be filled in.", "placements must now have a value for the variable", "Fill the variable in; 'datachain upgrade' adds it as a marked gap."},
		[]pattern{on(Element, Added, "variables", anyStep), on(Element, "", "variables", anyStep, "required")},
		variableRequired,
	},
	{
		Rule{"variable-type-changed", Breaking, false, "A variable has another type.", "values of the variable have the wrong type", byPerson},
		[]pattern{on(Element, "", "variables", anyStep, "type")},
		typeChanged,
	},
	{
		Rule{"option-removed", Breaking, false, "An option of a variable was removed.", "placements with the option become invalid", byPerson},
		[]pattern{on(Element, Removed, "variables", anyStep, "options", anyStep)},
		optionRemoved,
	},
	{
		Rule{"option-renamed", Breaking, false, "An option of a variable has a new id.", "placements with the option become invalid", byUpgrade},
		[]pattern{on(Element, Renamed, "variables", anyStep, "options", anyStep)},
		optionRenamed,
	},
	{
		Rule{"option-narrowed", Breaking, false, "An option no longer applies to an element.", "placements with the option become invalid, because it no longer applies to the element", byPerson},
		[]pattern{on(Element, "", "variables", anyStep, "options", anyStep, "applies_to", anyStep)},
		optionNarrowed,
	},
}

// A translation that is added or removed does not change the meaning. What a version
// forgets about earlier changes does not either, but documents of older versions need it.
var notableRules = []rule{
	{
		// Before those that would be notable.
		Rule{"punctuation-changed", Compatible, false, "A text differs only in white space or in the full stop at its end.", "documents stay valid and say the same", ""},
		texts(Changed),
		func(_ *counts, c *Change) string {
			same := prose.SameWords(unquoted(c.Old), unquoted(c.New))
			return ifTrue(same, "documents stay valid and say the same")
		},
	},
	{
		Rule{"type-changed", Notable, false, "The datachain type has another id.", "documents get another datachain type", ""},
		[]pattern{on(DatachainType, "", "id")},
		nil,
	},
	{
		Rule{
			"id-reused", Breaking, false, "An id that was removed or renamed is back with another title.",
			"the id was given up and now stands for something else; use an id that no version has had",
			"replace what the document uses by something that says the same; upgrading reports each place",
		},
		[]pattern{
			on(Element, Changed, "title", anyStep), on(Category, Changed, "name", anyStep),
			on(Category, Changed, "context", "values", anyStep, "label", anyStep),
			on("", Changed, "variables", anyStep, "label", anyStep), on("", Changed, "variables", anyStep, "options", anyStep, "label", anyStep),
		},
		idReused,
	},
	{
		Rule{"element-reworded", Notable, false, "The title or description of an element was reworded.", "placements of the element now say something else", ""},
		[]pattern{on(Element, Changed, "title", anyStep), on(Element, Changed, "description", anyStep)},
		elementReworded,
	},
	{
		Rule{"context-reworded", Notable, false, "The name or description of a context was reworded.", "placements with a context value now say something else", ""},
		[]pattern{on(Category, Changed, "context", "name", anyStep), on(Category, Changed, "context", "description", anyStep)},
		nil,
	},
	{
		Rule{"context-value-reworded", Notable, false, "The label or description of a context value was reworded.", "placements with the context value now say something else", ""},
		[]pattern{on(Category, Changed, "context", "values", anyStep, "label", anyStep), on(Category, Changed, "context", "values", anyStep, "description", anyStep)},
		nil,
	},
	{
		Rule{"variable-reworded", Notable, false, "The label of a variable was reworded.", "values of the variable now say something else", ""},
		[]pattern{on(Element, Changed, "variables", anyStep, "label", anyStep)},
		nil,
	},
	{
		Rule{"option-reworded", Notable, false, "The label or description of an option was reworded.", "placements with the option now say something else", ""},
		[]pattern{on(Element, Changed, "variables", anyStep, "options", anyStep, "label", anyStep), on(Element, Changed, "variables", anyStep, "options", anyStep, "description", anyStep)},
		nil,
	},
	{
		Rule{"scheme-reworded", Notable, false, "The title of a scheme was reworded: it may be another one with the same id.", "mappings to the scheme now say something else", ""},
		[]pattern{on(Manifest, Changed, "schemes", anyStep, "title", anyStep)},
		nil,
	},
	{
		Rule{"removal-forgotten", Notable, false, "An element that was removed in an older version is no longer listed in `removed`, or no longer has a successor.", "documents of older versions that place the element can no longer follow", ""},
		[]pattern{on(Manifest, Removed, "removed", anyStep), on(Manifest, Changed, "removed"), on(Manifest, "", "removed", anyStep, "replaced_by", anyRest)},
		removalForgotten,
	},
	{
		Rule{"rename-forgotten", Notable, false, "An id that something had in an older version is no longer listed in `renamed_from`.", "documents of older versions that use the id can no longer follow", ""},
		renameRecords,
		renameForgotten,
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
		Rule{"locale-removed", Compatible, true, "The schema version no longer has a locale.", "texts in this locale get a warning, because the schema no longer lists it", ""},
		[]pattern{on(Manifest, Removed, "locales", anyStep)},
		nil,
	},
	{
		Rule{"element-deprecated", Compatible, true, "An element was deprecated.", "placements of the element get a warning", ""},
		[]pattern{on(Element, Added, "status"), on(Element, Changed, "status")},
		elementDeprecated,
	},
}

// compatibleRules apply to what no other rule applies to; the last one to everything.
var compatibleRules = []rule{
	{
		Rule{"category-renamed", Compatible, false, "A category has a new id.", "documents stay valid: they name elements, not categories", ""},
		[]pattern{on(Category, Renamed)},
		nil,
	},
	{
		Rule{"unused-removed", Compatible, false, "Something was removed that no valid document uses: an element that can't be placed, or what belongs only to such elements.", "no valid document is affected", ""},
		[]pattern{
			on(Element, Removed), on("", Removed, "variables", anyStep), on("", Removed, "variables", anyStep, "options", anyStep),
			on(Category, Removed, "context", "values", anyStep), on(DatachainType, Removed, "subchains", anyStep),
		},
		nil,
	},
	{
		Rule{"unused-renamed", Compatible, false, "Something has a new id that no valid document uses.", "no valid document is affected", ""},
		[]pattern{on("", Renamed, anyRest)},
		nil,
	},

	{
		Rule{"category-added", Compatible, false, "A category was added.", "documents can place its elements", ""},
		[]pattern{on(Category, Added)},
		nil,
	},
	{
		Rule{"category-removed", Compatible, false, "A category was removed. What happens to its elements is reported for each of them.", "documents stay valid: they name elements, not categories", ""},
		[]pattern{on(Category, Removed)},
		nil,
	},
	{
		Rule{"element-added", Compatible, false, "An element was added.", "documents can place the element", ""},
		[]pattern{on(Element, Added)},
		nil,
	},
	{
		Rule{"element-moved", Compatible, false, "An element moved to another category, which allows what documents have.", "placements of the element count for its new category", ""},
		[]pattern{on(Element, "", "category_id")},
		nil,
	},
	{
		Rule{"element-reinstated", Compatible, false, "An element is no longer deprecated.", "placements of the element no longer get a warning", ""},
		[]pattern{on(Element, "", "status")},
		nil,
	},
	{
		Rule{"context-value-added", Compatible, false, "A context value was added.", "placements can have the context value", ""},
		[]pattern{on(Category, Added, "context", "values", anyStep)},
		nil,
	},
	{
		Rule{"variable-added", Compatible, false, "An optional variable was added.", "placements can have a value for the variable", ""},
		[]pattern{on("", Added, "variables", anyStep)},
		nil,
	},
	{
		Rule{"option-added", Compatible, false, "An option of a variable was added.", "placements can choose the option", ""},
		[]pattern{on("", Added, "variables", anyStep, "options", anyStep)},
		nil,
	},
	{
		Rule{"subchain-added", Compatible, false, "A subchain was added to the datachain type.", "documents can use the subchain", ""},
		[]pattern{on(DatachainType, Added, "subchains", anyStep)},
		nil,
	},
	{
		Rule{"subchain-changed", Compatible, false, "The categories of a subchain have changed.", nothing, ""},
		[]pattern{on(DatachainType, "", "subchains", anyStep, "categories", anyRest)},
		nil,
	},
	{
		Rule{"locale-added", Compatible, false, "The schema version has another locale.", "documents can have texts in the locale", ""},
		[]pattern{on(Manifest, Added, "locales", anyStep)},
		nil,
	},
	{
		Rule{"limits-changed", Compatible, false, "What documents must or may contain has changed in a way that keeps all valid documents valid, such as a limit that was raised.", "all valid documents stay valid", ""},
		[]pattern{
			on(Category, "", "required"), on(Category, "", "cardinality", anyRest), on(Category, "", "context", "required"),
			on(Element, "", "max_placements"), on("", "", "variables", anyStep, "required"), on("", "", "variables", anyStep, "type"),
			on("", "", "variables", anyStep, "options", anyStep, "applies_to", anyRest),
		},
		nil,
	},

	{
		Rule{"order-changed", Compatible, false, "Categories, elements or items of a list are in another order.", "documents stay valid; lists and pages have another order", ""},
		[]pattern{on("", Reordered, anyRest), on(Element, "", "order")},
		nil,
	},
	{
		Rule{"symbol-added", Compatible, false, "A symbol was added.", nothing, ""},
		[]pattern{on(Symbol, Added)},
		nil,
	},
	{
		Rule{"symbol-removed", Compatible, false, "A symbol was removed.", nothing, ""},
		[]pattern{on(Symbol, Removed)},
		nil,
	},
	{
		Rule{"symbol-changed", Compatible, false, "A symbol was redrawn.", "documents stay valid; icons look different", ""},
		[]pattern{on(Symbol, Changed)},
		nil,
	},
	{
		Rule{"icon-changed", Compatible, false, "The symbol of an element, the shape of a category, or a colour has changed.", "documents stay valid; icons look different", ""},
		[]pattern{
			on(Element, "", "symbol_id"), on(Element, "", "icon_variants", anyRest),
			on(Category, "", "shape"), on(Category, "", "context", "values", anyStep, "color"),
		},
		nil,
	},

	{
		Rule{"successor-changed", Compatible, false, "Other elements are named as successors of a deprecated or removed element.", "'datachain upgrade' uses the new successors", ""},
		[]pattern{on(Element, "", "replaced_by", anyRest), on(Manifest, "", "removed", anyRest)},
		nil,
	},
	{
		Rule{"rename-recorded", Compatible, false, "The ids that something had in older versions have changed.", "'datachain upgrade' follows these ids", ""},
		renameRecords,
		nil,
	},
	{
		Rule{"search-changed", Compatible, false, "Keywords of an element or synonyms have changed.", "documents stay valid; searches find something else", ""},
		[]pattern{on(Element, "", "keywords", anyRest), on(Manifest, "", "synonyms", anyRest)},
		nil,
	},
	{
		Rule{"guidance-changed", Compatible, false, "The prompt, the guidance or the examples for authors have changed.", "documents stay valid; their authors read another text", ""},
		[]pattern{on("", "", "prompt", anyRest), on("", "", "authoring_guidance", anyRest), on(Element, "", "examples", anyRest)},
		nil,
	},
	{
		Rule{"role-changed", Compatible, false, "A role, a lead or the order of context values has changed.", "documents stay valid; their summaries may say something else first", ""},
		[]pattern{
			on(Category, "", "role"), on(Category, "", "context", "role"), on(Category, "", "context", "order"),
			on(Category, "", "context", "values", anyStep, "lead"), on(Element, "", "lead"), on("", "", "variables", anyStep, "role"),
		},
		nil,
	},
	{
		Rule{"sources-changed", Compatible, false, "The sources of a category, an element, a variable or an option have changed.", nothing, ""},
		[]pattern{
			on("", "", "sources", anyRest), on("", "", "variables", anyStep, "sources", anyRest),
			on("", "", "variables", anyStep, "options", anyStep, "sources", anyRest),
		},
		nil,
	},
	{
		Rule{"mappings-changed", Compatible, false, "The schemes of the schema version, or the entries that a category or an element is mapped to, have changed.", "documents stay valid; crosswalks list something else", ""},
		[]pattern{on(Manifest, "", "schemes", anyRest), on(Category, "", "mappings", anyRest), on(Element, "", "mappings", anyRest)},
		nil,
	},
	{
		Rule{"licence-changed", Compatible, false, "The licence or the attribution of the schema version has changed.", nothing, ""},
		[]pattern{on(Manifest, "", "licence"), on(Manifest, "", "attribution")},
		nil,
	},
	{
		Rule{"notes-changed", Compatible, false, "The notes on the schema version have changed.", nothing, ""},
		[]pattern{on(Manifest, "", "notes", anyRest)},
		nil,
	},

	{Rule{"text-added", Compatible, false, "A text was added, such as a translation.", shownText, ""}, texts(Added), nil},
	{Rule{"text-removed", Compatible, false, "A text was removed, such as a translation.", "documents stay valid; pages show the text in another language, or none", ""}, texts(Removed), nil},
	{
		Rule{"placeholder-changed", Compatible, false, "A text of an element names a variable in another way, such as by its new id.", "documents stay valid and say the same", ""},
		[]pattern{on(Element, Changed, "title", anyStep), on(Element, Changed, "description", anyStep)},
		nil,
	},
	{
		Rule{"category-reworded", Compatible, false, "The name or description of a category was reworded.", shownText, ""},
		[]pattern{on(Category, Changed, "name", anyStep), on(Category, Changed, "description", anyStep)},
		nil,
	},
	{
		Rule{"version-reworded", Compatible, false, "The title or description of the schema version, its datachain type or a subchain was reworded.", shownText, ""},
		[]pattern{
			on(Manifest, Changed, "title", anyStep), on(Manifest, Changed, "description", anyStep),
			on(DatachainType, Changed, "name", anyStep), on(DatachainType, Changed, "description", anyStep), on(DatachainType, Changed, "subchains", anyStep, "name", anyStep),
		},
		nil,
	},
	{
		Rule{"other-changed", Compatible, false, "Something else has changed, such as a field that this program does not know.", nothing, ""},
		[]pattern{on("", "", anyRest)},
		nil,
	},
}

// texts returns the patterns of localized texts, each in any language.
func texts(k Kind) []pattern {
	var patterns []pattern
	for _, path := range [][]string{
		{"title"},
		{"name"},
		{"description"},
		{"subchains", anyStep, "name"},
		{"context", "name"},
		{"context", "description"},
		{"context", "values", anyStep, "label"},
		{"context", "values", anyStep, "description"},
		{"variables", anyStep, "label"},
		{"variables", anyStep, "options", anyStep, "label"},
		{"variables", anyStep, "options", anyStep, "description"},
	} {
		patterns = append(patterns, on("", k, append(path, anyStep)...))
	}
	return patterns
}
