package resolve_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// A program resolves a document. The bundle has everything that is needed to show and
// validate it.
func Example() {
	// A program would open the release from a store.
	v := taxonomy.MustVersion("kiosk@2026-04-01-stable")
	files := fstest.MapFS{}
	for name, data := range write.Starter(v) {
		files["kiosk/2026-04-01-stable/"+name] = &fstest.MapFile{Data: data}
	}
	compiled, err := source.Compile(files, v, nil)
	if err != nil {
		log.Fatal(err)
	}

	doc, err := document.Parse([]byte(`{
		"id": "ticket-kiosk",
		"schema_version": "kiosk@2026-04-01-stable",
		"created_at": "2026-06-01T10:00Z",
		"elements": [{"element_id": "purpose.service"}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	bundle, err := resolve.Resolve(compiled.Release, doc, nil)
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
