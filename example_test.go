package datachain_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/search"
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

func ExampleHTTPStatus() {
	service := newService()
	handler := func(w http.ResponseWriter, r *http.Request) {
		schema, err := service.Open(r.Context(), r.FormValue("version"))
		if err != nil {
			status, visible := datachain.HTTPStatus(err)
			http.Error(w, visible.String(), status)
			return
		}
		fmt.Fprintln(w, schema.Release().ContentHash())
	}
	response := httptest.NewRecorder()
	handler(response, httptest.NewRequest(http.MethodGet, "/?version=ai@lates", http.NoBody))
	fmt.Println(response.Code, response.Body)
	// Output:
	// 404 not_found: There is no schema version ai@lates. (use ai@latest)
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

func ExampleService_Versions() {
	index, err := newService().Versions(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range index.Entries() {
		fmt.Println(e.ID, e.Aliases)
	}
	// Output:
	// ai@2026-11-18-beta [ai@latest-beta]
	// ai@2026-11-15-stable [ai@latest]
	// ai@2026-09-01-stable []
	// sensor@2026-11-15-stable [sensor@latest]
	// sensor@2026-06-15-stable []
}

func ExampleSchema_Search() {
	ctx := context.Background()
	schema, err := newService().Open(ctx, "ai@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, index, err := schema.Search(ctx, "fr", search.Query{Text: "tri", Limit: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range result.Hits {
		fmt.Println(index.Locale(), hit.Element.ID)
	}
	// Output: fr purpose.triage
}

func ExampleSchema_Icon() {
	ctx := context.Background()
	schema, err := newService().Open(ctx, "ai@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	icon, err := schema.Icon(ctx, "decision.advised", "dark")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4s\n", icon.SVG)

	_, err = schema.Icon(ctx, "decision.advised", "purple")
	fmt.Println(err)
	// Output:
	// <svg
	// datachain: not_found: The element decision.advised has no icon variant purple. (use default, dark, person, group or thing)
}

func ExampleService_Work() {
	ctx := context.Background()
	err := newService().Work(ctx, []byte(`{"id": "crossing", "elements": [{}, {}]}`), func(w *datachain.Work) error {
		elements, _ := w.Document().Root().Get("elements")
		for i := range elements.Len() {
			if err := w.Interrupt(); err != nil { // the client left, or the CPU limit is exceeded
				return err
			}
			fmt.Println("element", i)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// element 0
	// element 1
	// <nil>
}
