package document_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// A program reads a document, finds a value in it, and prints where it is. A text
// that is not strict JSON gives an error with a position.
func Example() {
	doc, err := document.Parse([]byte(`{
  "id": "chain-1",
  "elements": [{"element_id": "purpose.safety"}]
}`))
	if err != nil {
		log.Fatal(err)
	}
	path := issue.Root.Key("elements").Index(0).Key("element_id")
	if value, ok := doc.Find(path); ok {
		at := doc.Locate(path).Value.Start
		fmt.Printf("%s: %s at line %d, column %d\n", path, value.Text(), at.Line, at.Column)
	}
	fmt.Printf("%s\n", doc.Root().AppendCanonical(nil))

	_, err = document.Parse([]byte(`{"id": "a", "id": "b"}`))
	if syntax, ok := errors.AsType[*document.SyntaxError](err); ok {
		fmt.Printf("%d:%d: %s\n", syntax.Point.Line, syntax.Point.Column, syntax.Reason)
	}
	// Output:
	// elements[0].element_id: purpose.safety at line 3, column 31
	// {"elements":[{"element_id":"purpose.safety"}],"id":"chain-1"}
	// 1:13: the key "id" appears twice in one object
}

// A program that answers requests ends parsing with them.
func ExampleParseWith() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // the client left
	_, err := document.ParseWith([]byte(`{"id": "chain-1"}`), &document.Options{Interrupt: ctx.Err})
	fmt.Println(err)
	// Output: context canceled
}
