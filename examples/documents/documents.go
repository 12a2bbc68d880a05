// Package documents holds datachains to learn from and to test with: valid ones
// for the sample taxonomies, thin and resolved, and for each code that a
// document can get a small one that gives it.
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
	// Version is the version by which it gives its code, or "" for the one
	// that it pins.
	Version string
	// Strict means that it gives its code in strict mode.
	Strict bool
}

// resolvedSuffix ends the names of resolved documents.
const resolvedSuffix = ".resolved.json"

// Resolved reports whether the document carries its own slice of a taxonomy.
// Its name says so.
func (e Example) Resolved() bool { return strings.HasSuffix(e.Name, resolvedSuffix) }

// Valid returns the valid documents by name.
func Valid() []Example {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		panic(err) // the pattern is good
	}
	examples := make([]Example, len(names))
	for i, name := range names {
		examples[i] = read(name)
	}
	return examples
}

// Find returns the valid document of a name, if there is one.
func Find(name string) (Example, bool) {
	for _, e := range Valid() {
		if e.Name == name {
			return e, true
		}
	}
	return Example{}, false
}

// Invalid returns the document that gives a code, if there is one.
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
