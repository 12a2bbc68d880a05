package lists_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// Elements as JSON, with the fields and the languages that a client asks for.
func ExampleAppendElements() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	if err != nil {
		panic(err)
	}
	show := lists.Projection{Fields: []string{"title"}, Locales: []string{"fr"}}
	fmt.Println(string(lists.AppendElements(nil, release, release.ElementsOf("purpose")[:2], show)))
	// Output: [{"id":"purpose.benefits","title":[{"locale":"fr","value":"Aides et autorisations"}]},{"id":"purpose.recruitment","title":[{"locale":"fr","value":"Tri des candidatures"}]}]
}
