package storetest

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Publications returns the publications that [Run] uses: several datachain types,
// beta and stable versions, declared aliases, element ids with a period, and text
// that does not survive a careless encoding. Two of the versions have the same
// content, and so the same hash. The order is not that of an index. They have no
// lint findings, so that a store of authoring source can hold them, too. The
// result is the caller's.
func Publications() []taxonomy.Publication {
	promoted := release("ai@2026-09-01-beta", "")
	return []taxonomy.Publication{
		{Release: release("sensor@2025-01-31-stable", "")},
		{Release: promoted},
		{Release: release("ai@2026-03-01-stable", "older"), Aliases: []string{"ai@v1.0", "ai@city"}, Released: "2026-03-02"},
		{Release: withVersion(promoted, "ai@2026-09-01-stable")},
		{Release: release("sensor@2026-02-28-stable", "newer"), Aliases: []string{"sensor@v2"}},
		{Release: release("Draft_1-x@2026-05-05-beta", "")},
	}
}

// changedBeta returns the publications with other content, and an alias, for the
// type that only has a beta.
func changedBeta(pubs []taxonomy.Publication) []taxonomy.Publication {
	pubs = clone(pubs)
	pubs[5] = taxonomy.Publication{Release: release("Draft_1-x@2026-05-05-beta", "changed"), Aliases: []string{"Draft_1-x@next"}}
	return pubs
}

// newStable returns the publications and a version that takes over the aliases
// sensor@latest and sensor@v2.
func newStable(pubs []taxonomy.Publication) []taxonomy.Publication {
	pubs = clone(pubs)
	pubs[4].Aliases = nil
	return append(pubs, taxonomy.Publication{
		Release: release("sensor@2026-08-08-stable", "newest"), Aliases: []string{"sensor@v2"},
	})
}

// withoutNewest returns the publications without sensor@2026-02-28-stable, so
// that sensor@latest falls back to the version before.
func withoutNewest(pubs []taxonomy.Publication) []taxonomy.Publication {
	return slices.Delete(clone(pubs), 4, 5)
}

// clone copies publications, except the releases, which never change.
func clone(pubs []taxonomy.Publication) []taxonomy.Publication {
	pubs = slices.Clone(pubs)
	for i := range pubs {
		pubs[i].Aliases = slices.Clone(pubs[i].Aliases)
	}
	return pubs
}

// release makes a small release; the edition makes its content differ.
func release(id, edition string) *taxonomy.Release {
	v := taxonomy.MustVersion(id)
	r, err := taxonomy.NewRelease(v, content(v.Type(), edition))
	if err != nil {
		panic(fmt.Sprintf("storetest: %v", err)) // impossible: the content is always the same
	}
	return r
}

func withVersion(r *taxonomy.Release, id string) *taxonomy.Release {
	promoted, err := r.WithVersion(taxonomy.MustVersion(id))
	if err != nil {
		panic(fmt.Sprintf("storetest: %v", err)) // impossible
	}
	return promoted
}

func content(typ, edition string) taxonomy.Content {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M%d 9v18"/></svg>`
	text := func(en string) taxonomy.Localized {
		return taxonomy.Localized{
			{Locale: "en", Value: en},
			{Locale: "fr", Value: "« " + en + " » – Finalité\u00a0: œuvre"},
			{Locale: "ja", Value: "目的 𠮷野家 👩‍🔬 " + en},
		}
	}
	variants := []string{taxonomy.VariantDefault, taxonomy.VariantDark, "identified", "tag"}
	variables := []taxonomy.Variable{{ID: "who", Label: text("Who"), Type: taxonomy.TextVariable}}
	return taxonomy.Content{
		Title:       text("Test " + typ),
		Description: text("Lines\r\nand\ttabs, \"quotes\", <b>&amp;</b>, \u2028 and e\u0301 " + edition),
		Locales:     []string{"en", "fr", "ja"},
		Type: taxonomy.Type{
			ID: typ, Name: text("Type"), Categories: []string{"purpose", "empty"},
			Subchains: []taxonomy.Subchain{{ID: "main", Name: text("Main"), Categories: []string{"purpose"}}},
		},
		Categories: []taxonomy.Category{
			{
				ID: "purpose", Name: text("Purpose"), Description: text("Why?"), Shape: taxonomy.Hexagon, Variables: variables,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{
					{ID: "identified", Label: text("Identified"), Color: "#C0FFEE"},
					{ID: "tag", Label: text("Tag")},
				}},
			},
			{
				ID: "empty", Name: text("Empty"), Description: text("Nothing"), Shape: taxonomy.RoundedSquare,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			},
		},
		Elements: []taxonomy.Element{
			{
				ID: "purpose.safety", Title: text("Safety"), Description: text("For {{who}} " + edition), CategoryID: "purpose",
				SymbolID: "shield", IconVariants: variants, Variables: variables,
			},
			{
				ID: "purpose_2", Title: text("Research"), Description: text("To learn"), CategoryID: "purpose",
				SymbolID: "Lens-2", IconVariants: variants, Variables: variables, MaxPlacements: 2,
			},
		},
		Symbols: map[string]string{
			"shield": fmt.Sprintf(svg, 18),
			"Lens-2": fmt.Sprintf(svg, len(edition)),
			"_spare": fmt.Sprintf(svg, 27),
		},
	}
}
