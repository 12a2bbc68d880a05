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

// An editor asks what can be typed at the end of a document that is not complete.
func ExampleDocument_At() {
	text := `{
  "id": "chain-1",
  "elements": [
    {"element_id": "purpose.safety"},
    {"context_type_id": "low", "element_id": "sto`
	doc, err := document.ParseWith([]byte(text), &document.Options{Recover: true})
	if err != nil {
		log.Fatal(err)
	}
	at := doc.At(len(text))
	fmt.Printf("a %s at %s starts with %q\n", at.Role, at.Path, at.Prefix)
	fmt.Printf("a completion replaces %s\n", text[at.Replace.Start:at.Replace.End])
	for other := range at.Siblings() {
		fmt.Println("the object also has", other.Key())
	}
	// Output:
	// a value at elements[1].element_id starts with "sto"
	// a completion replaces "sto
	// the object also has context_type_id
}

// A comma is missing, and then a value. The rest was read, and the object with the missing value
// may have more members.
func ExampleDocument_SyntaxErrors() {
	doc, err := document.ParseWith([]byte(`{
  "id": "chain-1"
  "title": [{"locale": "en", "value": }]
}`), &document.Options{Recover: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range doc.SyntaxErrors() {
		fmt.Println(e)
	}
	text, _ := doc.Find(issue.Root.Key("title").Index(0))
	locale, _ := text.Get("locale")
	value, _ := text.Get("value")
	fmt.Println(locale.Text(), locale.Broken(), value.Broken(), text.Open())
	// Output:
	// line 3, column 3: expected a comma or '}' before a double quote
	// en false true true
}

// An editor replaces a value where it is written; every other byte stays.
func ExampleApplyEdits() {
	doc, err := document.Parse([]byte(`{"elements": [{"element_id": "device.camra"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	value, _ := doc.Find(issue.Root.Key("elements").Index(0).Key("element_id"))
	text, err := document.ApplyEdits(doc.Text(), []document.Edit{{Range: value.Range(), Text: []byte(`"device.camera"`)}})
	fmt.Println(string(text), err)
	// Output: {"elements": [{"element_id": "device.camera"}]} <nil>
}

func ExampleCanonical() {
	text, err := document.Canonical([]byte(`{ "size": 1.50, "id": "chain-1" }`))
	fmt.Println(string(text), err)
	// Output: {"id":"chain-1","size":1.5} <nil>
}
