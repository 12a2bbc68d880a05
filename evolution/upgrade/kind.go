package upgrade

import "github.com/datachain-go/datachain/taxonomy/issue"

// Kind is the kind of an [Entry]. Its values are stable.
type Kind string

// What was done.
const (
	KindRepinned          Kind = "repinned"
	KindElementReplaced   Kind = "element_replaced"
	KindVariableRenamed   Kind = "variable_renamed"
	KindOptionRenamed     Kind = "option_renamed"
	KindContextRenamed    Kind = "context_renamed"
	KindCategoryRenamed   Kind = "category_renamed"
	KindReferenceFollowed Kind = "reference_followed"
	KindInstanceIDAdded   Kind = "instance_id_added"
	KindResolvedAgain     Kind = "resolved_again"
	KindElementDropped    Kind = "element_dropped"
	KindVariableDropped   Kind = "variable_dropped"
	KindOptionDropped     Kind = "option_dropped"
	KindContextDropped    Kind = "context_dropped"
	KindReferenceDropped  Kind = "reference_dropped"
)

// What is worth a look.
const (
	KindElementReworded   Kind = "element_reworded"
	KindVariableReworded  Kind = "variable_reworded"
	KindOptionReworded    Kind = "option_reworded"
	KindContextReworded   Kind = "context_reworded"
	KindElementMerged     Kind = "element_merged"
	KindElementDeprecated Kind = "element_deprecated"
	KindWrittenThin       Kind = "written_thin"
	KindOldVersionUnknown Kind = "old_version_unknown"
	KindSchemaLink        Kind = "schema_link"
)

// What a person has to do.
const (
	KindElementChoice       Kind = "element_choice"
	KindElementRemoved      Kind = "element_removed"
	KindElementCycle        Kind = "element_cycle"
	KindVariableRemoved     Kind = "variable_removed"
	KindVariableClash       Kind = "variable_clash"
	KindVariableType        Kind = "variable_type"
	KindVariableRequired    Kind = "variable_required"
	KindOptionRemoved       Kind = "option_removed"
	KindOptionNotApplicable Kind = "option_not_applicable"
	KindContextRemoved      Kind = "context_removed"
	KindContextMissing      Kind = "context_missing"
	KindPlacementMissing    Kind = "placement_missing"
	KindTooManyPlacements   Kind = "too_many_placements"
	KindSubchainRemoved     Kind = "subchain_removed"
	KindCategoryRemoved     Kind = "category_removed"
	KindSuggestionPublished Kind = "suggestion_published"
	KindSuggestionPending   Kind = "suggestion_pending"
	KindShape               Kind = "shape"
	KindFinding             Kind = "finding"
	KindMore                Kind = "more"
)

// KindInfo describes a [Kind].
type KindInfo struct {
	Kind Kind
	// Class is the usual class of its entries.
	Class Class
	// Doc says what an entry of the kind means.
	Doc string
}

// Kinds returns all kinds: what was done, what is worth a look, and what is left to do.
func Kinds() []KindInfo {
	return []KindInfo{
		{KindRepinned, Done, "The document pins the new version."},
		{KindElementReplaced, Done, "A removed element was replaced with its only successor."},
		{KindVariableRenamed, Done, "A variable has its new id."},
		{KindOptionRenamed, Done, "An option has its new id. Two options that became one are selected once."},
		{KindContextRenamed, Done, "A context value has its new id."},
		{KindCategoryRenamed, Done, "The category of a suggested element has its new id."},
		{KindReferenceFollowed, Done, "A key of the provenance or an entry of head_refs has the new id of what it refers to."},
		{KindInstanceIDAdded, Done, "A placement got an element_instance_id, because its element_id no longer identifies it."},
		{KindResolvedAgain, Done, "The snapshot is that of the new version."},
		{KindElementDropped, Done, "The placement of a removed element was dropped, as requested."},
		{KindVariableDropped, Done, "The entry of a removed variable was dropped, as requested or because it has no value."},
		{KindOptionDropped, Done, "A removed option was dropped, as requested."},
		{KindContextDropped, Done, "A removed context value was dropped, as requested."},
		{KindReferenceDropped, Done, "What referred to something that was dropped was dropped with it."},

		{KindElementReworded, Review, "The title or description of a placed element was reworded."},
		{KindVariableReworded, Review, "The label of a variable that has a value was reworded."},
		{KindOptionReworded, Review, "A selected option was reworded."},
		{KindContextReworded, Review, "The context of a placement was reworded."},
		{KindElementMerged, Review, "An element is placed more than once, because it is the successor of others."},
		{KindElementDeprecated, Review, "A placed element is deprecated."},
		{KindWrittenThin, Review, "A resolved document was written without its snapshot, because it is not valid yet."},
		{KindOldVersionUnknown, Review, "The old version is not available, so what was reworded or removed is not known."},
		{KindSchemaLink, Review, "$schema still names the old version."},
		{KindCategoryRemoved, Review, "The category of a suggested element no longer exists."},

		{KindElementChoice, NeedsPerson, "A removed element has several successors to choose from."},
		{KindElementRemoved, Cannot, "A removed element has no successor."},
		{KindElementCycle, Cannot, "The successors of a removed element lead in a circle or to elements that do not exist."},
		{KindVariableRemoved, NeedsPerson, "A value has no variable any more. It is kept."},
		{KindVariableClash, NeedsPerson, "A renamed variable already has a value. Both are kept."},
		{KindVariableType, NeedsPerson, "A variable is of another type than its value."},
		{KindVariableRequired, NeedsPerson, "A variable that is now required was added with an empty value."},
		{KindOptionRemoved, NeedsPerson, "A selected option no longer exists. It is kept."},
		{KindOptionNotApplicable, NeedsPerson, "A selected option does not apply to the element."},
		{KindContextRemoved, NeedsPerson, "A context value no longer exists. It is kept."},
		{KindContextMissing, NeedsPerson, "A placement has no context value. This is to be reviewed if none is required."},
		{KindPlacementMissing, NeedsPerson, "A category needs a placement, or more of them."},
		{KindTooManyPlacements, NeedsPerson, "An element or a category is placed too often."},
		{KindSubchainRemoved, NeedsPerson, "A subchain no longer exists."},
		{KindSuggestionPublished, NeedsPerson, "The version now has an element with the id of a suggested one. This is to be reviewed if the element is not placed."},
		{KindSuggestionPending, NeedsPerson, "A suggested element is placed, which needs a resolved document. Upgrade again when the other entries are settled."},
		{KindShape, Cannot, "The document does not have the shape of a datachain, so it was not changed."},
		{KindFinding, NeedsPerson, "Another finding of validating the new document. Warnings are to be reviewed."},
		{KindMore, Review, "There are more entries than listed."},
	}
}

// kindOf returns the kind of an entry for a finding in the new document.
func kindOf(code issue.Code) Kind {
	switch code {
	case issue.CodeRequiredCategoryMissing, issue.CodeElementRequired:
		return KindPlacementMissing
	case issue.CodeInstanceCategoryTooMany, issue.CodeInstanceElementTooMany:
		return KindTooManyPlacements
	case issue.CodeContextTypeMissing:
		return KindContextMissing
	case issue.CodeInstanceVariableOptionNotApplicable:
		return KindOptionNotApplicable
	case issue.CodeInstanceVariableValueShape:
		return KindVariableType
	case issue.CodeInstanceSubchainUnknown:
		return KindSubchainRemoved
	case issue.CodeInstanceElementDeprecated:
		return KindElementDeprecated
	}
	return KindFinding
}

// classOf returns the class of an entry for a finding.
func classOf(s issue.Severity) Class {
	if s == issue.SeverityError {
		return NeedsPerson
	}
	return Review
}
