package tools_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/release/tools"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// release returns a version with some schemes, to which a category and an element are mapped.
func release(t *testing.T, schemes ...string) *taxonomy.Release {
	t.Helper()
	text := func(s string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: "en", Value: s}, {Locale: "fr", Value: s + " (fr)"}}
	}
	content := taxonomy.Content{
		Title: text("Kiosks"), Description: text("Kiosks"), Locales: []string{"en", "fr"},
		Type:       taxonomy.Type{ID: "kiosk", Name: text("Kiosk"), Categories: []string{"data"}},
		Categories: []taxonomy.Category{{ID: "data", Name: text("Data"), Description: text("Data"), Shape: taxonomy.Circle}},
		Elements:   []taxonomy.Element{{ID: "data.card", Title: text("Card number"), Description: text("Card number"), CategoryID: "data", SymbolID: "dot", IconVariants: []string{"default", "dark"}}},
		Symbols:    map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="4"/></svg>`},
	}
	for _, id := range schemes {
		content.Schemes = append(content.Schemes, taxonomy.Scheme{ID: id, Title: text(id)})
		content.Categories[0].Mappings = append(content.Categories[0].Mappings, taxonomy.Mapping{Scheme: id, ID: "Art. 13", Relation: "broad", Note: text("In part.")})
		content.Elements[0].Mappings = append(content.Elements[0].Mappings, taxonomy.Mapping{Scheme: id, ID: "Art. 5", Relation: "close"})
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion("kiosk@2026-02-03-stable"), content)
	require.NoError(t, err)
	return r
}

// answer is the envelope of a call.
type answer struct {
	OK   bool
	Data json.RawMessage
	Meta struct {
		Version  string
		Warnings []struct {
			Message string
			Hint    string `json:"fix_hint"`
		}
	}
}

// list calls the tool.
func list(t *testing.T, r *taxonomy.Release, arguments string) (a answer) {
	t.Helper()
	store, err := memstore.New(listing.Publication{Release: r, Aliases: []string{"kiosk@latest"}})
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	server, err := mcp.New(service, &mcp.Options{Tools: tools.New()})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_mappings","arguments":` + arguments + `}}`
	server.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body)))
	var got struct {
		Result struct{ StructuredContent json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), w.Body.String())
	require.NoError(t, json.Unmarshal(got.Result.StructuredContent, &a), w.Body.String())
	return a
}

func TestMappings(t *testing.T) {
	r := release(t, "law")
	a := list(t, r, `{"version":"kiosk@latest","scheme":"law","locales":["fr"]}`)
	require.True(t, a.OK)
	assert.Equal(t, "kiosk@2026-02-03-stable", a.Meta.Version)
	assert.Empty(t, a.Meta.Warnings)
	assert.JSONEq(t, `{"version":"kiosk@2026-02-03-stable","mappings":[
		{"scheme":"law","id":"Art. 5","relation":"close","element_id":"data.card","title":[{"locale":"fr","value":"Card number (fr)"}]},
		{"scheme":"law","id":"Art. 13","relation":"broad","note":[{"locale":"fr","value":"In part. (fr)"}],"category_id":"data","title":[{"locale":"fr","value":"Data (fr)"}]}]}`, string(a.Data))
	all := list(t, release(t, "law", "rule"), `{"version":"kiosk@latest"}`)
	assert.Equal(t, 4, strings.Count(string(all.Data), `"relation"`))
}

func TestUnknownScheme(t *testing.T) {
	for hint, schemes := range map[string][]string{"use law or rule": {"law", "rule"}, "omit it: the version has no schemes": nil} {
		a := list(t, release(t, schemes...), `{"version":"kiosk@latest","scheme":"lex\u202e","locales":["de"]}`)
		require.True(t, a.OK)
		assert.JSONEq(t, `{"version":"kiosk@2026-02-03-stable","mappings":[]}`, string(a.Data))
		require.Len(t, a.Meta.Warnings, 2)
		assert.Contains(t, a.Meta.Warnings[0].Message, `There are no texts in "de"`)
		assert.Equal(t, `There is no scheme "lex\u202e" in kiosk@2026-02-03-stable.`, a.Meta.Warnings[1].Message)
		assert.Equal(t, hint, a.Meta.Warnings[1].Hint)
	}
	assert.False(t, list(t, release(t), `{"version":"kiosk@latest","scheme":7}`).OK)
	assert.True(t, list(t, release(t), `{"version":"kiosk@latest","scheme":"`+strings.Repeat("é", 1000)+`"}`).OK)
}
