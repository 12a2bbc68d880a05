package server

import (
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Samples returns the example documents: valid ones to start from, and one for each code
// that a document can have.
func Samples() []pages.Sample {
	var list []pages.Sample
	for _, e := range documents.Valid() {
		if !e.Resolved() {
			list = append(list, pages.Sample{Name: e.Name, Text: e.Text})
		}
	}
	for _, info := range issue.Codes() {
		// Those that another version has to be named for can't be reproduced there.
		if e, ok := documents.Invalid(info.Code); ok && e.Version == "" {
			list = append(list, pages.Sample{Name: e.Name, Text: e.Text, Code: info.Code})
		}
	}
	return list
}
