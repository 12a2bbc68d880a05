package sheet_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view/sheet"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
)

func ExampleAppend() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		panic(err)
	}
	sample, _ := documents.Find("crossing-camera.json")
	_, shown, err := service.Present(context.Background(), sample.Text)
	if err != nil {
		panic(err)
	}
	page, err := sheet.Append(nil, &sheet.Options{Size: sheet.A4}, &sheet.Subject{
		Presentation: shown, Summary: shown.Summary(nil),
		Address: "https://register.example.org/d/crossing/", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(page), "@page{size:210mm 297mm"), strings.Contains(string(page), "As of 18 November 2026"))
	// Output: true true
}
