package register_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/register"
)

func Example() {
	store, err := taxonomies.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.Directory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	pages, err := explorer.New(service, &explorer.Options{Documents: reg})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	for _, d := range reg.State().Documents() {
		fmt.Printf("%s: %s\n", d.Slug, d.Title.Pick("en"))
	}
	page := httptest.NewRecorder()
	pages.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/d/mill-street-crossing?lang=en", http.NoBody))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	// Output:
	// city-library-chat: The library’s chat assistant
	// housing-benefit-check: Checking requests for housing benefit
	// library-wifi-counter: Counting visitors by Wi-Fi
	// market-square-air: Air on the market square
	// market-square-pollen: Air and pollen on the market square
	// mill-street-crossing: Cameras at the Mill Street crossing
	// norte-logistics-screening: How we sort job applications
	// 200 text/html; charset=utf-8
}

func ExampleState_Find() {
	store, err := taxonomies.Store()
	if err != nil {
		log.Fatal(err)
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := register.Directory("../examples/documents", nil)
	if err != nil {
		log.Fatal(err)
	}
	reg, err := register.New(service, []register.Origin{dir}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = reg.Close() }() // it was only read
	for _, q := range []register.Query{
		{Text: "webcam"}, // a keyword of an element that is placed
		{Values: map[register.Field][]string{register.ByType: {"ai"}}, Sort: register.ByTitle},
	} {
		state := reg.State()
		found, err := state.Find(q)
		if err != nil {
			log.Panic(err)
		}
		for _, d := range found.All() {
			fmt.Println(d.Title.Pick(state.Languages()...))
		}
	}
	// Output:
	// Cameras at the Mill Street crossing
	// Checking requests for housing benefit
	// How we sort job applications
	// The library’s chat assistant
}
