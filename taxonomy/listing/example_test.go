package listing_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// A store that can be written keeps its index by these rules.
func Example() {
	publication := func(id, title string) listing.Publication {
		text := taxonomy.Localized{{Locale: "en", Value: title}}
		r, err := taxonomy.NewRelease(taxonomy.MustVersion(id), taxonomy.Content{Title: text, Locales: []string{"en"}, Type: taxonomy.Type{ID: "ai", Name: text}})
		if err != nil {
			log.Fatal(err)
		}
		return listing.Publication{Release: r}
	}
	index, err := listing.Add(new(taxonomy.Index), publication("ai@2026-03-01-stable", "AI"), publication("ai@2026-09-01-stable", "AI"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = listing.Add(index, publication("ai@2026-09-01-stable", "Another title"))
	fmt.Println(errors.Is(err, taxonomy.ErrStableChanged))

	old := taxonomy.MustVersion("ai@2026-03-01-stable")
	index, err = listing.SetState(index, old, taxonomy.State{Deprecated: "2026-10-01", Successor: taxonomy.MustVersion("ai@2026-09-01-stable")})
	if err != nil {
		log.Fatal(err)
	}
	index, err = listing.Remove(index, taxonomy.RetiredVersion{ID: old, At: "2026-12-01"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = index.Find(old.Ref())
	fmt.Println(err)
	// Output:
	// true
	// taxonomy: schema version ai@2026-03-01-stable: not found: it was retired on 2026-12-01; upgrade to ai@2026-09-01-stable
}
