package storetest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Sample returns what a store holds in most clauses: several datachain types,
// beta and stable versions, declared aliases, element ids with a period, and text
// that does not survive a careless encoding. Two of the versions have the same
// content, and so the same hash. They have no lint findings, so that a store of authoring source
// can hold them, too. The result is the caller's.
func Sample() Content {
	promoted := release("ai@2026-09-01-beta", "")
	c := hold(new(taxonomy.Index),
		release("sensor@2025-01-31-stable", ""),
		promoted,
		release("ai@2026-03-01-stable", "older"),
		withVersion(promoted, "ai@2026-09-01-stable"),
		release("sensor@2026-02-28-stable", "newer"),
		release("Draft_1-x@2026-05-05-beta", ""),
	)
	c = c.edit("ai@2026-03-01-stable", func(e *taxonomy.Entry) {
		e.Aliases, e.Released = []string{"ai@v1.0", "ai@city"}, "2026-03-02"
	})
	return c.edit("sensor@2026-02-28-stable", func(e *taxonomy.Entry) { e.Aliases = []string{"sensor@v2"} })
}

// empty returns no content.
func empty() Content { return Content{Index: new(taxonomy.Index)} }

// bare returns releases without symbols.
func bare() Content {
	var releases []*taxonomy.Release
	for _, id := range []string{"ai@2026-09-01-beta", "sensor@2025-01-31-stable"} {
		v := taxonomy.MustVersion(id)
		c := content(v.Type(), "")
		c.Symbols = nil
		releases = append(releases, must(taxonomy.NewRelease(v, c)))
	}
	return hold(new(taxonomy.Index), releases...)
}

// annotated returns the sample with annotations: the states, retired versions and evolutions of an
// index. One of the types has retired versions only. No program can decode the evolutions.
func annotated() Content {
	c := Sample().edit("sensor@2025-01-31-stable", func(e *taxonomy.Entry) {
		e.State = taxonomy.State{
			Deprecated: "2026-03-01", Sunset: "2027-03-01", Successor: taxonomy.MustVersion("sensor@2026-02-28-stable"),
			Reason: "« Trop vieux »\nSee <b>&amp;</b> \"v2\" \u2028",
		}
	}).edit("ai@2026-09-01-beta", func(e *taxonomy.Entry) { e.State.Deprecated = "2026-09-02" })
	c.Index = must(c.Index.WithVersions(c.Index.Entries(), []taxonomy.RetiredVersion{
		{
			ID: taxonomy.MustVersion("ai@2025-09-01-stable"), ContentHash: taxonomy.Hash{1, 2, 3}, At: "2026-04-01",
			Successor: taxonomy.MustVersion("ai@2026-03-01-stable"), Reason: "目的 \"old\"", IDs: taxonomy.Hash{4, 5, 6},
		},
		{ID: taxonomy.MustVersion("Draft_1-x@2026-01-31-beta"), ContentHash: taxonomy.Hash{7}},
		{ID: taxonomy.MustVersion("past@2024-02-29-stable"), ContentHash: taxonomy.Hash{8}, At: "2025-01-01"},
	}))
	c.Index = c.Index.WithEvolution("ai", evolution("first"))
	c.Index = c.Index.WithEvolution("past", evolution("last"))
	return c
}

// evolution returns a text that a store must keep to the byte.
func evolution(edition string) []byte {
	return fmt.Appendf(nil, "{ \"unknown to this program\" : [1.0, 2E3, \"\\u0065 « é »\"],\r\n\t\"edition\": %q }\n", edition)
}

// unknown returns the annotated sample with a field of a later program in its index, in an entry and in a
// retired version.
func unknown() Content {
	c := annotated()
	text := must(taxonomy.EncodeIndex(c.Index))
	for _, object := range []string{`{`, `"retired":[{`, `"versions":[{`} {
		text = bytes.Replace(text, []byte(object), []byte(object+`"a_later_field":{"b":[1,null],"é":"« »"},`), 1)
	}
	c.Index = must(must(taxonomy.DecodeIndex(text)).LoadEvolutions(c.Index, nil))
	return c
}

// changedBeta returns the content with another release, and an alias, for the
// type that only has a beta.
func changedBeta(c Content) Content {
	return c.add(release(changedVersion, "changed")).
		edit(changedVersion, func(e *taxonomy.Entry) { e.Aliases = []string{"Draft_1-x@next"} })
}

// changedVersion is what changedBeta changes.
const changedVersion = "Draft_1-x@2026-05-05-beta"

// newStable returns the content and a version that takes over the aliases
// sensor@latest and sensor@v2.
func newStable(c Content) Content {
	return c.edit("sensor@2026-02-28-stable", func(e *taxonomy.Entry) { e.Aliases = nil }).
		add(release("sensor@2026-08-08-stable", "newest")).
		edit("sensor@2026-08-08-stable", func(e *taxonomy.Entry) { e.Aliases = []string{"sensor@v2"} })
}

// withoutNewest returns the content without sensor@2026-02-28-stable, so
// that sensor@latest falls back to the version before.
func withoutNewest(c Content) Content {
	return c.retire(taxonomy.RetiredVersion{ID: taxonomy.MustVersion("sensor@2026-02-28-stable"), At: "2026-10-01", Reason: "Wrong « limits »"})
}

// withoutAll returns the content after all versions were retired.
func withoutAll(c Content) Content {
	for _, r := range c.Releases {
		c = c.retire(taxonomy.RetiredVersion{ID: r.Version()})
	}
	return c
}

// hold returns the content of an index with releases in place of its versions.
func hold(x *taxonomy.Index, releases ...*taxonomy.Release) Content {
	c := Content{Index: x}
	for _, r := range releases {
		c = c.add(r)
	}
	return c
}

// add returns the content with a release, in place of one of the same version.
func (c Content) add(r *taxonomy.Release) Content {
	without := func(v taxonomy.Version) bool { return v == r.Version() }
	entries := slices.DeleteFunc(c.Index.Entries(), func(e taxonomy.Entry) bool { return without(e.ID) })
	entries = append(entries, taxonomy.Entry{ID: r.Version(), Status: r.Version().Status(), ContentHash: r.ContentHash()})
	releases := slices.DeleteFunc(slices.Clone(c.Releases), func(r *taxonomy.Release) bool { return without(r.Version()) })
	return c.with(entries, c.Index.Retired(), append(releases, r))
}

// edit returns the content with another entry of a version.
func (c Content) edit(id string, edit func(*taxonomy.Entry)) Content {
	entries := c.Index.Entries()
	edit(&entries[slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID.String() == id })])
	return c.with(entries, c.Index.Retired(), slices.Clone(c.Releases))
}

// retire returns the content after a version was retired.
func (c Content) retire(r taxonomy.RetiredVersion) Content {
	entries := c.Index.Entries()
	at := slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID == r.ID })
	r.ContentHash = entries[at].ContentHash
	releases := slices.DeleteFunc(slices.Clone(c.Releases), func(old *taxonomy.Release) bool { return old.Version() == r.ID })
	return c.with(slices.Delete(entries, at, at+1), append(c.Index.Retired(), r), releases)
}

// with returns the content with other versions, which it puts in order.
func (c Content) with(entries []taxonomy.Entry, retired []taxonomy.RetiredVersion, releases []*taxonomy.Release) Content {
	slices.SortFunc(releases, func(a, b *taxonomy.Release) int { return a.Version().Compare(b.Version()) })
	return Content{Index: must(c.Index.WithVersions(entries, retired)), Releases: releases}
}

// release returns the release of a version.
func (c Content) release(v taxonomy.Version) *taxonomy.Release {
	return c.Releases[slices.IndexFunc(c.Releases, func(r *taxonomy.Release) bool { return r.Version() == v })]
}

// release makes a small release; the edition makes its content differ.
func release(id, edition string) *taxonomy.Release {
	v := taxonomy.MustVersion(id)
	return must(taxonomy.NewRelease(v, content(v.Type(), edition)))
}

func withVersion(r *taxonomy.Release, id string) *taxonomy.Release {
	return must(r.WithVersion(taxonomy.MustVersion(id)))
}

// must returns a value. It can't fail: what is made here is always the same.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("storetest: %v", err))
	}
	return v
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
				SymbolID: "shield", Variables: variables,
			},
			{
				ID: "purpose_2", Title: text("Research"), Description: text("To learn"), CategoryID: "purpose",
				SymbolID: "Lens-2", Variables: variables, MaxPlacements: 2,
			},
		},
		Symbols: map[string]string{
			"shield": fmt.Sprintf(svg, 18),
			"Lens-2": fmt.Sprintf(svg, len(edition)),
			"_spare": fmt.Sprintf(svg, 27),
		},
	}
}
