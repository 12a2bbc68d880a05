// Package documents provides datachains for learning and testing: valid thin and
// resolved documents of the sample taxonomies, and an invalid document for each
// code that validation can report.
package documents

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed *.json invalid/*.json
var files embed.FS

// Example is a document.
type Example struct {
	// Name is the name of its file.
	Name string
	Text []byte
	// Version is the version to validate against to get the code, or "" for
	// the one that the document pins.
	Version string
	// Strict means that strict mode is needed to get the code.
	Strict bool
}

// resolvedSuffix is the end of the names of resolved documents.
const resolvedSuffix = ".resolved.json"

// Resolved reports whether the document is a resolved one.
func (e Example) Resolved() bool { return strings.HasSuffix(e.Name, resolvedSuffix) }

// Valid returns the valid documents by name.
func Valid() []Example {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		panic(err) // the pattern is valid
	}
	examples := make([]Example, len(names))
	for i, name := range names {
		examples[i] = read(name)
	}
	return examples
}

// Find returns the valid document with the given name.
func Find(name string) (Example, bool) {
	for _, e := range Valid() {
		if e.Name == name {
			return e, true
		}
	}
	return Example{}, false
}

// Invalid returns the document for which validation reports a code.
func Invalid(code issue.Code) (Example, bool) {
	name := "invalid/" + string(code) + ".json"
	if _, err := fs.Stat(files, name); err != nil {
		return Example{}, false
	}
	e := read(name)
	switch code {
	case issue.CodeSchemaVersionMismatch:
		e.Version = "ai@latest-beta"
	case issue.CodeUnknownField, issue.CodeUnknownProvenanceKind:
		e.Strict = true
	}
	return e, true
}

func read(name string) Example {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return Example{Name: path.Base(name), Text: text}
}
