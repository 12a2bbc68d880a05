package validate

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Rule is one check. It reads its [Pass] and reports issues; it has no other effect
// and does not panic.
type Rule struct {
	// Name is unique in a suite.
	Name string
	// Doc is a sentence that documents follow.
	Doc string
	// Codes are the codes that the rule reports.
	Codes []issue.Code
	// Needs says which parts of a document a finding depends on. With
	// [Options.Partial] the rule then also runs if the shape of the document is
	// wrong, and must use [Pass.Broken] to report nothing that depends on a
	// wrong part. A rule that does not say is left out of such a run.
	Needs string
	// Run reports the issues of a document.
	Run func(*Pass)
}

// InstanceRules returns the suite of [Instance], in the order of its findings. The
// caller owns the slice.
func InstanceRules() []*Rule {
	return append([]*Rule{schemaVersion, elementKnown}, commonRules()...)
}

// ResolvedRules returns the suite of [Resolved], in the order of its findings. The
// schema is the snapshot, which does not have the locales of the version, so these are
// not checked; nor does it have unused categories, so those are checked only if the
// version is published.
func ResolvedRules() []*Rule {
	return append(suggestionRules(), snapshotRules()...)
}

// snapshotRules are the rules of resolved documents that read the snapshot.
func snapshotRules() []*Rule {
	return slices.Concat([]*Rule{elementResolved}, commonRules(), []*Rule{drift})
}

// suggestionRules are the rules of suggested elements. They read the document itself,
// so they also run if the shape is wrong: models write suggestions by hand, and a
// mistake in one must not hide that it may not be there at all.
func suggestionRules() []*Rule {
	return []*Rule{collision, suggestedProvenance}
}

func commonRules() []*Rule {
	return []*Rule{
		elementDeprecated,
		requiredCategory,
		categoryCount,
		elementCount,
		contextType,
		variables,
		locales,
		instanceIDs,
		subchains,
		label,
		sourceURL,
		provenance,
	}
}

// StrictRules returns the rules of strict mode: warnings for what is tolerated.
func StrictRules() []*Rule {
	return []*Rule{unknownField, provenanceKind}
}
