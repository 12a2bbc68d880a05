package contactsheet_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/contactsheet"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
)

func text(en, fr string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: "en", Value: en}, {Locale: "fr", Value: fr}}
}

// small returns a release of two categories, one of them empty.
func small(t testing.TB, edit func(*taxonomy.Content)) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Content{
		Title: text("Bicycles", "Vélos"), Locales: []string{"en", "fr"},
		Symbols: map[string]string{
			"ring": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor"><circle cx="18" cy="18" r="6"/></svg>`,
			"fade": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><linearGradient id="i1"><stop stop-color="currentColor"/></linearGradient><path d="M9 9h18v18z" fill="url(#i1)"/></svg>`,
		},
		Type: taxonomy.Type{ID: "bikes", Categories: []string{"data", "empty"}},
		Categories: []taxonomy.Category{
			{
				ID: "data", Name: text("Data", "Données"), Description: text("What it records.", "Ce qu’il enregistre."), Shape: taxonomy.Hexagon,
				Context: taxonomy.Context{Name: text("How far it names you", "À quel point il vous nomme"), Values: []taxonomy.ContextValue{
					{ID: "named", Color: "#1B62A5", Label: text("Named", "Nommé")}, {ID: "tag", Label: text("A tag", "Une étiquette")},
				}},
			},
			{ID: "empty", Name: text("Nothing", "Rien"), Shape: taxonomy.Circle},
		},
	}
	variants := c.Categories[0].IconVariants()
	c.Elements = []taxonomy.Element{
		{ID: "data.place", Title: text("Places", "Lieux"), CategoryID: "data", SymbolID: "ring", IconVariants: variants},
		{ID: "data.trip", Title: text("Trips", "Trajets"), CategoryID: "data", SymbolID: "fade", IconVariants: variants},
	}
	if edit != nil {
		edit(&c)
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("bikes@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

func sheet(t testing.TB, r *taxonomy.Release, locale string) string {
	t.Helper()
	page, err := contactsheet.HTML(r, locale)
	require.NoError(t, err)
	return string(page)
}

func TestGolden(t *testing.T) {
	goldentest.File(t, filepath.Join("testdata", "sheet.html"), sheet(t, small(t, nil), "fr"))
}

// TestSamples checks that a sheet has every icon of a release once, with ids that are
// unique in the page.
func TestSamples(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, entry := range index.Entries() {
		r, err := store.Release(t.Context(), entry.ID)
		require.NoError(t, err)
		set := must(icons.NewSet(r, nil))
		t.Run(entry.ID.String(), func(t *testing.T) {
			page := sheet(t, r, "")
			require.Equal(t, page, sheet(t, r, r.Locales()[0]))
			for _, e := range r.Elements() {
				require.Contains(t, page, e.ID)
				for _, variant := range e.IconVariants {
					svg, err := set.Icon(e.ID, variant)
					require.NoError(t, err)
					require.Equal(t, 1, strings.Count(page, string(svg)), "%s as %s", e.ID, variant)
				}
			}
			requireUniqueIDs(t, page)
		})
	}
}

// requireUniqueIDs parses a page leniently and checks its ids.
func requireUniqueIDs(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	ids, references := map[string]bool{}, []string{}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "id":
					require.False(t, ids[a.Value], "duplicate id %s", a.Value)
					ids[a.Value] = true
				case "href":
					references = append(references, strings.TrimPrefix(a.Value, "#"))
				}
			}
		}
	}
	require.NotEmpty(t, references)
	for _, id := range references {
		require.True(t, ids[id], id)
	}
}

// TestHostileTexts has names with markup.
func TestHostileTexts(t *testing.T) {
	const attack = "\"'></style></title><script>alert(1)</script><svg onload=alert(1)>&bogus;\x00\uFFFE"
	hostile := taxonomy.Localized{{Locale: "en", Value: attack}}
	r := small(t, func(c *taxonomy.Content) {
		c.Title = hostile
		c.Categories[0].Name, c.Categories[0].Description, c.Categories[0].Context.Name = hostile, hostile, hostile
		c.Categories[0].Context.Values[0].Label, c.Categories[0].Context.Values[0].Color = hostile, `#000;} body{background:url(//evil.example)`
		c.Elements[0].Title = hostile
	})
	page := sheet(t, r, `en"><script>`)
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "evil.example")
	require.NotContains(t, page, "<svg onload")
}

// TestRightToLeft: the page has the direction of its language; ratios and colours are left
// to right.
func TestRightToLeft(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Locales = []string{"en", "ar"}
		c.Title = taxonomy.Localized{{Locale: "en", Value: "Bicycles"}, {Locale: "ar", Value: "دراجات"}}
	})
	page := sheet(t, r, "ar")
	require.Contains(t, page, `<html lang="ar" dir="rtl">`)
	require.Contains(t, page, "<h1><bdi>دراجات</bdi></h1>")
	require.Contains(t, page, `<bdi dir="ltr">#1B62A5</bdi>, <bdi dir="ltr">6.2 : 1</bdi>`)
	require.Contains(t, sheet(t, r, ""), `<html lang="en" dir="ltr">`)
	style := page[strings.Index(page, "<style>"):strings.Index(page, "</style>")]
	require.NotRegexp(t, `(^|[^-])\b(left|right)\b|-(left|right)\b`, style, "the style sheet depends on the direction")
}

// TestContrast: a sheet shows the lowest contrast of a symbol, also of symbols with their
// own colours.
func TestContrast(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["fade"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 9h18v18z" fill="#FFFFFF"/></svg>`
	})
	page := sheet(t, r, "")
	for label, want := range map[string]string{"default": "1.0 : 1", "dark": "21.0 : 1", "Named": "6.2 : 1", "A tag": "1.0 : 1"} {
		require.Regexp(t, "<b><bdi>"+label+`</bdi></b><small class="faint">.*<bdi dir="ltr">`+want+"</bdi></small>", page)
	}
}

// TestIconFill: a sheet has the colours of the icons in place of the variable of symbols.
func TestIconFill(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["ring"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" fill="currentColor" r="9"/><circle cx="18" cy="18" fill="var(--icon-fill, #fff)" r="4"/></svg>`
	})
	page := sheet(t, r, "")
	require.NotContains(t, page, "icon-fill")
	for _, fill := range []string{"#FFFFFF", "#000000", "#1B62A5"} {
		require.Contains(t, page, `<circle cx="18" cy="18" fill="`+fill+`" r="4"/>`)
	}
}

// TestUnsafeSymbol: there is no page if an icon cannot be drawn.
func TestUnsafeSymbol(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["ring"] = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
	})
	page, err := contactsheet.HTML(r, "")
	require.ErrorContains(t, err, "symbol ring: ")
	require.Empty(t, page)
}

func TestEmptyRelease(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) { c.Elements = nil })
	require.Contains(t, sheet(t, r, ""), "Bicycles")
}

func ExampleHTML() {
	store, err := published.Store()
	if err != nil {
		panic(err)
	}
	ref, _ := taxonomy.ParseRef("sensor@latest")
	release, err := taxonomy.Open(context.Background(), store, ref)
	if err != nil {
		panic(err)
	}
	page, err := contactsheet.HTML(release, "es")
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(page), "<h1"), strings.Contains(string(page), `lang="es"`))
	// Output: true true
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
