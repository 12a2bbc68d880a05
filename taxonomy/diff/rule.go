package diff

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A rule says when a kind of change breaks documents of the older version that
// move to the newer one. The first rule that gives a reason counts.
type rule struct {
	subject Subject
	kinds   []Kind // any where empty
	path    []string
	// reason says what happens to documents, or "" where nothing does.
	reason func(pair, *Change) string
	// warns means that documents get a warning and stay valid.
	warns bool
}

// anyStep stands in the path of a rule for one step of whatever name.
const anyStep = "*"

// rules is every way in which a change breaks documents. Variables and icon
// variants are judged at the elements, which have the effective ones; heritage
// carries the verdict to the category.
var rules = []rule{
	{subject: Manifest, kinds: []Kind{Removed}, path: []string{"locales", anyStep}, reason: localeRemoved, warns: true},

	{subject: DatachainType, path: []string{"id"}, reason: typeChanged},
	{subject: DatachainType, kinds: []Kind{Removed}, path: []string{"subchains", anyStep}, reason: subchainRemoved},

	{subject: Category, kinds: []Kind{Removed}, reason: categoryRemoved},
	{subject: Category, kinds: []Kind{Added}, reason: minimumRaised},
	{subject: Category, path: []string{"required"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "min"}, reason: minimumRaised},
	{subject: Category, path: []string{"cardinality", "max"}, reason: maximumLowered},
	{subject: Category, kinds: []Kind{Removed}, path: []string{"context", "values", anyStep}, reason: contextValueRemoved},
	{subject: Category, path: []string{"context", "required"}, reason: contextRequired},

	{subject: Element, kinds: []Kind{Removed}, reason: elementRemoved},
	{subject: Element, path: []string{"category_id"}, reason: elementMoved},
	{subject: Element, path: []string{"max_placements"}, reason: placementsLowered},
	{subject: Element, kinds: []Kind{Removed}, path: []string{"icon_variants", anyStep}, reason: iconVariantRemoved},
	{subject: Element, kinds: []Kind{Removed}, path: []string{"variables", anyStep}, reason: variableRemoved},
	{subject: Element, kinds: []Kind{Added}, path: []string{"variables", anyStep}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "required"}, reason: variableRequired},
	{subject: Element, path: []string{"variables", anyStep, "type"}, reason: variableTypeChanged},
	{subject: Element, kinds: []Kind{Removed}, path: []string{"variables", anyStep, "options", anyStep}, reason: optionRemoved},
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
	return r.subject == c.Subject &&
		(len(r.kinds) == 0 || slices.Contains(r.kinds, c.Kind)) &&
		slices.EqualFunc(r.path, c.Path, func(pattern string, s issue.Step) bool {
			return pattern == anyStep || pattern == s.Name()
		})
}
