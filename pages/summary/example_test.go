package summary_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// The points of a document, and the words that it has for one of them.
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
	short := summary.Of(shown.Datachain, shown.Release, nil)
	for _, point := range short.Points[:2] {
		fmt.Println(point.Category.Name.Pick("en")+":", point.Entries[0].Element.Title.Pick("en"))
	}
	rights, _ := short.Point(taxonomy.RoleRights)
	fmt.Println(rights.Entries[0].Contact.Pick("en"))

	entries, _ := summary.Entries(shown.Datachain, shown.Release, nil)
	fmt.Println(len(entries), "placements")
	// Output:
	// What it is for: Answering your questions
	// Data it uses: What you tell the service
	// write “person” in the chat
	// 12 placements
}
