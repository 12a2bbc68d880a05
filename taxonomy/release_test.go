package taxonomy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestReleaseLookups(t *testing.T) {
	r, want := release(t), content()
	require.Equal(t, beta, r.Version())
	require.Equal(t, want.Locales, r.Locales())
	require.Equal(t, beta, r.Manifest().ID)
	require.Equal(t, taxonomy.Beta, r.Manifest().Status)
	require.Equal(t, want.Title, r.Manifest().Title)
	require.Equal(t, want.Type.Categories, r.Type().Categories)
	require.Equal(t, []string{"camera", "shield", "unused"}, r.SymbolIDs())

	require.Len(t, r.Categories(), len(want.Categories))
	for i, c := range r.Categories() {
		found, ok := r.Category(c.ID)
		require.True(t, ok)
		require.Same(t, c, found)
		require.Equal(t, want.Categories[i].ID, c.ID)
	}
	require.Len(t, r.Elements(), len(want.Elements))
	for i, e := range r.Elements() {
		found, ok := r.Element(e.ID)
		require.True(t, ok)
		require.Same(t, e, found)
		if want.Elements[i].Variables == nil {
			want.Elements[i].Variables = []taxonomy.Variable{} // as in JSON
		}
		require.Empty(t, cmp.Diff(want.Elements[i], *e))
	}
	symbol, ok := r.Symbol("camera")
	require.True(t, ok)
	require.Equal(t, svg, symbol)

	_, ok = r.Category("nope")
	require.False(t, ok)
	_, ok = r.Element("purpose")
	require.False(t, ok)
	_, ok = r.Symbol("nope")
	require.False(t, ok)
	require.Empty(t, r.CategoryJSON("nope"))
	require.Empty(t, r.ElementJSON("nope"))

	element, _ := r.Element("purpose.safety")
	variable, ok := element.Variable("method")
	require.True(t, ok)
	require.Equal(t, taxonomy.SelectVariable, variable.Type)
	_, ok = element.Variable("nope")
	require.False(t, ok)
	category, _ := r.Category("data")
	value, ok := category.Context.Value("tagged")
	require.True(t, ok)
	require.Equal(t, "tagged", value.ID)
	_, ok = category.Context.Value("default")
	require.False(t, ok)
	require.Equal(t, []string{"default", "dark", "anonymous", "tagged"}, category.IconVariants())
}

func TestElementsOf(t *testing.T) {
	r := release(t)
	for category, want := range map[string][]string{
		"before": nil, "purpose": {"purpose.safety", "purpose.comfort"}, "between": nil, "data": {"image"}, "after": nil, "nope": nil,
	} {
		var got []string
		for _, e := range r.ElementsOf(category) {
			got = append(got, e.ID)
		}
		require.Equal(t, want, got, category)
	}
	purpose := r.ElementsOf("purpose")
	require.Equal(t, len(purpose), cap(purpose), "appending must not reach the next category")

	large := largeRelease(t, 57)
	total := 0
	for _, c := range large.Categories() {
		for _, e := range large.ElementsOf(c.ID) {
			require.Equal(t, c.ID, e.CategoryID)
			require.Same(t, large.Elements()[total], e)
			total++
		}
	}
	require.Equal(t, 57, total)
}

func TestReleaseJSON(t *testing.T) {
	r := release(t)
	text := releaseJSON(t, r)
	canonical, err := document.Canonical(text)
	require.NoError(t, err)
	require.Equal(t, string(canonical), string(text))

	var wire map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &wire))
	require.Len(t, wire, 4)
	require.Equal(t, r.ManifestJSON(), string(wire["manifest"]))
	require.Equal(t, r.TypeJSON(), string(wire["datachain_type"]))
	var elements, categories []json.RawMessage
	require.NoError(t, json.Unmarshal(wire["elements"], &elements))
	require.NoError(t, json.Unmarshal(wire["categories"], &categories))
	for i, e := range r.Elements() {
		require.Equal(t, r.ElementJSON(e.ID), string(elements[i]))
	}
	for i, c := range r.Categories() {
		require.Equal(t, r.CategoryJSON(c.ID), string(categories[i]))
	}
	// The required fields, and no field with its default.
	require.JSONEq(t, `{"context":{"values":[]},"description":[{"locale":"en","value":"b"}],"id":"before",`+
		`"name":[{"locale":"en","value":"Before"}],"shape":"octagon"}`, r.CategoryJSON("before"))
	require.JSONEq(t, `{"category_id":"data","description":[{"locale":"en","value":"Pictures"}],`+
		`"icon_variants":["default","dark","anonymous","tagged"],"id":"image","symbol_id":"camera",`+
		"\"title\":[{\"locale\":\"en\",\"value\":\"Image \\\"raw\\\" \u2028 😀\"}],\"variables\":[]}", r.ElementJSON("image"))
}

func TestReleaseWithoutElements(t *testing.T) {
	r, err := taxonomy.NewRelease(beta, taxonomy.Content{Locales: []string{"en"}, Type: taxonomy.Type{ID: "ai"}})
	require.NoError(t, err)
	require.JSONEq(t, `{"categories":[],"datachain_type":{"id":"ai","name":[],"categories":[],"subchains":[]},"elements":[],"manifest":`+
		r.ManifestJSON()+`}`, string(releaseJSON(t, r)))
	again, err := taxonomy.DecodeRelease(releaseJSON(t, r), nil)
	require.NoError(t, err)
	require.Equal(t, r.ContentHash(), again.ContentHash())
}

type brokenWriter struct{ room int }

var errFull = errors.New("full")

func (b *brokenWriter) Write(p []byte) (int, error) {
	n := min(len(p), b.room)
	b.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestWriteToReportsErrors(t *testing.T) {
	r := release(t)
	whole, err := r.MarshalJSON()
	require.NoError(t, err)
	for room := range whole {
		n, err := r.WriteTo(&brokenWriter{room: room})
		require.ErrorIs(t, err, errFull)
		require.Equal(t, int64(room), n)
	}
	n, err := r.WriteTo(&brokenWriter{room: len(whole)})
	require.NoError(t, err)
	require.Equal(t, int64(len(whole)), n)
}

// TestReleaseMarshal decodes what a release is encoded as, also by programs that indent and escape it.
func TestReleaseMarshal(t *testing.T) {
	without := content()
	without.Symbols = nil
	bare, err := taxonomy.NewRelease(beta, without)
	require.NoError(t, err)
	for name, r := range map[string]*taxonomy.Release{"symbols": release(t), "no symbols": bare} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(map[string]*taxonomy.Release{"release": r})
			require.NoError(t, err)
			var parts map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(text, &parts))
			var indented bytes.Buffer
			require.NoError(t, json.Indent(&indented, parts["release"], "", "  "))
			again, err := taxonomy.DecodeRelease(indented.Bytes(), nil)
			require.NoError(t, err)
			require.Equal(t, r.ContentHash(), again.ContentHash())
			require.Equal(t, r.SymbolIDs(), again.SymbolIDs())
			for _, id := range r.SymbolIDs() {
				want, _ := r.Symbol(id)
				got, _ := again.Symbol(id)
				require.Equal(t, want, got)
			}
			var members map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(parts["release"], &members))
			require.Len(t, members, 5, "manifest, datachain_type, categories, elements and symbols")
		})
	}
}

func TestPromotion(t *testing.T) {
	// Decoded from JSON with unknown fields, one of them inside a text, without
	// an optional field, and in another formatting.
	text := resign(t, `{"manifest":{"x":[1],"id":"ai@2026-09-01-beta","status":"beta","content_hash":"",
		"title":[{"locale":"en","value":"T","dir":"ltr"}],"locales":["en"]},
		"datachain_type":{"id":"ai","name":[],"categories":[],"subchains":[]},"categories":[],"elements":[]}`, nil)
	decoded, err := taxonomy.DecodeRelease(text, nil)
	require.NoError(t, err)
	for _, r := range []*taxonomy.Release{release(t), decoded} {
		before := string(releaseJSON(t, r))
		stable := taxonomy.MustVersion("ai@2026-12-24-stable")
		promoted, err := r.WithVersion(stable)
		require.NoError(t, err)
		require.Equal(t, stable, promoted.Version())
		require.Equal(t, stable, promoted.Manifest().ID)
		require.Equal(t, taxonomy.Stable, promoted.Manifest().Status)
		require.Equal(t, r.ContentHash(), promoted.ContentHash())
		after := string(releaseJSON(t, promoted))
		want := strings.NewReplacer(`"status":"beta"`, `"status":"stable"`, beta.String(), stable.String()).Replace(before)
		require.Equal(t, want, after, "nothing else changes")
		require.Equal(t, before, string(releaseJSON(t, r)), "the old release stays")

		again, err := taxonomy.DecodeRelease([]byte(after), symbols(r))
		require.NoError(t, err)
		require.Equal(t, promoted.ContentHash(), again.ContentHash())
	}
	for _, v := range []taxonomy.Version{taxonomy.MustVersion("sensor@2026-12-24-stable"), {}} {
		_, err := release(t).WithVersion(v)
		var bad *taxonomy.ReleaseError
		require.ErrorAs(t, err, &bad)
		require.ErrorContains(t, err, "another datachain type")
	}
}

// A release does not share memory with its content.
func TestReleaseIsImmutable(t *testing.T) {
	c := content()
	r, err := taxonomy.NewRelease(beta, c)
	require.NoError(t, err)
	want := string(releaseJSON(t, r))
	c.Symbols["shield"] = "changed"
	c.Symbols["new"] = "new"
	c.Elements[0].Title[0].Value = "changed"
	c.Categories[1].Extra["x_category"][0] = '!'
	c.Type.Categories[0] = "changed"
	c.Locales[0] = "changed"
	require.Equal(t, want, string(releaseJSON(t, r)))
	require.Equal(t, release(t).Elements(), r.Elements())
	require.Equal(t, release(t).Categories(), r.Categories())
	require.Equal(t, symbols(release(t)), symbols(r))
	require.Equal(t, []string{"en", "fr", "es"}, r.Locales())

	text, given := []byte(want), symbols(r)
	decoded, err := taxonomy.DecodeRelease(text, given)
	require.NoError(t, err)
	clear(text)
	clear(given)
	require.Equal(t, want, string(releaseJSON(t, decoded)))
	require.Equal(t, r.Elements(), decoded.Elements())
	require.Equal(t, symbols(r), symbols(decoded))
}

func TestReleaseConcurrently(t *testing.T) {
	r := largeRelease(t, 600)
	text, given := releaseJSON(t, r), symbols(r)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 20 {
				id := r.Elements()[(g*31+i*7)%600].ID
				if _, ok := r.Element(id); !ok {
					t.Errorf("%s is missing", id)
				}
				if ids, err := r.SortIDs([]string{id, id}); err != nil || len(ids) != 1 {
					t.Errorf("sorting %s: %v", id, err)
				}
				if _, err := r.WriteTo(io.Discard); err != nil {
					t.Error(err)
				}
				_ = r.ElementsOf("category-01")
			}
			if promoted, err := r.WithVersion(taxonomy.MustVersion("ai@2027-01-01-stable")); err != nil || promoted.ContentHash() != r.ContentHash() {
				t.Error(err)
			}
			again, err := taxonomy.DecodeRelease(text, given)
			if err != nil || again.ContentHash() != r.ContentHash() {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestReleaseErrorText(t *testing.T) {
	for want, err := range map[string]*taxonomy.ReleaseError{
		"release: broken": {Reason: "broken"},
		"release ai@2026-09-01-beta: elements[3].id: broken": {
			Version: "ai@2026-09-01-beta", Path: issue.Root.Key("elements").Index(3).Key("id"), Reason: "broken",
		},
	} {
		require.EqualError(t, err, want)
	}
	require.ErrorIs(t, &taxonomy.ReleaseError{Err: io.EOF}, io.EOF)
}

// resign sets the content hash of a release.json.
func resign(t testing.TB, text string, symbols map[string]string) []byte {
	t.Helper()
	signed, err := signed([]byte(text), symbols)
	require.NoError(t, err)
	return signed
}

// signed sets the content hash of a release.json that is valid otherwise. The error of
// DecodeRelease names the hash.
func signed(text []byte, symbols map[string]string) ([]byte, error) {
	blank := regexpHash.ReplaceAll(text, []byte(`"content_hash":"sha256-`+strings.Repeat("0", 64)+`"`))
	_, err := taxonomy.DecodeRelease(blank, symbols)
	if !errors.Is(err, taxonomy.ErrHashMismatch) {
		return nil, err
	}
	_, hash, _ := strings.Cut(err.Error(), "the content has ")
	return bytes.ReplaceAll(blank, []byte("sha256-"+strings.Repeat("0", 64)), []byte(hash)), nil
}

func TestSortIDs(t *testing.T) {
	r := release(t)
	for name, c := range map[string]struct{ ids, sorted []string }{
		"none":                 {nil, []string{}},
		"one":                  {[]string{"image"}, []string{"image"}},
		"one, twice":           {[]string{"image", "image"}, []string{"image"}},
		"two of one category":  {[]string{"purpose.comfort", "purpose.safety"}, []string{"purpose.safety", "purpose.comfort"}},
		"all, in any order":    {[]string{"image", "purpose.comfort", "image", "purpose.safety"}, []string{"purpose.safety", "purpose.comfort", "image"}},
		"from both categories": {[]string{"image", "purpose.comfort"}, []string{"purpose.comfort", "image"}},
	} {
		t.Run(name, func(t *testing.T) {
			sorted, err := r.SortIDs(c.ids)
			require.NoError(t, err)
			require.Equal(t, c.sorted, sorted)
		})
	}
}

func TestSortUnknownIDs(t *testing.T) {
	_, err := release(t).SortIDs([]string{"image", "imagine"})
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.EqualError(t, err, `taxonomy: release ai@2026-09-01-beta: element "imagine": not found`)
}

func TestShapes(t *testing.T) {
	require.Equal(t, []taxonomy.Shape{"circle", "hexagon", "octagon", "rounded-square"}, taxonomy.Shapes())
}
