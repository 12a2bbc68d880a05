package resolve_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// A program resolves a document. The bundle has everything that is needed to show and
// validate it.
func Example() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion("sensor@2026-11-15-stable"))
	if err != nil {
		log.Fatal(err)
	}
	sample, _ := documents.Find("air-station.json")
	doc, err := document.Parse(sample.Text)
	if err != nil {
		log.Fatal(err)
	}
	bundle, err := resolve.Resolve(release, doc, nil)
	if err != nil {
		log.Fatal(err)
	}
	text := bundle.AppendJSON(nil)
	fmt.Println(bundle.Len() == len(text))

	resolved, err := document.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	for field := range resolved.Root().All() {
		fmt.Println(field.Key())
	}
	// Output:
	// true
	// created_at
	// description
	// elements
	// id
	// schema_snapshot
	// schema_version
	// suggested_elements
	// title
}

// A document that is resolved with its symbols can be drawn without the release, too.
func ExampleWithSymbols() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion("sensor@2026-11-15-stable"))
	if err != nil {
		log.Fatal(err)
	}
	sample, _ := documents.Find("air-station.json")
	doc, err := document.Parse(sample.Text)
	if err != nil {
		log.Fatal(err)
	}
	bundle, err := resolve.Resolve(release, doc, nil)
	if err != nil {
		log.Fatal(err)
	}
	text, err := resolve.WithSymbols(release, bundle.AppendJSON(nil))
	if err != nil {
		log.Fatal(err)
	}
	drawn, err := document.Parse(text)
	if err != nil {
		log.Fatal(err)
	}
	symbols, _ := drawn.Root().Get("symbols")
	fmt.Println(symbols.Len() > 0)
	// Output: true
}
