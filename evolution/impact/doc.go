// Package impact finds out what a new schema version does to existing documents:
// which become invalid, which only mean something else, by which change, and where.
//
// Package diff judges changes by all documents that could exist. A [Judge] looks at
// those that do exist:
//
//	judge := impact.New(before, after)
//	effect, err := judge.Document(doc)
//
// Validation decides whether a document becomes invalid. The changes that explain it
// are found by asking each change which placements it concerns, so that an effect
// names changes and places, not only findings.
//
// The package does no I/O and has no state.
package impact
