package view_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// samples is a service over the sample taxonomies.
func samples(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return must(datachain.New(store, nil))
}

// sample returns a sample document.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	e, ok := documents.Find(name)
	require.True(t, ok, name)
	return e.Text
}

// withoutRoles pins the older version of a document's taxonomy, which has no roles.
func withoutRoles(document []byte) []byte {
	for _, pin := range [][2]string{{"ai@2026-11-15", "ai@2026-09-01"}, {"sensor@2026-11-15", "sensor@2026-06-15"}} {
		document = bytes.ReplaceAll(document, []byte(pin[0]), []byte(pin[1]))
	}
	return document
}

// present prepares a document to be shown.
func present(t testing.TB, s *datachain.Service, document []byte) *datachain.Presentation {
	t.Helper()
	verdict, p, err := s.Present(t.Context(), document)
	require.NoError(t, err)
	require.True(t, verdict.OK(), "%v", verdict.Errors)
	return p
}

// render writes the page of a document.
func render(t testing.TB, p *datachain.Presentation, o *view.Options) string {
	t.Helper()
	var b bytes.Buffer
	_, err := view.Write(&b, p, o)
	require.NoError(t, err)
	return b.String()
}

// parsed parses a page as a browser does.
func parsed(t testing.TB, page string) *html.Node {
	t.Helper()
	n, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	return n
}

// all returns the elements of a page that satisfy a condition.
func all(n *html.Node, want func(*html.Node) bool) []*html.Node {
	var list []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && want(d) {
			list = append(list, d)
		}
	}
	return list
}

func tag(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name }
}

func class(name string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attribute(n, "class")), name) }
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// content returns the text of an element.
func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// edited returns a document after a change to its values.
func edited(t testing.TB, document []byte, change func(map[string]any)) []byte {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(document, &v))
	change(v)
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

// mirror writes English in Arabic letters, so that right-to-left pages can be checked
// without knowing Arabic.
func mirror(s string) string {
	const from, to = "abcdefghijklmnopqrstuvwxyz", "ابثدهفغحيجكلمنوبقرستعفوخيز"
	letters := []rune(to)
	variable := false
	return strings.Map(func(r rune) rune {
		variable = variable && r != '}' || r == '{'
		if i := strings.IndexRune(from, unicode.ToLower(r)); i >= 0 && !variable {
			return letters[i]
		}
		return r
	}, s)
}

// mirrored is a service over a sample taxonomy in English and in mirrored English, with the
// locale ar.
func mirrored(t testing.TB) (*datachain.Service, []byte) {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	r, err := store.Release(t.Context(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = r.WriteTo(&b)
	require.NoError(t, err)
	var wire struct {
		Manifest   taxonomy.Manifest   `json:"manifest"`
		Type       taxonomy.Type       `json:"datachain_type"`
		Categories []taxonomy.Category `json:"categories"`
		Elements   []taxonomy.Element  `json:"elements"`
	}
	require.NoError(t, json.Unmarshal(mirrorTexts(t, b.Bytes()), &wire))
	symbols := map[string]string{}
	for _, id := range r.SymbolIDs() {
		symbols[id], _ = r.Symbol(id)
	}
	release, err := taxonomy.NewRelease(r.Version(), taxonomy.Content{
		Title: wire.Manifest.Title, Description: wire.Manifest.Description, Locales: []string{"en", "ar"},
		Type: wire.Type, Categories: wire.Categories, Elements: wire.Elements, Symbols: symbols,
	})
	require.NoError(t, err)
	mem, err := memstore.New(listing.Publication{Release: release})
	require.NoError(t, err)
	return must(datachain.New(mem, nil)), mirrorTexts(t, sample(t, "benefits.json"))
}

// mirrorTexts translates every text of a document into mirrored English.
func mirrorTexts(t testing.TB, document []byte) []byte {
	t.Helper()
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
			if len(v) > 0 {
				first, ok := v[0].(map[string]any)
				if value, isText := first["value"].(string); ok && isText && first["locale"] == "en" {
					return []any{first, map[string]any{"locale": "ar", "value": mirror(value)}}
				}
			}
		}
		return v
	}
	return edited(t, document, func(v map[string]any) { walk(v) })
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
