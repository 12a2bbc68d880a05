package upgrade

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
		{kindRepinned, Done, "The document pins the new version."},
		{kindElementReplaced, Done, "A removed element was replaced by its only successor."},
		{kindElementSplit, Done, "An element was replaced by several: a placement was added, or a value moved to one."},
		{kindVariableRenamed, Done, "A variable has its new id."},
		{kindOptionRenamed, Done, "An option has its new id. Two options that became one are selected once."},
		{kindContextRenamed, Done, "A context value has its new id."},
		{kindCategoryRenamed, Done, "The category of a suggested element has its new id."},
		{kindReferenceFollowed, Done, "A reference, such as an entry of head_refs, has the new id."},
		{kindInstanceIDAdded, Done, "A placement got an element_instance_id, because its element_id no longer identifies it."},
		{kindResolvedAgain, Done, "The snapshot is that of the new version."},
		{kindElementDropped, Done, "The placement of a removed element was dropped, as requested."},
		{kindVariableDropped, Done, "The entry of a removed variable was dropped, as requested or because it was empty."},
		{kindOptionDropped, Done, "A removed option was dropped, as requested."},
		{kindContextDropped, Done, "A removed context value was dropped, as requested."},
		{kindReferenceDropped, Done, "A reference to something dropped was dropped, too."},

		{kindElementReworded, Review, "The title or description of a placed element was reworded."},
		{kindVariableReworded, Review, "The label of a variable that has a value was reworded."},
		{kindOptionReworded, Review, "A selected option was reworded."},
		{kindContextReworded, Review, "The context of a placement was reworded."},
		{kindElementMerged, Review, "An element is placed more than once, because it is the successor of others."},
		{kindElementDeprecated, Review, "A placed element is deprecated."},
		{kindWrittenThin, Review, "A resolved document was written without its snapshot: it is not valid yet."},
		{kindOldVersionUnknown, Review, "The old version is not available, so what was reworded or removed is not known."},
		{kindSchemaLink, Review, "$schema still names the old version."},
		{kindCategoryRemoved, Review, "The category of a suggested element no longer exists."},

		{kindElementChoice, NeedsPerson, "A removed element has several successors to choose from."},
		{kindElementRemoved, Cannot, "A removed element has no successor."},
		{kindElementCycle, Cannot, "The successors of a removed element lead in a circle or to elements that do not exist."},
		{kindIDReused, NeedsPerson, "An id that the document uses now stands for something else (`review` if the old version lacked it already)."},
		{kindVariableRemoved, NeedsPerson, "The variable of a value no longer exists. It is kept."},
		{kindVariableClash, NeedsPerson, "A renamed variable already has a value. Both are kept."},
		{kindVariableType, NeedsPerson, "A variable is of another type than its value."},
		{kindVariableRequired, NeedsPerson, "A variable that is now required was added with an empty value."},
		{kindOptionRemoved, NeedsPerson, "A selected option no longer exists. It is kept."},
		{kindOptionNotApplicable, NeedsPerson, "A selected option does not apply to the element."},
		{kindContextRemoved, NeedsPerson, "A context value no longer exists. It is kept."},
		{kindContextMissing, NeedsPerson, "A placement has no context value (`review` if none is required)."},
		{kindPlacementMissing, NeedsPerson, "A category needs a placement, or more of them."},
		{kindTooManyPlacements, NeedsPerson, "An element or a category is placed too often."},
		{kindSubchainRemoved, NeedsPerson, "A subchain no longer exists."},
		{kindSuggestionPublished, NeedsPerson, "The version now has an element with the id of a suggested one (`review` if that is not placed)."},
		{kindSuggestionPending, NeedsPerson, "A suggested element needs a resolved document: upgrade again when the other entries are settled."},
		{kindShape, Cannot, "The document does not have the shape of a datachain, so it was not changed."},
		{kindFinding, NeedsPerson, "Another finding in the new document (`review` for warnings)."},
		{kindMore, Review, "There are more entries than listed."},
	}
}
