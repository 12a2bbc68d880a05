package diff_test

import (
	"context"
	"fmt"
	"os"

	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// example returns a version with one element, of which documents can place so many.
func example(version, title string, most int) *taxonomy.Release {
	en := func(value string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: value}} }
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), taxonomy.Content{
		Title: en("AI systems"), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "ai", Categories: []string{"purpose"}},
		Categories: []taxonomy.Category{{
			ID: "purpose", Name: en("Purpose"), Shape: taxonomy.Hexagon, Cardinality: taxonomy.Cardinality{Max: most},
		}},
		Elements: []taxonomy.Element{{ID: "purpose.safety", Title: en(title), CategoryID: "purpose", SymbolID: "shield"}},
		Symbols:  map[string]string{"shield": "<svg/>"},
	})
	if err != nil {
		panic(err)
	}
	return r
}

// The report shows what a new version means for documents of the old one.
func ExampleReleases() {
	report := diff.Releases(example("ai@2026-03-01-stable", "Safety", 0), example("ai@2026-09-01-beta", "Public safety", 1))
	for _, c := range report.Changes {
		fmt.Println(c)
	}
	fmt.Println(len(report.With(diff.Breaking)), "of", len(report.Changes), "break documents")
	// Output:
	// added category purpose: cardinality.max (breaking: the maximum number of placements of its elements is now 1 (before: no limit))
	// changed element purpose.safety: title.en (notable: placements of the element now say something else)
	// 1 of 2 break documents
}

// The changes as release notes.
func ExampleNewSet() {
	before, after := example("ai@2026-03-01-stable", "Safety", 0), example("ai@2026-09-01-beta", "Public safety", 1)
	set := diff.NewSet(before, after, diff.Releases(before, after))
	if err := set.WriteNotes(context.Background(), os.Stdout, nil); err != nil {
		panic(err)
	}
	// Output:
	// # AI systems: ai@2026-09-01-beta
	//
	// Changes since ai@2026-03-01-stable.
	//
	// ## Breaking changes
	//
	// Documents that change their `schema_version` and nothing else can become invalid. Use `datachain upgrade` to move them.
	//
	// ### Purpose (`purpose`)
	//
	// - Added: `cardinality.max`: 1. The maximum number of placements of its elements is now 1 (before: no limit). `category-maximum-lowered`
	//
	// ## Notable changes
	//
	// Documents stay valid, but mean something else, or those of older versions can no longer follow.
	//
	// ### Purpose (`purpose`)
	//
	// - Changed: Public safety (`purpose.safety`): `title.en`: ~~Safety~~ **Public safety**. `element-reworded`
}
