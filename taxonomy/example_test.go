package taxonomy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// A program makes a release, publishes it as JSON, reads it back, and shows what a
// document says about a system.
func Example() {
	text := func(value string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: value}} }
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-stable"), taxonomy.Content{
		Title: text("AI systems"), Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "ai", Name: text("AI"), Categories: []string{"storage"}},
		Categories: []taxonomy.Category{{ID: "storage", Name: text("Storage"), Shape: taxonomy.Hexagon}},
		Elements: []taxonomy.Element{{
			ID: "storage.limited", Title: text("Limited storage"), Description: text("Data is kept for {{time}}."),
			CategoryID: "storage", SymbolID: "clock",
			Variables: []taxonomy.Variable{{ID: "time", Label: text("Time"), Type: taxonomy.TextVariable}},
		}},
		Symbols: map[string]string{"clock": "<svg/>"},
	})
	if err != nil {
		log.Fatal(err)
	}
	published, err := json.Marshal(release)
	if err != nil {
		log.Fatal(err)
	}
	release, err = taxonomy.DecodeRelease(published, nil) // verifies the hash
	if err != nil {
		log.Fatal(err)
	}

	doc, err := document.Parse([]byte(`{"id": "camera-7", "elements": [{"element_id": "storage.limited",
		"variables": [{"id": "time", "value": [{"locale": "en", "value": "30 days"}]}]}]}`))
	if err != nil {
		log.Fatal(err)
	}
	datachain, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		log.Fatal(err)
	}
	for _, placed := range datachain.Elements {
		element, ok := release.Element(placed.ElementID)
		if !ok {
			continue
		}
		fmt.Printf("%s: %s\n", element.Title.Pick("en"), element.FillIn(element.Description, placed.Variables, "en"))
	}
	// Output: Limited storage: Data is kept for 30 days.
}

// exampleStore has one small release.
func exampleStore() taxonomy.Store {
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-stable"), taxonomy.Content{
		Title: en("AI"), Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "ai", Name: en("AI"), Categories: []string{"purpose"}},
		Categories: []taxonomy.Category{{ID: "purpose", Name: en("Purpose"), Shape: taxonomy.Hexagon}},
		Elements:   []taxonomy.Element{{ID: "purpose.safety", Title: en("Safety"), CategoryID: "purpose", SymbolID: "shield"}},
		Symbols:    map[string]string{"shield": "<svg/>"},
	})
	if err != nil {
		panic(err)
	}
	return store{releases: []*taxonomy.Release{release}}
}

func ExampleOpen() {
	ref, err := taxonomy.ParseRef("ai@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	release, err := taxonomy.Open(context.Background(), exampleStore(), ref)
	if err != nil {
		fmt.Println(err)
		return
	}
	element, _ := release.Element("purpose.safety")
	fmt.Println(release.Version(), element.Title.Pick("fr", "en"))

	ref, _ = taxonomy.ParseRef("ai@lastest")
	_, err = taxonomy.Open(context.Background(), exampleStore(), ref)
	fmt.Println(err)
	// Output:
	// ai@2026-09-01-stable Safety
	// taxonomy: schema version ai@lastest: not found (known: ai@latest)
}

func ExampleMatchLocale() {
	locale, err := taxonomy.MatchLocale([]string{"en", "fr", "es"}, "fr-CA")
	fmt.Printf("%q %v\n", locale, err)
	locale, err = taxonomy.MatchLocale([]string{"en", "fr", "es"}, "de")
	fmt.Printf("%q %v\n", locale, err)
	_, err = taxonomy.MatchLocale([]string{"en", "fr", "es"}, "en us")
	fmt.Println(err)
	// Output:
	// "fr" <nil>
	// "" <nil>
	// taxonomy: "en us" is not a language tag: language: tag is not well-formed
}

func ExampleParseRef() {
	for _, text := range []string{"ai@2026-09-01-stable", "ai@latest", "ai@2026-13-01-stable"} {
		ref, err := taxonomy.ParseRef(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		_, canonical := ref.Version()
		fmt.Println(ref, canonical)
	}
	// Output:
	// ai@2026-09-01-stable true
	// ai@latest false
	// taxonomy: malformed schema version "ai@2026-13-01-stable": 2026-13-01 is not a valid date
}

func ExampleNewVersion() {
	v, err := taxonomy.NewVersion("ai", "2026-09-01", taxonomy.Stable)
	fmt.Println(v, err)
	v, err = taxonomy.ParseVersion("sensor@2026-02-28-beta")
	fmt.Println(v.Type(), v.Status(), err)
	_, err = taxonomy.ParseVersion("sensor@latest") // a reference: see ParseRef
	fmt.Println(err)
	// Output:
	// ai@2026-09-01-stable <nil>
	// sensor beta <nil>
	// taxonomy: malformed schema version "sensor@latest": must be <type>@<YYYY-MM-DD>-beta or <type>@<YYYY-MM-DD>-stable
}

// A server sends its index as JSON, and another program looks up a version in it.
func ExampleDecodeIndex() {
	sent, err := exampleStore().Index(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(sent)
	if err != nil {
		log.Fatal(err)
	}
	index, err := taxonomy.DecodeIndex(text)
	if err != nil {
		log.Fatal(err)
	}
	ref, err := taxonomy.ParseRef("ai@latest")
	if err != nil {
		log.Fatal(err)
	}
	entry, err := index.Find(ref)
	fmt.Println(entry.ID, entry.Status, err)

	_, err = taxonomy.DecodeIndex([]byte(`{"retired": []}`))
	fmt.Println(err)
	// Output:
	// ai@2026-09-01-stable stable <nil>
	// taxonomy: index: the list versions is missing
}
