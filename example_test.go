package datachain_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

// service is over the sample taxonomies, which are in the program.
func service() *datachain.Service {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	return datachain.New(store, nil)
}

func Example() {
	ctx := context.Background()
	page, err := service().Elements(ctx, "ai@latest", datachain.ElementQuery{Text: "who decides", Limit: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Release.Version(), "has", page.Total)
	for _, e := range page.Elements {
		fmt.Println(e.ID, "-", e.Title.Pick("en"))
	}
	// Output:
	// ai@2026-09-01-stable has 9
	// decision.advised - A person decides with AI advice
	// decision.automated - The AI decides alone
}

func ExampleService_Element() {
	release, element, err := service().Element(context.Background(), "ai@latest", "purpose.triage")
	fmt.Println(release.Version(), element.Title.Pick("fr"), err)

	_, _, err = service().Element(context.Background(), "ai@lates", "purpose.triage")
	if failed, ok := errors.AsType[*datachain.Error](err); ok {
		fmt.Println(failed.Issue.Code, failed.Issue.FixHint)
	}
	// Output:
	// ai@2026-09-01-stable Tri médical <nil>
	// not_found use ai@latest
}

func ExampleService_Validate() {
	document := []byte(`{
		"id": "crossing",
		"schema_version": "sensor@2026-06-15-stable",
		"created_at": "2026-06-20T09:00:00Z",
		"elements": [{"element_id": "device.camra"}]
	}`)
	verdict, err := service().Validate(context.Background(), "sensor@latest", document)
	if err != nil {
		fmt.Println(err) // we could not check
		return
	}
	fmt.Println(verdict.OK())
	fmt.Println(verdict.Errors[0])
	// Output:
	// false
	// error INSTANCE_ELEMENT_UNKNOWN at elements[0].element_id: There is no element "device.camra" in sensor@2026-06-15-stable. (write device.camera)
}

func ExampleProjection() {
	_, element, err := service().Element(context.Background(), "sensor@latest", "device.camera")
	if err != nil {
		fmt.Println(err)
		return
	}
	release, err := service().Release(context.Background(), "sensor@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	show := datachain.Projection{Fields: []string{"title"}, Locales: []string{"fr"}}
	fmt.Printf("%s\n", show.Append(nil, release.ElementJSON(element.ID)))
	// Output:
	// {"id":"device.camera","title":[{"locale":"fr","value":"Caméra"}]}
}
