// Package documents provides sample datachains: valid ones for the sample taxonomies,
// thin and resolved, and an invalid one for each code of documents.
package documents

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed *.json _invalid/*.json
var files embed.FS

// Example is a document.
type Example struct {
	// Name is the name of its file.
	Name string
	Text []byte
	// Version is the version to validate it against, or "" for the version that
	// it pins.
	Version string
	// Strict is set if its code is reported in strict mode only.
	Strict bool
}

// Resolved reports whether the document is resolved, which its name says.
func (e Example) Resolved() bool { return strings.HasSuffix(e.Name, ".resolved.json") }

// Valid returns the valid documents, sorted by name.
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

// Find returns the valid document with the name.
func Find(name string) (Example, bool) {
	examples := Valid()
	i := slices.IndexFunc(examples, func(e Example) bool { return e.Name == name })
	if i < 0 {
		return Example{}, false
	}
	return examples[i], true
}

// Invalid returns the document for a code, if there is one.
func Invalid(code issue.Code) (Example, bool) {
	name := "_invalid/" + string(code) + ".json"
	if _, err := fs.Stat(files, name); err != nil {
		return Example{}, false
	}
	e := read(name)
	switch code {
	case "schema_version_mismatch":
		e.Version = "ai@latest-beta"
	case "unknown_field", "unknown_provenance_kind":
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
