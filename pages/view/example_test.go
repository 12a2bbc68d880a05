package view_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/view"
)

func ExampleWrite() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	document, _ := documents.Find("benefits.json")
	verdict, presentation, err := service.Present(context.Background(), document.Text)
	if err != nil || !verdict.OK() {
		panic(err)
	}
	var page bytes.Buffer
	summary, err := view.Write(&page, presentation, &view.Options{Locale: "fr-CA"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d elements in %d sections, in %s\n", summary.Elements, summary.Sections, summary.Locale)
	// Output: 13 elements in 10 sections, in fr
}

func ExamplePlaceholder() {
	var page strings.Builder
	if err := view.Placeholder(&page); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(page.String(), "<title>datachain (awaiting tool call)</title>"))
	// Output: true
}
