package documents

import "github.com/datachain-go/datachain"

// Change is a difference between two editions of a document, or between two documents.
type Change struct{}

// Compare returns the changes between two editions of a document, or two documents of one
// taxonomy, in the order of the new one.
func Compare(before, after *datachain.Presentation) []Change { return nil }
