package lsp_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestDeprecated shows what an author sees of an element that should not be placed any
// more.
func TestDeprecated(t *testing.T) {
	store, err := memstore.New(listing.Publication{Release: trail(t)["trail@2026-07-01-beta"]})
	require.NoError(t, err)
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "memory", Changes: store.Changes}, nil
	}
	e := connect(t, lsp.New(open, nil))
	e.initialize(object{"capabilities": full, "locale": "en"})
	c := caseOf(t, "INSTANCE_ELEMENT_DEPRECATED", func(c conformanceCase) bool { return len(c.Wanted) > 0 })
	text := string(c.Document)
	e.open(chain, text)
	found := e.diagnostics(chain, 1)
	require.Len(t, found, 1)
	assert.Equal(t, "INSTANCE_ELEMENT_DEPRECATED", found[0].Code)
	assert.Equal(t, []int{2}, found[0].Tags, "struck through")

	var h struct {
		Contents struct{ Value string }
	}
	e.into(&h, "textDocument/hover", at(place(t, text, "surface.planks")))
	assert.Contains(t, h.Contents.Value, "This element is deprecated")
	assert.Contains(t, h.Contents.Value, "`surface.boardwalk` Boardwalk")

	var list struct {
		Items []struct {
			FilterText string
			Tags       []int
		}
	}
	e.into(&list, "textDocument/completion", at(place(t, text, "surface.planks")))
	require.NotEmpty(t, list.Items)
	for i, item := range list.Items {
		last := i == len(list.Items)-1
		assert.Equal(t, last, strings.Contains(item.FilterText, "surface.planks"), item.FilterText)
		assert.Equal(t, last, len(item.Tags) == 1 && item.Tags[0] == 1, item.FilterText)
	}
}

// TestDeprecatedVersion shows that an author is warned of a deprecated version, and can
// upgrade to its successor, which need not be the latest version.
func TestDeprecatedVersion(t *testing.T) {
	const old, next = "sensor@2026-06-15-stable", "sensor@2026-11-15-stable"
	samples, err := published.Store()
	require.NoError(t, err)
	index, err := samples.Index(t.Context())
	require.NoError(t, err)
	store := new(memstore.Store)
	for _, e := range index.Entries() {
		r, err := samples.Release(t.Context(), e.ID)
		require.NoError(t, err)
		require.NoError(t, store.Put(listing.Publication{Release: r}))
	}
	require.NoError(t, store.Deprecate(taxonomy.MustVersion(old), taxonomy.State{Deprecated: "2026-11-17", Successor: taxonomy.MustVersion(next)}))
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "memory", Changes: store.Changes}, nil
	}
	e := connect(t, lsp.New(open, nil))
	e.initialize(object{"capabilities": full, "locale": "en"})
	text := `{"id": "a", "schema_version": "` + old + `", "created_at": "2026-11-17T00:00:00Z", "title": [{"locale": "en", "value": "A"}], "elements": [{"element_id": "x", "priority": 0}]}`
	e.open(chain, text)
	var codes []string
	for _, d := range e.diagnostics(chain, 1) {
		if codes = append(codes, d.Code); d.Code == "SCHEMA_VERSION_DEPRECATED" {
			assert.Equal(t, []int{2}, d.Tags, "struck through")
		}
	}
	assert.Contains(t, codes, "SCHEMA_VERSION_DEPRECATED")
	var actions []struct{ Title string }
	p := at(place(t, text, old))
	e.into(&actions, "textDocument/codeAction", object{
		"textDocument": p["textDocument"], "range": object{"start": p["position"], "end": p["position"]}, "context": object{"diagnostics": []any{}},
	})
	var titles []string
	for _, a := range actions {
		titles = append(titles, a.Title)
	}
	assert.Contains(t, strings.Join(titles, "\n"), "Upgrade to "+next)
	assert.Contains(t, strings.Join(titles, "\n"), "Upgrade to sensor@2026-11-15-stable")
}
