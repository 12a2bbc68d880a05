package sheet_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
)

func ExampleAppend() {
	store, err := published.Store()
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
		Presentation: shown, Summary: summary.Of(shown.Datachain, shown.Release, nil),
		Address: "https://register.example.org/d/crossing/", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(page), "@page{size:210mm 297mm"), strings.Contains(string(page), "As of 18 November 2026"))
	// Output: true true
}

// A program that draws signs itself, such as package sign, gets what they say.
func ExampleNewContent() {
	store, err := published.Store()
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
	content, err := sheet.NewContent(&sheet.Subject{
		Presentation: shown, Summary: summary.Of(shown.Datachain, shown.Release, nil),
		Address: "https://register.example.org/d/crossing/", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
	}, &sheet.Options{Size: sheet.A4})
	if err != nil {
		panic(err)
	}
	fmt.Println(content.Languages[0].Title)
	purpose := content.Points[0].Texts[0] // in the first language
	fmt.Printf("%s: %s\n", purpose.Name, purpose.Strong)
	fmt.Println(content.Address)
	// Output:
	// Cameras at the Mill Street crossing
	// What it is for: Two cameras count cars, bicycles and people, so that the traffic lights change in time.
	// register.example.org/d/crossing
}
