package mcp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
)

// TestSymbols resolves with symbols, as REST does.
func TestSymbols(t *testing.T) {
	const version = "ai@2026-11-15-stable"
	rest := httptest.NewServer(must(httpapi.New(sampleService(t), nil)))
	t.Cleanup(rest.Close)
	h := serve(t, must(published.Store()), nil)
	for _, include := range [][]string{nil, {"symbols"}, {"symbols", "symbols"}} {
		t.Run(strings.Join(include, ","), func(t *testing.T) {
			arguments := map[string]any{"version": version, "datachain": json.RawMessage(document(t, "benefits.json")), "include": include}
			answer := h.tool("resolve_datachain", string(must(json.Marshal(arguments))))
			require.False(t, answer.IsError)
			got := must(json.Marshal(answer.envelope["data"]))

			a, err := http.Post(rest.URL+"/api/v2/schemas/"+version+"/resolve?include="+strings.Join(include, ","), "application/json", bytes.NewReader(document(t, "benefits.json")))
			require.NoError(t, err)
			want := must(io.ReadAll(a.Body))
			require.NoError(t, a.Body.Close())
			require.JSONEq(t, string(want), string(got))
			require.Equal(t, include != nil, bytes.Contains(got, []byte(`"symbols":`)))
		})
	}
	for _, wrong := range []string{`["symbol"]`, `["proof"]`, `[1]`, `"symbols"`, `{}`} {
		got := h.tool("resolve_datachain", `{"version":"`+version+`","include":`+wrong+`,"datachain":`+string(document(t, "benefits.json"))+`}`)
		require.Equal(t, []string{"invalid_arguments"}, got.codes(), wrong)
	}
}
