package history_test

import (
	"bytes"
	"context"
	"fmt"
	"testing/fstest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
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
	evolution := &history.Evolution{Renamed: []history.Rename{
		{Kind: "element", From: "contact.office", To: "contact.desk", Since: after.Version()},
	}}

	h := history.Of(before.Version(), history.With(after, evolution))
	fmt.Println(h.Element("contact.office").Current().ID)
	// Output: contact.desk
}

// A service follows removed elements by the evolution that its store has.
func ExampleFor() {
	_, after := compiled()
	store, err := memstore.New(listing.Publication{Release: after})
	if err != nil {
		panic(err)
	}
	store.Evolve("ai", []byte(`{"renamed": [{"kind": "element", "from": "contact.office", "to": "contact.desk", "since": "ai@2026-06-01-stable"}]}`))
	service, err := datachain.New(store, &datachain.Options{Lineage: history.For})
	if err != nil {
		panic(err)
	}
	schema, err := service.Open(context.Background(), "ai@latest")
	if err != nil {
		panic(err)
	}
	became, _ := schema.Release().Fate("contact.office")
	fmt.Println(became.Replacement)

	alone := history.New(after, nil)
	_, known := alone.Fate("contact.office")
	fmt.Println(known)
	// Output:
	// contact.desk
	// false
}

// What a new version lacks without an explanation gets one that a person can confirm.
func ExamplePropose() {
	before, after := compiled()
	for _, p := range history.Propose(before, after) {
		fmt.Printf("%s is now %s: %s\n", p.Renamed.From, p.Renamed.To, p.Because)
	}
	// Output: contact.office is now contact.desk: same title and description
}
