// Package diff compares two versions of a schema and reports which changes
// break documents that move from the older version to the newer one.
//
// [Releases] compares the published JSON of the parts, so it covers every
// field, unknown ones included. Lists whose items have an id or a locale, and
// lists of strings, are compared item by item and not by position:
//
//	changed  element purpose.safety: title.fr
//	added    element purpose.safety: variables.contact
//	removed  category data: context.values.identified
//
// What elements inherit is reported once, for their category: a variable that
// all elements of a category get is one [Change], which has the number of
// elements.
//
// A change is breaking if some document that is valid under the older version
// is invalid under the newer one when its schema_version is changed and nothing
// else, and notable if documents stay valid but mean something else, or if those of
// older versions can no longer follow, because the newer version forgets what became
// of an id. Documents name elements, not categories: renaming a category, or moving
// elements to another one, breaks nothing unless it changes what may be placed.
//
// Each change has the id of the rule that judged it; [Rules] returns them all, and
// docs/changes.md is generated from them. A new id that the newer version declares
// with renamed_from is one change of kind [Renamed]. Package impact judges the
// documents that exist. The id, the status and the content hash of a version are not
// part of its content: a beta version that became stable has not changed.
//
// The package does no I/O and has no state.
package diff
