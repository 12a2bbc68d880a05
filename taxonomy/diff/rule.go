package diff

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// effect is what a change means for a document that moves from the older version to
// the newer one.
type effect int

const (
	breaks effect = iota // it can become invalid
	alters               // it stays valid and means something else
	warns                // it stays valid and gets a warning
)

// A rule describes a kind of change that has an effect on documents.
type rule struct {
	subject Subject
	kind    Kind // any if empty
	path    []string
	// reason says what happens to documents; "" if nothing does.
	reason func(*counts, *Change) string
	effect effect
}

// anyStep matches any step of a path.
const anyStep = "*"

// rules are all rules; the first one that gives a reason applies. Variables are
// judged at the elements, which have the effective ones; [heritage] moves the result
// to the category. Categories matter by the placements that they allow: documents do
// not name them.
var rules = []rule{
	{subject: Manifest, kind: Removed, path: []string{"locales", anyStep}, effect: warns, reason: always("texts in this locale get a warning, because the schema no longer lists it")},

	{subject: DatachainType, path: []string{"id"}, effect: alters, reason: always("documents get another datachain type")},
	{subject: DatachainType, kind: Removed, path: []string{"subchains", anyStep}, reason: ifValid("documents that use the subchain become invalid")},

	{subject: Category, kind: Added, reason: minimumRaised},
	{subject: Category, kind: Added, reason: maximumLowered},
	{subject: Category, path: []string{"required"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "min"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "max"}, reason: maximumLowered},
	{subject: Category, kind: Removed, path: []string{"context", "values", anyStep}, reason: ifPlaced("placements with the context value become invalid")},
	{subject: Category, kind: Added, path: []string{"context", "values", anyStep}, reason: contextRequired},
	{subject: Category, path: []string{"context", "required"}, reason: contextRequired},

	{subject: Element, kind: Removed, reason: elementRemoved},
	{subject: Element, path: []string{"category_id"}, reason: contextsLost},
	{subject: Element, path: []string{"category_id"}, reason: categoryLeft},
	{subject: Element, path: []string{"category_id"}, reason: categoryEntered},
	{subject: Element, path: []string{"max_placements"}, reason: placementsLowered},
	{subject: Element, kind: Removed, path: []string{"variables", anyStep}, reason: variableRemoved},
	{subject: Element, kind: Added, path: []string{"variables", anyStep}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "required"}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "type"}, reason: typeChanged},
	{subject: Element, kind: Removed, path: []string{"variables", anyStep, "options", anyStep}, reason: optionRemoved},
	{subject: Element, path: []string{"variables", anyStep, "options", anyStep, "applies_to", anyStep}, reason: optionNarrowed},

	// A translation that is added or removed does not change the meaning.
	{subject: Category, kind: Changed, path: []string{"context", "name", anyStep}, effect: alters, reason: always("placements with a context value now say something else")},
	{subject: Category, kind: Changed, path: []string{"context", "description", anyStep}, effect: alters, reason: always("placements with a context value now say something else")},
	{subject: Category, kind: Changed, path: []string{"context", "values", anyStep, "label", anyStep}, effect: alters, reason: always("placements with the context value now say something else")},
	{subject: Category, kind: Changed, path: []string{"context", "values", anyStep, "description", anyStep}, effect: alters, reason: always("placements with the context value now say something else")},
	{subject: Element, kind: Changed, path: []string{"title", anyStep}, effect: alters, reason: always("placements of the element now say something else")},
	{subject: Element, kind: Changed, path: []string{"description", anyStep}, effect: alters, reason: always("placements of the element now say something else")},
	{subject: Element, kind: Changed, path: []string{"variables", anyStep, "label", anyStep}, effect: alters, reason: always("values of the variable now say something else")},
	{subject: Element, kind: Changed, path: []string{"variables", anyStep, "options", anyStep, "label", anyStep}, effect: alters, reason: always("placements with the option now say something else")},
	{subject: Element, kind: Changed, path: []string{"variables", anyStep, "options", anyStep, "description", anyStep}, effect: alters, reason: always("placements with the option now say something else")},
}

// judge sets what a change means for documents.
func (k *counts) judge(c *Change) {
	for i := range rules {
		r := &rules[i]
		if !r.matches(c) {
			continue
		}
		if reason := r.reason(k, c); reason != "" {
			c.Reason, c.Breaking, c.Notable = reason, r.effect == breaks, r.effect == alters
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

func always(reason string) func(*counts, *Change) string {
	return func(*counts, *Change) string { return reason }
}
