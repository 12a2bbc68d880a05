package review

import "slices"

// Kind is a kind of [Finding]. Its name is stable.
type Kind string

// The kinds of findings.
const (
	ReviewOverdue    Kind = "review_overdue"
	SincePassed      Kind = "since_passed"
	UntilPassed      Kind = "until_passed"
	ContactNoAddress Kind = "contact_no_address"
	LinkDead         Kind = "link_dead"
	BaseGone         Kind = "base_gone"
	ProfileMissing   Kind = "profile_missing"
	AssessmentEmpty  Kind = "assessment_empty"
	NotUpdated       Kind = "not_updated"
	BaseNewer        Kind = "base_newer"
	LinkMoved        Kind = "link_moved"
	VersionOld       Kind = "version_old"
	LanguageThin     Kind = "language_thin"
	RarelyMissing    Kind = "rarely_missing"
	BaseFar          Kind = "base_far"
	LinkUnreachable  Kind = "link_unreachable"
)

// kinds has all kinds, the worst first: what misleads readers, then what they lack, then what can
// wait.
var kinds = []struct {
	kind    Kind
	meaning string
}{
	{ReviewOverdue, "The day on which the document was to be reviewed has passed."},
	{SincePassed, "The day for which the system was planned has passed, but it is still planned."},
	{UntilPassed, "The day on which the system was to end has passed, but it is not retired."},
	{ContactNoAddress, "The contact of the organisation that is responsible, or of all rights, has no address."},
	{LinkDead, "The page of a link does not exist any more."},
	{BaseGone, "The product that the document is based on is not available any more."},
	{ProfileMissing, "A field that a profile requires is missing."},
	{AssessmentEmpty, "An assessment is done, but has neither a date, a link nor a summary."},
	{NotUpdated, "The document has not been updated for a long time, and names no day of its next review."},
	{BaseNewer, "The product that the document is based on has a newer edition."},
	{LinkMoved, "The page of a link has moved permanently."},
	{VersionOld, "The document pins an older version of its taxonomy than the newest stable one."},
	{LanguageThin, "The title, the purpose or the contact is missing in a language of the register."},
	{RarelyMissing, "The document lacks something that most similar documents have."},
	{BaseFar, "Most of the document differs from the product that it is based on."},
	{LinkUnreachable, "A link could not be checked."},
}

// Kinds returns all kinds, the worst first.
func Kinds() []Kind {
	list := make([]Kind, len(kinds))
	for i := range kinds {
		list[i] = kinds[i].kind
	}
	return list
}

// weight is the position of a kind in their order. Unknown ones come last.
func (k Kind) weight() int {
	for i := range kinds {
		if kinds[i].kind == k {
			return i
		}
	}
	return len(kinds)
}

// Meaning describes what is found, in a sentence. It is "" for an unknown kind.
func (k Kind) Meaning() string {
	if i := k.weight(); i < len(kinds) {
		return kinds[i].meaning
	}
	return ""
}

// NeedsLinks reports whether findings of the kind come from requests, such as those of
// [Options.Links].
func (k Kind) NeedsLinks() bool {
	return slices.Contains([]Kind{LinkDead, BaseGone, BaseNewer, LinkMoved, LinkUnreachable}, k)
}

// Passing reports whether the cause can be somewhere else and pass by itself, so that no check
// should fail because of it.
func (k Kind) Passing() bool { return k == LinkUnreachable }
