package taxonomy_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
)

// exampleStore holds one small release.
func exampleStore() taxonomy.Store {
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("ai@2026-09-01-stable"), taxonomy.Content{
		Title: en("AI"), Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "ai", Name: en("AI"), Categories: []string{"purpose"}},
		Categories: []taxonomy.Category{{ID: "purpose", Name: en("Purpose"), Shape: taxonomy.Hexagon}},
		Elements: []taxonomy.Element{{
			ID: "purpose.safety", Title: en("Safety"), CategoryID: "purpose", SymbolID: "shield",
			IconVariants: []string{taxonomy.VariantDefault, taxonomy.VariantDark},
		}},
		Symbols: map[string]string{"shield": "<svg/>"},
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
	// schema version ai@lastest: not found (known: ai@latest)
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
	// malformed schema version "ai@2026-13-01-stable": 2026-13-01 is no day of the calendar
}

// Whoever trusts a content hash can check one element without the release.
func ExampleRelease_Prove() {
	ref, _ := taxonomy.ParseRef("ai@latest")
	release, err := taxonomy.Open(context.Background(), exampleStore(), ref)
	if err != nil {
		fmt.Println(err)
		return
	}
	proof, err := release.Prove("element/purpose.safety")
	if err != nil {
		fmt.Println(err)
		return
	}
	body := release.ElementJSON("purpose.safety")
	fmt.Println(proof.Verify(release.ContentHash(), []byte(body)))

	err = proof.Verify(release.ContentHash(), []byte(`{"id":"purpose.safety"}`))
	fmt.Println(errors.Is(err, taxonomy.ErrProof))
	// Output:
	// <nil>
	// true
}

// The texts of a schema have places for what a document fills in.
func ExampleInterpolate() {
	description := "The {{role}} of {{place}} can see it."
	filled := map[string]string{"role": "caretaker"}
	fmt.Println(taxonomy.Interpolate(description, func(id string) (string, bool) {
		value, ok := filled[id]
		return value, ok
	}))
	// Where nothing is filled in yet, the label of the variable can stand there.
	fmt.Println(taxonomy.Interpolate(description, func(id string) (string, bool) { return "[" + id + "]", true }))
	// Output:
	// The caretaker of {{place}} can see it.
	// The [role] of [place] can see it.
}

func ExampleCutVariable() {
	before, id, after, found := taxonomy.CutVariable("Kept for {{time}}, then deleted.")
	fmt.Printf("%q %q %q %t\n", before, id, after, found)
	// Output: "Kept for " "time" ", then deleted." true
}
