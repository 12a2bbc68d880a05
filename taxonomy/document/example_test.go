package document_test

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func ExampleParse() {
	doc, err := document.Parse([]byte(`{
  "id": "chain-1",
  "elements": [{"element_id": "purpose.safety"}]
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	path, _ := issue.ParsePath("elements[0].element_id")
	value, _ := doc.Find(path)
	at := doc.Point(value.Range().Start)
	fmt.Printf("%s at line %d, column %d\n", value.Text(), at.Line, at.Column)

	_, err = document.Parse([]byte(`{"id": "a", "id": "b"}`))
	fmt.Println(err)
	// Output:
	// purpose.safety at line 3, column 31
	// line 1, column 13: the key "id" stands twice in one object
}
