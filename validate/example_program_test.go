package validate_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// kiosk returns a small schema version. A program would open one from a store.
func kiosk() *taxonomy.Release {
	text := func(en string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: en}} }
	address := []taxonomy.Variable{{ID: "address", Label: text("E-mail or telephone"), Required: true, Type: taxonomy.TextVariable}}
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("kiosk@2026-04-01-stable"), taxonomy.Content{
		Title: text("Kiosks"), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "kiosk", Name: text("Kiosk"), Categories: []string{"purpose", "contact"}},
		Categories: []taxonomy.Category{
			{ID: "purpose", Name: text("Purpose"), Required: true, Shape: taxonomy.Hexagon},
			{ID: "contact", Name: text("Contact"), Variables: address, Shape: taxonomy.Circle},
		},
		Elements: []taxonomy.Element{
			{ID: "purpose.service", CategoryID: "purpose", SymbolID: "service", Title: text("Providing a service")},
			{ID: "contact.office", CategoryID: "contact", SymbolID: "letter", Title: text("Office"), Variables: address},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	return release
}

// A program parses a document, validates it, prints each issue with its line and
// column, and fixes what can be fixed.
func Example() {
	doc, err := document.Parse([]byte(`{
  "id": "ticket-kiosk",
  "schema_version": "kiosk@2026-04-01-stable",
  "created_at": "2026-06-01T10:00Z",
  "elements": [
    {"element_id": "purpose.servise"},
    {"element_id": "contact.office"}
  ]
}`))
	if err != nil {
		log.Fatal(err)
	}
	release := kiosk()
	judge := func(doc *document.Document) (*validate.Result, error) {
		return validate.Instance(release, doc, nil)
	}
	result, err := judge(doc)
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range result.Issues {
		at := validate.Mark(doc, found).Start
		fmt.Printf("%d:%d: %s\n  hint: %s\n", at.Line, at.Column, found.Message, found.FixHint)
	}

	fixed, err := validate.FixAll(doc, result, judge)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d issues fixed\n", len(fixed.Resolved), len(result.Issues))
	for line := range strings.Lines(string(fixed.Document.Text())) {
		if strings.Contains(line, "purpose") {
			fmt.Print(line)
		}
	}
	// Output:
	// 6:20: There is no element "purpose.servise" in kiosk@2026-04-01-stable.
	//   hint: write purpose.service
	// 7:5: The element contact.office requires the variable address (E-mail or telephone).
	//   hint: add {"id": "address", "value": [{"locale": "en", "value": "…"}]} to variables
	// 1 of 2 issues fixed
	//     {"element_id": "purpose.service"},
}
