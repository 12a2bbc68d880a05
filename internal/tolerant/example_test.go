package tolerant_test

import (
	"fmt"

	"github.com/datachain-go/datachain/internal/tolerant"
)

// An editor asks what can be typed at the end of a document that is not complete.
func Example() {
	text := `{
  "id": "chain-1",
  "elements": [
    {"element_id": "purpose.safety"},
    {"context_type_id": "low", "element_id": "sto`
	tree := tolerant.Parse([]byte(text))
	at := tree.At(len(text))
	fmt.Printf("a %s at %s starts with %q\n", at.Role, at.Path, at.Prefix)
	fmt.Printf("a completion replaces %s\n", text[at.Replace.Start:at.Replace.End])
	for n := range at.Siblings() {
		fmt.Println("the object also has", n.Key())
	}
	elements, _ := tree.Root().Get("elements")
	for e := range elements.All() {
		id, _ := e.Get("element_id")
		fmt.Println(e.Path(), id.Text(), id.Closed())
	}
	// Output:
	// a value at elements[1].element_id starts with "sto"
	// a completion replaces "sto
	// the object also has context_type_id
	// elements[0] purpose.safety true
	// elements[1] sto false
}

// A key is missing between two members, and the comma after it.
func ExampleTree_At() {
	text := `{"id": "chain-1", "elements": []}`
	at := tolerant.Parse([]byte(text)).At(len(`{"id": "chain-1", `) - 1)
	fmt.Println(at.Role, at.Missing.CommaBefore, at.Missing.ColonAfter, at.Missing.CommaAfter)
	// Output: key false true true
}
