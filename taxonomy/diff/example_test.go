package diff_test

import (
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/diff"
)

// The report shows what a new version means for documents of the old one.
func ExampleReleases() {
	release := func(version, title string, required bool) *taxonomy.Release {
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), taxonomy.Content{
			Locales: []string{"en"},
			Type:    taxonomy.Type{ID: "ai", Categories: []string{"purpose"}},
			Categories: []taxonomy.Category{{
				ID: "purpose", Shape: taxonomy.Hexagon, Required: required,
			}},
			Elements: []taxonomy.Element{{
				ID: "purpose.safety", CategoryID: "purpose", SymbolID: "shield",
				Title:        taxonomy.Localized{{Locale: "en", Value: title}},
				IconVariants: []string{"default", "dark"},
			}},
			Symbols: map[string]string{"shield": "<svg/>"},
		})
		if err != nil {
			panic(err)
		}
		return r
	}
	report := diff.Releases(
		release("ai@2026-03-01-stable", "Safety", false),
		release("ai@2026-09-01-beta", "Public safety", true),
	)
	for _, c := range report.Changes {
		fmt.Println(c)
	}
	fmt.Println(len(report.Breaking()), "of", len(report.Changes), "break documents")
	// Output:
	// added category purpose: required (breaking: the minimum number of placements of its elements is now 1 (before: 0))
	// changed element purpose.safety: title.en
	// 1 of 2 break documents
}
