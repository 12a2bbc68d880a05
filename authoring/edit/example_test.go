package edit_test

import (
	"fmt"
	"testing/fstest"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/taxonomy"
)

// A title is replaced where it is written; the rest of the file stays as it is.
func ExampleApply() {
	v := taxonomy.MustVersion("ai@2026-09-01-beta")
	tree := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		tree[source.Directory(v)+"/"+name] = &fstest.MapFile{Data: data}
	}

	edits, err := edit.Apply(tree, v, &edit.Changes{Set: []edit.Change{{
		Kind: source.KindElement, ID: "contact.office",
		Path: []edit.Step{{Key: "title"}, {Locale: "en"}}, Value: "Town hall",
	}}})
	if err != nil {
		panic(err)
	}
	after, err := source.Preview(tree, v, edits, nil)
	if err != nil {
		panic(err)
	}
	office, _ := after.Release.Element("contact.office")
	fmt.Println(len(edits), "file,", len(after.Issues), "issues:", office.Title.Pick("en"))
	// Output: 1 file, 0 issues: Town hall
}
