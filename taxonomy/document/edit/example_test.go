package edit_test

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

// A program changes a document as its author would: what it does not touch stays as it is.
func ExampleNew() {
	doc, err := document.Parse([]byte(`{
  "id": "camera-7",
  "elements": [
    {"element_id": "purpose.safety"}
  ]
}`))
	if err != nil {
		panic(err)
	}
	editor := edit.New(doc)
	id, _ := doc.Root().Get("id")
	editor.Replace(id, []byte(`"camera-8"`))
	elements, _ := doc.Root().Get("elements")
	editor.Add(elements, "", []byte(`{"element_id": "data.images"}`))
	text, err := document.ApplyEdits(doc.Text(), editor.Edits())
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "id": "camera-8",
	//   "elements": [
	//     {"element_id": "purpose.safety"},
	//     {"element_id": "data.images"}
	//   ]
	// }
}
