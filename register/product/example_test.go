package product_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register/product"
)

// A town starts from the description of a supplier, fills in what only the town knows, and takes over
// what the supplier changes later.
func Example() {
	store, err := published.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	const supplied = `{
  "id": "counter",
  "title": [{"locale": "en", "value": "Visitor counter"}],
  "schema_version": "ai@2026-11-15-stable",
  "created_at": "2026-09-01T09:00:00Z",
  "instance_version": "1",
  "register": {"product": {"supplier": {"name": "Trail Counters"}, "open": ["rights", "purpose", "decision", "input_data"]}},
  "elements": [
    {"element_id": "accountable.operator", "variables": [{"id": "organisation", "value": []}, {"id": "contact", "value": []}]},
    {"element_id": "technique.vision", "label": "Counts shapes"}
  ]
}`
	ctx := context.Background()
	first, found, err := product.Read(ctx, service, []byte(supplied))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("mistakes:", len(found))

	text, err := product.Start(first, &product.StartOptions{ID: "library-counter", Now: time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)})
	if err != nil {
		log.Fatal(err)
	}
	filled := strings.Replace(string(text), `"value": []`, `"value": [{"locale": "en", "value": "Town of Lindenau"}]`, 1)

	changed := strings.NewReplacer(`"1"`, `"2"`, "Counts shapes", "Counts shapes of people").Replace(supplied)
	next, _, err := product.Read(ctx, service, []byte(changed))
	if err != nil {
		log.Fatal(err)
	}
	merged, err := product.Run(ctx, service, first, next, []byte(filled), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range merged.Report.Entries {
		if e.Unit != "" {
			fmt.Println(e.Class, e.Unit, e.Message)
		}
	}
	base, _ := product.Base(merged.Document)
	fmt.Println("based on version", base.Version, "of", base.Supplier.Name.Pick("en"))
	// Output:
	// mistakes: 0
	// done technique.vision/label Counts shapes → Counts shapes of people
	// based on version 2 of Trail Counters
}
