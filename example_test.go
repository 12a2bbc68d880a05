package datachain_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
)

// service is over the sample taxonomies, which are in the program.
func newService() *datachain.Service {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	return service
}

func Example() {
	ctx := context.Background()
	schema, err := newService().Open(ctx, "ai@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := schema.Elements(ctx, datachain.ElementQuery{Text: "who decides", Limit: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema.Release().Version(), "has", page.Total)
	for _, e := range page.Elements {
		fmt.Println(e.ID, "-", e.Title.Pick("en"))
	}
	// Output:
	// ai@2026-11-15-stable has 15
	// decision.advised - A person decides with AI advice
	// decision.automated - The AI decides alone
}

func ExampleService_Open() {
	schema, err := newService().Open(context.Background(), "ai@latest")
	fmt.Println(schema.Release().Version(), err)

	_, err = newService().Open(context.Background(), "ai@lates")
	if failed, ok := errors.AsType[*datachain.Error](err); ok {
		fmt.Println(failed.Issue.Code, failed.Param, failed.Known)
	}
	// Output:
	// ai@2026-11-15-stable <nil>
	// not_found version [ai@latest]
}

func ExampleService_Validate() {
	text := []byte(`{
  "id": "crossing",
  "schema_version": "sensor@2026-11-15-stable",
  "created_at": "2026-06-20T09:00:00Z",
  "elements": [{"element_id": "device.camra"}]
}`)
	verdict, err := newService().Validate(context.Background(), text, &datachain.ValidateOptions{Fix: true})
	if err != nil {
		fmt.Println(err) // it could not be checked
		return
	}
	fmt.Println("valid:", verdict.OK())
	f := verdict.Findings()[0]
	fmt.Printf("%d:%d: %s\n", f.Span.Start.Line, f.Span.Start.Column, f.Code)
	fmt.Println("fixed:", verdict.Fixed.Resolved[0].Code)
	// Output:
	// valid: false
	// 5:31: INSTANCE_ELEMENT_UNKNOWN
	// fixed: INSTANCE_ELEMENT_UNKNOWN
}
