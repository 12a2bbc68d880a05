package upgrade

import (
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Class says who has to do something about a [ReportEntry].
type Class string

// The classes, from the most serious to the least.
const (
	// Cannot is what has no solution in the new version, such as an element that
	// was removed without a successor.
	Cannot Class = "cannot"
	// NeedsPerson is what makes the document invalid until a person decides or
	// fills in something.
	NeedsPerson Class = "needs_person"
	// Review is what is valid, but what a person should look at, such as a reworded element.
	Review Class = "review"
	// Done is a change that was made.
	Done Class = "done"
)

// Report says what upgrading a document did, and what is left to do.
type Report struct {
	// From is the version that the document is moved from: that of the old
	// release or, if there is none, the one that the document pinned.
	From string `json:"from"`
	// To is the new version.
	To taxonomy.Version `json:"to"`
	// Changed reports whether the text of the document changed.
	Changed bool `json:"changed"`
	// Form is "thin" or "resolved", the form of the new document.
	Form string `json:"form"`
	// Counts count all entries, also those that are not listed.
	Counts Counts `json:"counts"`
	// Entries are in the order of the document. At most 1000 are listed,
	// what was dropped and the most serious ones if there are more, and a last one
	// says so.
	Entries []ReportEntry `json:"entries"`
}

// The forms of a document.
const (
	thin     = "thin"
	resolved = "resolved"
)

// Counts count entries by class.
type Counts struct {
	Done        int `json:"done"`
	Review      int `json:"review"`
	NeedsPerson int `json:"needs_person"`
	Cannot      int `json:"cannot"`
}

// Add counts an entry of a class.
func (c *Counts) Add(class Class) { *c.of(class)++ }

// of returns the count of a class.
func (c *Counts) of(class Class) *int {
	switch class {
	case Cannot:
		return &c.Cannot
	case NeedsPerson:
		return &c.NeedsPerson
	case Review:
		return &c.Review
	}
	return &c.Done
}

// ReportEntry is one thing that was done, or that is left to do.
type ReportEntry struct {
	// Kind is what it is; docs/upgrading.md lists all.
	Kind Kind `json:"kind"`
	// Class says who has to do something about it.
	Class Class `json:"class"`
	// Path is the place in the new document, or nil if it is not there any more.
	Path issue.Path `json:"path,omitzero"`
	// OldPath is the place in the original document, if that is another one.
	OldPath issue.Path `json:"old_path,omitzero"`
	// Position is the place of Path in the text of the new document.
	Position issue.Position `json:"position,omitzero"`
	// Unit names the part of the document that a merge decides about, such as
	// risk.bias/safeguard/en; "" for an upgrade.
	Unit string `json:"unit,omitempty"`
	// Message says what was done or found, with the ids that it is about.
	Message string `json:"message"`
	// FixHint says what to do, if there is something to do.
	FixHint string `json:"fix_hint,omitempty"`
	// Code is that of the finding that validating the new document gives for this
	// entry, or would give if it were resolved; "" if there is none.
	Code issue.Code `json:"code,omitempty"`
}

// maxEntries is how many entries a report lists.
const maxEntries = 1000

// Kind is the kind of a [ReportEntry]. Its values are stable.
type Kind string

// What was done.
const (
	kindRepinned          Kind = "repinned"
	kindElementReplaced   Kind = "element_replaced"
	kindElementSplit      Kind = "element_split"
	kindVariableRenamed   Kind = "variable_renamed"
	kindOptionRenamed     Kind = "option_renamed"
	kindContextRenamed    Kind = "context_renamed"
	kindCategoryRenamed   Kind = "category_renamed"
	kindReferenceFollowed Kind = "reference_followed"
	kindInstanceIDAdded   Kind = "instance_id_added"
	kindResolvedAgain     Kind = "resolved_again"
	kindElementDropped    Kind = "element_dropped"
	kindVariableDropped   Kind = "variable_dropped"
	kindOptionDropped     Kind = "option_dropped"
	kindContextDropped    Kind = "context_dropped"
	kindReferenceDropped  Kind = "reference_dropped"
)

// What is worth a look.
const (
	kindElementReworded   Kind = "element_reworded"
	kindVariableReworded  Kind = "variable_reworded"
	kindOptionReworded    Kind = "option_reworded"
	kindContextReworded   Kind = "context_reworded"
	kindElementMerged     Kind = "element_merged"
	kindElementDeprecated Kind = "element_deprecated"
	kindWrittenThin       Kind = "written_thin"
	kindOldVersionUnknown Kind = "old_version_unknown"
	kindSchemaLink        Kind = "schema_link"
)

// What a person has to do.
const (
	kindElementChoice       Kind = "element_choice"
	kindElementRemoved      Kind = "element_removed"
	kindElementCycle        Kind = "element_cycle"
	kindIDReused            Kind = "id_reused"
	kindVariableRemoved     Kind = "variable_removed"
	kindVariableClash       Kind = "variable_clash"
	kindVariableType        Kind = "variable_type"
	kindVariableRequired    Kind = "variable_required"
	kindOptionRemoved       Kind = "option_removed"
	kindOptionNotApplicable Kind = "option_not_applicable"
	kindContextRemoved      Kind = "context_removed"
	kindContextMissing      Kind = "context_missing"
	kindPlacementMissing    Kind = "placement_missing"
	kindTooManyPlacements   Kind = "too_many_placements"
	kindSubchainRemoved     Kind = "subchain_removed"
	kindCategoryRemoved     Kind = "category_removed"
	kindSuggestionPublished Kind = "suggestion_published"
	kindSuggestionPending   Kind = "suggestion_pending"
	kindShape               Kind = "shape"
	kindFinding             Kind = "finding"
	kindMore                Kind = "more"
)

// findingKinds are the kinds of entries for findings in the new document, if there is one of their own.
var findingKinds = map[issue.Code]Kind{
	codes.RequiredCategoryMissing:             kindPlacementMissing,
	codes.ElementRequired:                     kindPlacementMissing,
	codes.InstanceCategoryTooMany:             kindTooManyPlacements,
	codes.InstanceElementTooMany:              kindTooManyPlacements,
	codes.ContextTypeMissing:                  kindContextMissing,
	codes.InstanceVariableOptionNotApplicable: kindOptionNotApplicable,
	codes.InstanceVariableValueShape:          kindVariableType,
	codes.InstanceSubchainUnknown:             kindSubchainRemoved,
	codes.InstanceElementDeprecated:           kindElementDeprecated,
}

// Errors returns the errors of the new document. If that is valid and something is left
// to do all the same, they are what is left.
func (r *Result) Errors() issue.Issues {
	errors := r.Issues.With(issue.SeverityError)
	if len(errors) > 0 {
		return errors
	}
	for i := range r.Report.Entries {
		if e := &r.Report.Entries[i]; e.Class == Cannot || e.Class == NeedsPerson {
			errors = append(errors, issue.Issue{Code: e.Code, Message: e.Message, Path: e.Path, FixHint: e.FixHint, Severity: issue.SeverityError})
		}
	}
	return errors
}
