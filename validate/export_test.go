package validate

import (
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ApplyFixes makes the [Edits] of issues. It returns the new text and the issues whose
// fixes were made, in the order of the text. All other bytes stay the same.
func ApplyFixes(doc *document.Document, issues issue.Issues) ([]byte, issue.Issues) {
	edits, applied := Edits(doc, issues)
	text, err := document.ApplyEdits(doc.Text(), edits)
	if err != nil {
		panic("validate: " + err.Error()) // Edits returns none that overlap
	}
	return text, applied
}

// FormatNames returns the formats that schemas can use.
func FormatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}
