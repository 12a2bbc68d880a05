package diff_test

import (
	"fmt"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// The report shows what a new version means for documents of the old one.
func ExampleReleases() {
	release := func(version, title string, most int) *taxonomy.Release {
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), taxonomy.Content{
			Locales: []string{"en"},
			Type:    taxonomy.Type{ID: "ai", Categories: []string{"purpose"}},
			Categories: []taxonomy.Category{{
				ID: "purpose", Shape: taxonomy.Hexagon, Cardinality: taxonomy.Cardinality{Max: most},
			}},
			Elements: []taxonomy.Element{{
				ID: "purpose.safety", CategoryID: "purpose", SymbolID: "shield",
				Title: taxonomy.Localized{{Locale: "en", Value: title}},
			}},
			Symbols: map[string]string{"shield": "<svg/>"},
		})
		if err != nil {
			panic(err)
		}
		return r
	}
	report := diff.Releases(
		release("ai@2026-03-01-stable", "Safety", 0),
		release("ai@2026-09-01-beta", "Public safety", 1),
	)
	for _, c := range report.Changes {
		fmt.Println(c)
	}
	fmt.Println(len(report.With(diff.Breaking)), "of", len(report.Changes), "break documents")
	// Output:
	// added category purpose: cardinality.max (breaking: the maximum number of placements of its elements is now 1 (before: no limit))
	// changed element purpose.safety: title.en (notable: placements of the element now say something else)
	// 1 of 2 break documents
}
