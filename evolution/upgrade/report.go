package upgrade

import (
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Class says who has to do something about an [Entry].
type Class string

// The classes, from the most serious to the least.
const (
	// Cannot is what has no solution in the new version, such as an element that
	// was removed without a successor.
	Cannot Class = "cannot"
	// NeedsPerson is what makes the document invalid until a person decides or
	// fills in something.
	NeedsPerson Class = "needs_person"
	// Review is what is valid but worth a look, such as a reworded element.
	Review Class = "review"
	// Done is a change that was made.
	Done Class = "done"
)

// classes returns the classes, from the most serious to the least.
func classes() []Class { return []Class{Cannot, NeedsPerson, Review, Done} }

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
	Entries []Entry `json:"entries"`
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

// Entry is one thing that was done, or that is left to do.
type Entry struct {
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

// Kind is the kind of an [Entry]. Its values are stable.
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

// kindInfo describes a [Kind].
type kindInfo struct {
	Kind Kind
	// Class is the usual class of its entries.
	Class Class
	// Doc says what an entry of the kind means.
	Doc string
}

// kinds returns all kinds: what was done, what is worth a look, and what is left to do.
func kinds() []kindInfo {
	return []kindInfo{
		{kindRepinned, Done, "The document pins the new version."},
		{kindElementReplaced, Done, "A removed element was replaced with its only successor."},
		{kindElementSplit, Done, "An element was replaced with several that take its place together: a placement was added, or a value moved to one."},
		{kindVariableRenamed, Done, "A variable has its new id."},
		{kindOptionRenamed, Done, "An option has its new id. Two options that became one are selected once."},
		{kindContextRenamed, Done, "A context value has its new id."},
		{kindCategoryRenamed, Done, "The category of a suggested element has its new id."},
		{kindReferenceFollowed, Done, "A key of the provenance or an entry of head_refs has the new id of what it refers to."},
		{kindInstanceIDAdded, Done, "A placement got an element_instance_id, because its element_id no longer identifies it."},
		{kindResolvedAgain, Done, "The snapshot is that of the new version."},
		{kindElementDropped, Done, "The placement of a removed element was dropped, as requested."},
		{kindVariableDropped, Done, "The entry of a removed variable was dropped, as requested or because it has no value."},
		{kindOptionDropped, Done, "A removed option was dropped, as requested."},
		{kindContextDropped, Done, "A removed context value was dropped, as requested."},
		{kindReferenceDropped, Done, "What referred to something that was dropped was dropped with it."},

		{kindElementReworded, Review, "The title or description of a placed element was reworded."},
		{kindVariableReworded, Review, "The label of a variable that has a value was reworded."},
		{kindOptionReworded, Review, "A selected option was reworded."},
		{kindContextReworded, Review, "The context of a placement was reworded."},
		{kindElementMerged, Review, "An element is placed more than once, because it is the successor of others."},
		{kindElementDeprecated, Review, "A placed element is deprecated."},
		{kindWrittenThin, Review, "A resolved document was written without its snapshot, because it is not valid yet."},
		{kindOldVersionUnknown, Review, "The old version is not available, so what was reworded or removed is not known."},
		{kindSchemaLink, Review, "$schema still names the old version."},
		{kindCategoryRemoved, Review, "The category of a suggested element no longer exists."},

		{kindElementChoice, NeedsPerson, "A removed element has several successors to choose from."},
		{kindElementRemoved, Cannot, "A removed element has no successor."},
		{kindElementCycle, Cannot, "The successors of a removed element lead in a circle or to elements that do not exist."},
		{kindIDReused, NeedsPerson, "An id that the document uses was removed or renamed since, and now stands for something else. Review it if the old version lacks the id already."},
		{kindVariableRemoved, NeedsPerson, "A value has no variable any more. It is kept."},
		{kindVariableClash, NeedsPerson, "A renamed variable already has a value. Both are kept."},
		{kindVariableType, NeedsPerson, "A variable is of another type than its value."},
		{kindVariableRequired, NeedsPerson, "A variable that is now required was added with an empty value."},
		{kindOptionRemoved, NeedsPerson, "A selected option no longer exists. It is kept."},
		{kindOptionNotApplicable, NeedsPerson, "A selected option does not apply to the element."},
		{kindContextRemoved, NeedsPerson, "A context value no longer exists. It is kept."},
		{kindContextMissing, NeedsPerson, "A placement has no context value. Review it if none is required."},
		{kindPlacementMissing, NeedsPerson, "A category needs a placement, or more of them."},
		{kindTooManyPlacements, NeedsPerson, "An element or a category is placed too often."},
		{kindSubchainRemoved, NeedsPerson, "A subchain no longer exists."},
		{kindSuggestionPublished, NeedsPerson, "The version now has an element with the id of a suggested one. Review it if the element is not placed."},
		{kindSuggestionPending, NeedsPerson, "A suggested element is placed, which needs a resolved document. Upgrade again when the other entries are settled."},
		{kindShape, Cannot, "The document does not have the shape of a datachain, so it was not changed."},
		{kindFinding, NeedsPerson, "Another finding in the new document. Review warnings."},
		{kindMore, Review, "There are more entries than listed."},
	}
}

// kindOf returns the kind of an entry for a finding in the new document.
func kindOf(code issue.Code) Kind {
	switch code {
	case codes.RequiredCategoryMissing, codes.ElementRequired:
		return kindPlacementMissing
	case codes.InstanceCategoryTooMany, codes.InstanceElementTooMany:
		return kindTooManyPlacements
	case codes.ContextTypeMissing:
		return kindContextMissing
	case codes.InstanceVariableOptionNotApplicable:
		return kindOptionNotApplicable
	case codes.InstanceVariableValueShape:
		return kindVariableType
	case codes.InstanceSubchainUnknown:
		return kindSubchainRemoved
	case codes.InstanceElementDeprecated:
		return kindElementDeprecated
	}
	return kindFinding
}

// classOf returns the class of an entry for a finding.
func classOf(s issue.Severity) Class {
	if s == issue.SeverityError {
		return NeedsPerson
	}
	return Review
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
