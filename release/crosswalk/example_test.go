package crosswalk_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/release/crosswalk"
)

// What a taxonomy says about an article of a law, and what a document says about all of them.
func Example() {
	ctx := context.Background()
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	document, _ := documents.Find("library-chat.json")
	_, shown, err := service.Present(ctx, document.Text)
	if err != nil {
		panic(err)
	}
	mapped, err := crosswalk.Mappings(shown.Release, "eu-ai-act", "Art. 26")
	if err != nil {
		panic(err)
	}
	for _, m := range mapped {
		fmt.Println(m.ID, m.Relation, m.Title.Pick("en"))
	}
	scheme, _ := shown.Release.Manifest().Scheme("eu-ai-act")
	act := crosswalk.Of(shown.Release, shown.Datachain, scheme, "en")
	fmt.Println("The document says something about", act.Covered(), "of", len(act.Entries), "entries.")
	// Output:
	// Art. 26 related Organisation that uses it
	// The document says something about 13 of 24 entries.
}
