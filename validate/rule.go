package validate

import "github.com/datachain-go/datachain/taxonomy/issue"

// Rule is one thing that is checked. A rule is pure: it looks at what its
// [Pass] holds and reports findings. It never stops another, and never panics.
type Rule struct {
	// Name is a short word for the rule, unique in a suite.
	Name string
	// Doc says what the rule wants, in a sentence.
	Doc string
	// Codes are those that the rule reports.
	Codes []issue.Code
	// Run reports what is wrong.
	Run func(*Pass)
}

// InstanceRules returns the suite that [Instance] runs, in the order of its
// findings. The slice is the caller's.
func InstanceRules() []*Rule {
	return []*Rule{
		schemaVersion,
		elementKnown,
		requiredCategory,
		categoryCount,
		elementCount,
		contextType,
		variables,
		locales,
		instanceIDs,
		subchains,
		label,
		provenance,
	}
}

// ResolvedRules returns the suite that [Resolved] runs, in the order of its
// findings. Beside the rules for resolved documents it has those of
// [InstanceRules], with the snapshot for a schema. Left out are those that the
// rules for resolved documents replace: a pinned version has no other to be
// compared with, and an unknown element is said once. A snapshot has neither
// the languages of the version nor the categories that are not used, so what
// they would tell is not checked.
func ResolvedRules() []*Rule {
	return []*Rule{
		collision,
		suggestedProvenance,
		elementResolved,
		requiredCategory,
		categoryCount,
		elementCount,
		contextType,
		variables,
		locales,
		instanceIDs,
		subchains,
		label,
		provenance,
		drift,
	}
}

// StrictRules returns what strict mode adds: warnings for what is tolerated.
func StrictRules() []*Rule {
	return []*Rule{
		unknownField,
		provenanceKind,
	}
}
