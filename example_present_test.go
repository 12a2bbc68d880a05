package datachain_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/examples/documents"
)

// A presentation is a valid document with what is needed to show it. Packages view and sheet
// make pages of it, package summary says what matters first; a program can also write its own.
func ExampleSchema_Present() {
	ctx := context.Background()
	document, _ := documents.Find("library-chat.json")
	schema, err := newService().OpenFor(ctx, document.Text)
	if err != nil {
		panic(err)
	}
	verdict, shown, err := schema.Present(ctx, document.Text)
	if err != nil || !verdict.OK() {
		panic(fmt.Sprint(verdict, err))
	}
	fmt.Println(shown.Datachain.Title.Pick("en"))
	snapshot := shown.Datachain.SchemaSnapshot // what the document uses of its version
	fmt.Println(len(shown.Datachain.Elements), "placements in", len(snapshot.Categories), "categories")
	fmt.Println(snapshot.Elements[0].ID+":", snapshot.Elements[0].Title.Pick("en"))
	// Output:
	// The library’s chat assistant
	// 12 placements in 10 categories
	// purpose.enquiries: Answering your questions
}
