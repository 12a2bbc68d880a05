package search_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// exampleRelease opens the sample taxonomy of sensors.
func exampleRelease() *taxonomy.Release {
	store, err := samples()
	if err != nil {
		log.Fatal(err)
	}
	ref, err := taxonomy.ParseRef("sensor@latest")
	if err != nil {
		log.Fatal(err)
	}
	release, err := taxonomy.Open(context.Background(), store, ref)
	if err != nil {
		log.Fatal(err)
	}
	return release
}

func ExampleIndex_Search() {
	index, err := search.Build(exampleRelease(), "en")
	if err != nil {
		log.Fatal(err)
	}
	// A typo and an unfinished word.
	result, err := index.Search(search.Query{Text: "weahter stat", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.Element.ID, hit.Element.Title.Pick("en"))
	}
	// Output: device.station Air and weather station
}

func ExampleIndex_Search_filter() {
	index, err := search.Build(exampleRelease(), "es")
	if err != nil {
		log.Fatal(err)
	}
	result, err := index.Search(search.Query{Text: "cámara", Categories: []string{"device"}, Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Hits[0].Element.ID, result.Hits[0].Element.Title.Pick("es"))
	// Output: device.camera Cámara
}

func ExampleIndex_Places() {
	index, err := search.Build(exampleRelease(), "en")
	if err != nil {
		log.Fatal(err)
	}
	query := search.Query{Text: "air stat"}
	result, err := index.Search(query)
	if err != nil {
		log.Fatal(err)
	}
	best := result.Hits[0].Element
	title, _ := best.Title.Get(index.Locale())
	for _, p := range index.Places(best, query) {
		if p.Field == search.Title {
			fmt.Printf("%d-%d %s\n", p.Start, p.End, title[p.Start:p.End])
		}
	}
	// Output:
	// 0-3 Air
	// 16-23 station
}

// Texts other than elements are searched like them, with synonyms of a program's own.
func ExampleBuildTexts() {
	index := search.BuildTexts([]search.Item{
		{Title: "Opening hours", Body: []string{"The library is open until eight."}},
		{Title: "Bicycles", Body: []string{"Where to park them."}, Keywords: []string{"cycling"}},
	}, "en", [][]string{{"bicycle", "bike"}})
	result, err := index.Search(search.Query{Text: "bike"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.Position)
	}
	// Output: 1
}
