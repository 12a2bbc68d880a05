package explorer_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/explorer"
)

func TestCitation(t *testing.T) {
	s := open(t, nil, &explorer.Options{BaseURL: "https://example.org"})
	p := s.page("/t/ai@latest")
	bib := s.do(http.MethodGet, "/t/ai@latest/cite.bib")
	assert.Equal(t, "application/x-bibtex; charset=utf-8", bib.Header.Get("Content-Type"))
	assert.Equal(t, strings.TrimSpace(bib.body), strings.TrimSpace(p.first(t, "details.cite").first(t, "code").raw()))
	for _, want := range []string{"@misc{ai-2026-11-15-stable,", "year = {2026}", "howpublished = {https://example.org/t/ai@2026-11-15-stable}", "note = {sha256-"} {
		assert.Contains(t, bib.body, want)
	}
	var items []map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/t/ai@latest/cite.json").body), &items))
	require.Len(t, items, 1)
	assert.Equal(t, "dataset", items[0]["type"])
	assert.Equal(t, []any{[]any{2026.0, 11.0, 15.0}}, items[0]["issued"].(map[string]any)["date-parts"])
}
