// Package diff tells a steward what changed between two versions of a schema,
// and what that means for the documents pinned to the older one.
//
// [Releases] compares the published JSON of the parts, so every field counts,
// unknown ones included. Lists whose items have an id or a locale, and lists of
// plain words, are compared item by item and not by position:
//
//	changed  element purpose.safety: title.fr
//	added    element purpose.safety: variables.contact
//	removed  category data: context.values.identified
//
// What elements inherit is reported once, at their category: a variable that
// all elements of a category get is one [Change], which says how many elements
// have it.
//
// Some changes break documents that move to the new version; each such rule is
// an entry of the list in rule.go. The id, the status and the content hash of a
// version are its name and no content: a beta that became stable has not changed.
//
// The package does no I/O, and keeps no state.
package diff
