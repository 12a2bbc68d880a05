package upgrade_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// version returns a version with one category.
func version(id string, removed []taxonomy.Removal, elements ...taxonomy.Element) *taxonomy.Release {
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	for i := range elements {
		e := &elements[i]
		e.Title, e.Description = text(e.ID), text(e.ID)
		e.CategoryID, e.SymbolID, e.IconVariants = "surface", "dot", []string{"default", "dark"}
		for k := range e.Variables {
			e.Variables[k].Label, e.Variables[k].Type = text(e.Variables[k].ID), taxonomy.TextVariable
		}
	}
	v := taxonomy.MustVersion(id)
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: text("Trails"), Description: text("Trails"), Locales: []string{"en"}, Removed: removed,
		Type:       taxonomy.Type{ID: v.Type(), Name: text("Trail"), Categories: []string{"surface"}},
		Categories: []taxonomy.Category{{ID: "surface", Name: text("Surface"), Description: text("Surface"), Shape: taxonomy.Circle}},
		Elements:   elements, Symbols: map[string]string{"dot": "<svg/>"},
	})
	if err != nil {
		panic(err)
	}
	return r
}

func ExampleDocument() {
	from := version("trail@2026-01-01-stable", nil, taxonomy.Element{ID: "surface.gravel"}, taxonomy.Element{ID: "surface.mud"})
	to := version("trail@2026-06-01-stable",
		[]taxonomy.Removal{
			{ID: "surface.gravel", ReplacedBy: []taxonomy.Successor{{ID: "surface.loose"}}, Since: taxonomy.MustVersion("trail@2026-06-01-stable")},
			{ID: "surface.mud", Since: taxonomy.MustVersion("trail@2026-06-01-stable")},
		},
		taxonomy.Element{ID: "surface.loose", Variables: []taxonomy.Variable{{ID: "depth", Required: true}}})

	doc, err := document.Parse([]byte(`{
  "id": "north-face",
  "schema_version": "trail@2026-01-01-stable",
  "created_at": "2026-02-01T10:00Z",
  "elements": [{"element_id": "surface.gravel"}, {"element_id": "surface.mud"}]
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := upgrade.Document(doc, from, to, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n\n", result.Document.Text())
	for _, e := range result.Report.Entries {
		fmt.Printf("%s %s: %s\n", e.Class, e.Path, e.Message)
	}
	// Output:
	// {
	//   "id": "north-face",
	//   "schema_version": "trail@2026-06-01-stable",
	//   "created_at": "2026-02-01T10:00Z",
	//   "elements": [{"element_id": "surface.loose", "variables": [{"id": "depth", "value": []}]}, {"element_id": "surface.mud"}]
	// }
	//
	// done schema_version: Changed schema_version from trail@2026-01-01-stable to trail@2026-06-01-stable.
	// done elements[0].element_id: Replaced the element surface.gravel (surface.gravel) with its successor surface.loose (surface.loose).
	// needs_person elements[0].variables[0].value: Added the variable depth (depth) of surface.loose, which is now required, with an empty value.
	// cannot elements[1].element_id: The element surface.mud (surface.mud) was removed in trail@2026-06-01-stable and has no successor.
}

// A document is moved to a version of a store.
func ExampleRun() {
	store, err := memstore.New(
		listing.Publication{Release: version("trail@2026-01-01-stable", nil, taxonomy.Element{ID: "surface.gravel"})},
		listing.Publication{Release: version("trail@2026-06-01-stable", nil, taxonomy.Element{ID: "surface.gravel"}, taxonomy.Element{ID: "surface.mud"})},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	service, err := datachain.New(store, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	latest, err := service.Open(ctx, "trail@latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := upgrade.Run(ctx, latest, []byte(`{
  "id": "north-face",
  "schema_version": "trail@2026-01-01-stable",
  "created_at": "2026-02-01T10:00Z",
  "elements": [{"element_id": "surface.gravel"}]
}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.OK(), result.Report.From, result.Report.To)
	// Output: true trail@2026-01-01-stable trail@2026-06-01-stable
}

func ExampleNewer() {
	entry := func(id string) taxonomy.Entry {
		return taxonomy.Entry{ID: taxonomy.MustVersion(id), ContentHash: taxonomy.Hash{1}}
	}
	index, err := taxonomy.NewIndex([]taxonomy.Entry{entry("trail@2026-06-01-stable"), entry("trail@2026-01-01-stable")})
	if err != nil {
		fmt.Println(err)
		return
	}
	next, ok := upgrade.Newer(index, taxonomy.MustVersion("trail@2026-01-01-stable"))
	fmt.Println(next, ok)
	// Output: trail@2026-06-01-stable true
}
