package history_test

import (
	"bytes"
	"fmt"
	"testing/fstest"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/taxonomy"
)

// compiled returns two versions of a small taxonomy. The second one calls the element
// contact.office contact.desk.
func compiled() (before, after *taxonomy.Release) {
	tree := fstest.MapFS{}
	for _, v := range []taxonomy.Version{taxonomy.MustVersion("ai@2026-01-01-stable"), taxonomy.MustVersion("ai@2026-06-01-stable")} {
		for name, data := range write.Starter(v) {
			if v.Date() == "2026-06-01" {
				data = bytes.ReplaceAll(data, []byte("contact.office"), []byte("contact.desk"))
			}
			tree[source.Directory(v)+"/"+name] = &fstest.MapFile{Data: data}
		}
	}
	versions, err := source.CompileAll(tree, nil)
	if err != nil {
		panic(err)
	}
	return versions.Versions[1].Release, versions.Versions[0].Release
}

// A release knows what became of an id if its evolution says so.
func ExampleOf() {
	before, after := compiled()
	evolution := &taxonomy.Evolution{Renamed: []taxonomy.Rename{
		{Kind: "element", From: "contact.office", To: "contact.desk", Since: after.Version()},
	}}

	h := history.Of(before.Version(), after.Evolved(evolution))
	fmt.Println(h.Element("contact.office").Current().ID)
	// Output: contact.desk
}

// What a new version lacks without an explanation gets one that a person can confirm.
func ExamplePropose() {
	before, after := compiled()
	for _, p := range history.Propose(before, after) {
		fmt.Printf("%s is now %s: %s\n", p.Renamed.From, p.Renamed.To, p.Because)
	}
	// Output: contact.office is now contact.desk: same title and description
}
