package datachain_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/examples/documents"
)

// A presentation is a valid document with what is needed to show it. Packages view and sheet
// make pages of it; a program can also write its own.
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
	for _, point := range shown.Summary(nil).Points[:2] {
		fmt.Println(point.Category.Name.Pick("en")+":", point.Entries[0].Element.Title.Pick("en"))
	}
	// Output:
	// The library’s chat assistant
	// What it is for: Answering your questions
	// Data it uses: What you tell the service
}
