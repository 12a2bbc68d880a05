package resolve_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// release has n elements in 20 categories.
func release(t testing.TB, n int) *taxonomy.Release {
	t.Helper()
	const categories = 20
	texts := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (français)"}, {Locale: "es", Value: s + " (español)"}}
	}
	c := taxonomy.Content{
		Title: texts("Large"), Description: texts("A large release"), Locales: []string{"en", "fr", "es"},
		Type: taxonomy.Type{ID: "large", Name: texts("Large")}, Symbols: map[string]string{"dot": "<svg/>"},
	}
	variables := []taxonomy.Variable{{ID: "retention", Label: texts("Kept for"), Required: true, Type: taxonomy.TextVariable}}
	for i := range categories {
		id := fmt.Sprintf("category-%02d", i)
		c.Type.Categories = append(c.Type.Categories, id)
		c.Categories = append(c.Categories, taxonomy.Category{
			ID: id, Name: texts("Category"), Description: texts("What elements have in common"), Shape: taxonomy.Circle, Variables: variables,
		})
	}
	sentence := texts("The system keeps what it records for {{retention}}, and gives it to nobody else unless a law demands it")
	for i := range n {
		category := c.Categories[i*categories/n].ID
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("%s.element-%06d", category, i), Title: texts(fmt.Sprintf("Element number %d", i)), Description: sentence,
			CategoryID: category, SymbolID: "dot", IconVariants: []string{"default", "dark"}, Variables: variables,
		})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("large@2026-09-01-stable"), c)
	require.NoError(t, err)
	return r
}

// written returns a document with n placements, formatted as by hand.
func written(r *taxonomy.Release, n int) string {
	elements := r.Elements()
	placements := make([]string, n)
	for i := range placements {
		placements[i] = fmt.Sprintf(`    {
      "element_id": %q,
      "label": "Number %d",
      "variables": [{"id": "retention", "value": [{"locale": "en", "value": "thirty days"}, {"locale": "fr", "value": "trente jours"}]}]
    }`, elements[i*len(elements)/n].ID, i)
	}
	return fmt.Sprintf(`{
  "id": "bench",
  "title": [{"locale": "en", "value": "A system"}],
  "schema_version": %q,
  "created_at": "2026-06-01T10:00:00Z",
  "elements": [
%s
  ]
}
`, r.Version(), strings.Join(placements, ",\n"))
}

// BenchmarkResolve resolves a document of 12 placements against releases of two
// sizes, which must not matter, and one of 100 placements, whose bundle is
// about 100 KB. The peer marshals the same values and
// canonicalizes them. Size only checks the limit.
func BenchmarkResolve(b *testing.B) {
	for _, size := range []struct{ elements, placements int }{{100, 12}, {100_000, 12}, {100, 100}} {
		r := release(b, size.elements)
		doc := parsed(b, written(r, size.placements))
		bundle, err := resolve.Resolve(r, doc, nil)
		require.NoError(b, err)
		require.Equal(b, string(naive(b, r, doc.Text())), string(bundle.AppendJSON(nil)))
		run := func(name string, work func() error) {
			b.Run(fmt.Sprintf("elements=%d/placements=%d/%s", size.elements, size.placements, name), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(bundle.Len()))
				for b.Loop() {
					if err := work(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("resolve", func() error {
			bundle, err := resolve.Resolve(r, doc, nil)
			if err != nil {
				return err
			}
			bundle.AppendJSON(nil)
			return nil
		})
		run("size", func() error {
			if bundle.Len() == 0 {
				return io.EOF
			}
			return nil
		})
		peer := peerOf(b, r, doc)
		run("marshal-and-canonicalise", func() error {
			text, err := document.MarshalCanonical(peer)
			if err == nil && len(text) != bundle.Len() {
				err = fmt.Errorf("%d bytes, not %d", len(text), bundle.Len())
			}
			return err
		})
	}
}

// peerOf is the bundle as Go values, ready to be marshalled.
func peerOf(t testing.TB, r *taxonomy.Release, doc *document.Document) *taxonomy.Resolved {
	t.Helper()
	bundle, err := resolve.Resolve(r, doc, nil)
	require.NoError(t, err)
	peer := new(taxonomy.Resolved)
	require.NoError(t, peer.UnmarshalJSON(bundle.AppendJSON(nil)))
	return peer
}
