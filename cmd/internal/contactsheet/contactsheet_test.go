package contactsheet_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/contactsheet"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

var update = flag.Bool("update", false, "write the golden files")

type writer func(io.Writer, *taxonomy.Release, *contactsheet.Options) error

var forms = map[string]writer{"html": contactsheet.HTML, "svg": contactsheet.SVG}

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

func write(t testing.TB, form writer, r *taxonomy.Release, o *contactsheet.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, form(&b, r, o))
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			got := write(t, form, small(t, nil), &contactsheet.Options{Locale: "fr"})
			golden := filepath.Join("testdata", "sheet."+name)
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "run the test with -update")
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestSamples checks that a sheet has every icon of a release once, with ids that are
// unique in the page.
func TestSamples(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, entry := range index.Entries() {
		r, err := store.Release(t.Context(), entry.ID)
		require.NoError(t, err)
		set := icons.NewSet(r, nil)
		for name, form := range forms {
			t.Run(name+" of "+entry.ID.String(), func(t *testing.T) {
				page := write(t, form, r, nil)
				require.Equal(t, page, write(t, form, r, &contactsheet.Options{Locale: r.Locales()[0], Icons: set}))
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
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			page := write(t, form, r, &contactsheet.Options{Locale: `en"><script>`})
			require.NotContains(t, page, "<script")
			require.NotContains(t, page, "evil.example")
			require.NotContains(t, page, "<svg onload")
			if name == "svg" {
				require.NoError(t, xml.Unmarshal([]byte(page), new(struct{})))
			}
		})
	}
}

// TestRightToLeft: the page has the direction of its language; ratios and colours are left
// to right.
func TestRightToLeft(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Locales = []string{"en", "ar"}
		c.Title = taxonomy.Localized{{Locale: "en", Value: "Bicycles"}, {Locale: "ar", Value: "دراجات"}}
	})
	page := write(t, contactsheet.HTML, r, &contactsheet.Options{Locale: "ar"})
	require.Contains(t, page, `<html lang="ar" dir="rtl">`)
	require.Contains(t, page, "<h1><bdi>دراجات</bdi></h1>")
	require.Contains(t, page, `<bdi dir="ltr">#1B62A5</bdi>, <bdi dir="ltr">6.2 : 1</bdi>`)
	require.Contains(t, write(t, contactsheet.HTML, r, nil), `<html lang="en" dir="ltr">`)
	style := page[strings.Index(page, "<style>"):strings.Index(page, "</style>")]
	require.NotRegexp(t, `(^|[^-])\b(left|right)\b|-(left|right)\b`, style, "the style sheet depends on the direction")
}

// TestContrast: a sheet shows the lowest contrast of a symbol, also of symbols with their
// own colours.
func TestContrast(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["fade"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M9 9h18v18z" fill="#FFFFFF"/></svg>`
	})
	html, picture := write(t, contactsheet.HTML, r, nil), write(t, contactsheet.SVG, r, nil)
	for label, want := range map[string]string{"default": "1.0 : 1", "dark": "21.0 : 1", "Named": "6.2 : 1", "A tag": "1.0 : 1"} {
		require.Regexp(t, "<b><bdi>"+label+`</bdi></b><small class="faint">.*<bdi dir="ltr">`+want+"</bdi></small>", html)
		require.Regexp(t, ">"+label+"</text>\n<text [^>]*>(#1B62A5, )?"+want+"</text>", picture)
	}
}

// TestIconFill: a sheet has the colours of the icons in place of the variable of symbols.
func TestIconFill(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["ring"] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" fill="currentColor" r="9"/><circle cx="18" cy="18" fill="var(--icon-fill, #fff)" r="4"/></svg>`
	})
	for name, form := range forms {
		page := write(t, form, r, nil)
		require.NotContains(t, page, "icon-fill", name)
		for _, fill := range []string{"#FFFFFF", "#000000", "#1B62A5"} {
			require.Contains(t, page, `<circle cx="18" cy="18" fill="`+fill+`" r="4"/>`, name)
		}
	}
}

// TestLongLabels: labels of the image have two lines and do not run into the next one.
func TestLongLabels(t *testing.T) {
	const label = "Names you as nobody else, and follows you wherever you go until you die"
	drawn := func(label string) string {
		return write(t, contactsheet.SVG, small(t, func(c *taxonomy.Content) {
			c.Categories[0].Context.Values[0].Label, c.Categories[0].Context.Values[1].Label = text(label, label), text(label, label)
		}), nil)
	}
	page := drawn(label)
	require.Contains(t, page, ">Names you as</text>")
	require.Contains(t, page, ">nobody else, and fo…</text>")
	require.Contains(t, page, ">"+label+"</text>", "the last one has room")
	require.Contains(t, drawn("Names nobody at all times"), ">Names nobody at all</text>")
	require.Regexp(t, ">Donaudampfschifffah</text>\n.*>rtsgesellschaft</text>", drawn("Donaudampfschifffahrtsgesellschaft"))
	require.Regexp(t, ">個人を特定できる情報を</text>\n.*>含むもの</text>", drawn("個人を特定できる情報を含むもの"))

	height := func(page string) (h int) {
		_, root, _ := strings.Cut(page, "<svg ")
		_, err := fmt.Sscanf(root, "width=\"1118\" height=\"%d\"", &h)
		require.NoError(t, err, page[:300])
		return h
	}
	require.Equal(t, height(drawn("Short"))+16, height(page))
}

// TestUnsafeSymbol: nothing is written if an icon cannot be drawn.
func TestUnsafeSymbol(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) {
		c.Symbols["ring"] = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
	})
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			err := form(&b, r, nil)
			require.ErrorContains(t, err, "symbol ring: ")
			require.Zero(t, b.Len())
		})
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrors(t *testing.T) {
	for name, form := range forms {
		require.ErrorIs(t, form(failing{}, small(t, nil), nil), io.ErrClosedPipe, name)
	}
}

func TestEmptyRelease(t *testing.T) {
	r := small(t, func(c *taxonomy.Content) { c.Elements = nil })
	for _, form := range forms {
		require.Contains(t, write(t, form, r, nil), "Bicycles")
	}
}

func ExampleHTML() {
	store, err := taxonomies.Store()
	if err != nil {
		panic(err)
	}
	ref, _ := taxonomy.ParseRef("sensor@latest")
	release, err := taxonomy.Open(context.Background(), store, ref)
	if err != nil {
		panic(err)
	}
	var page bytes.Buffer
	if err := contactsheet.HTML(&page, release, &contactsheet.Options{Locale: "es"}); err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(page.String(), "<h1"), strings.Contains(page.String(), `lang="es"`))
	// Output: true true
}
