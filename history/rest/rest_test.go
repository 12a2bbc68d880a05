package rest_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/rest"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// serve serves the samples with the routes.
func serve(t *testing.T) *resttest.Client {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	h, err := httpapi.New(service, &httpapi.Options{Routes: rest.Routes(), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return resttest.Serve(t, h)
}

// TestUpgrade moves the sample documents between the versions of their type.
func TestUpgrade(t *testing.T) {
	w := serve(t)
	for _, e := range documents.Valid() {
		doc, err := document.Parse(e.Text)
		require.NoError(t, err)
		pin, _ := doc.Root().Get("schema_version")
		typ, _, _ := strings.Cut(pin.Text(), "@")
		for _, target := range []string{typ + "@latest", map[string]string{"ai": "ai@latest-beta", "sensor": "sensor@2026-06-15-stable"}[typ], pin.Text()} {
			a := w.Post("/schemas/"+target+"/upgrade?older=true", string(e.Text))
			require.Equal(t, 200, a.StatusCode, "%s: %s", e.Name, a.Text)
			assert.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
			assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			assert.NotEmpty(t, a.Header.Get("Service-Content-Hash"))
			report := a.JSON["report"].(map[string]any)
			assert.Equal(t, pin.Text(), report["from"])
			moved, err := json.Marshal(a.JSON["document"])
			require.NoError(t, err)
			path := "/validate"
			if report["form"] == "resolved" {
				path = "/validate_resolved"
			}
			judged := w.Post("/schemas/"+report["to"].(string)+path, string(moved))
			assert.Equal(t, judged.JSON["ok"], a.JSON["ok"], e.Name)
			assert.Equal(t, judged.JSON["errors"], a.JSON["errors"], e.Name)
		}
	}
}

// TestUpgradeParameters names the old version, and drops what is not in the new one.
func TestUpgradeParameters(t *testing.T) {
	w := serve(t)
	e, ok := documents.Find("library-chat.json")
	require.True(t, ok)
	path := "/schemas/ai@2026-09-01-stable/upgrade"

	older := w.Wrong(http.MethodPost, path, string(e.Text)).Issue(t, 400, "bad_request")
	assert.Equal(t, "The document is of ai@2026-11-15-stable, and ai@2026-09-01-stable is older.", older["message"])
	path += "?older=true"

	kept := w.Post(path, string(e.Text))
	assert.Equal(t, false, kept.JSON["ok"])
	assert.Contains(t, kept.Text, "risk.footprint")
	dropped := w.Post(path+"&drop=true&from=ai@2026-11-15-stable", string(e.Text))
	assert.Equal(t, true, dropped.JSON["ok"], dropped.Text)
	doc, err := json.Marshal(dropped.JSON["document"])
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "risk.footprint")
	assert.Contains(t, dropped.Text, "Dropped the placement of risk.footprint")

	for query, code := range map[string]int{"&drop=perhaps": 400, "&older=yes": 400, "&from=ai": 400, "&from=ai@2020-01-01-stable": 404, "&from=sensor@latest": 400, "&from=a&from=b": 400} {
		w.Wrong(http.MethodPost, path+query, string(e.Text)).Issue(t, code, map[int]string{400: "bad_request", 404: "not_found"}[code])
	}
	w.Wrong(http.MethodPost, "/schemas/sensor@latest/upgrade", string(e.Text)).Issue(t, 400, "bad_request")
	w.Wrong(http.MethodPost, path, "{").Issue(t, 400, "bad_request")

	shape := w.Wrong(http.MethodPost, path, `{"id": 1}`)
	require.Equal(t, 200, shape.StatusCode)
	assert.Equal(t, false, shape.JSON["ok"])
	assert.Equal(t, map[string]any{"id": 1.0}, shape.JSON["document"])
}

// TestHostileDocuments sends what is no document, or one that asks for much.
func TestHostileDocuments(t *testing.T) {
	w := serve(t)
	const begin = `{"id":"d","schema_version":"ai@2026-11-15-stable","created_at":"2026-06-01T10:00:00Z",`
	for name, c := range map[string]struct {
		text   string
		status int
	}{
		"nothing":               {"", 400},
		"null":                  {"null", 200},
		"nesting":               {strings.Repeat("[", 65), 400},
		"bad UTF-8":             {"{\"id\":\"\xff\"}", 400},
		"a key twice":           {`{"id":"a","id":"b"}`, 400},
		"a number too large":    {`{"x":1e400}`, 400},
		"many placements":       {begin + `"elements":[` + strings.Repeat("{},", 100_000) + "{}]}", 200},
		"many unknown ones":     {begin + `"elements":[` + strings.Repeat(`{"element_id":"x"},`, 20_000) + `{"element_id":"x"}]}`, 200},
		"markup":                {begin + `"title":[{"locale":"en","value":"<script>alert(1)</script>"}],"elements":[{"element_id":"<img src=x>"}]}`, 200},
		"only a snapshot":       {`{"schema_snapshot":{}}`, 200},
		"larger than the limit": {strings.Repeat(" ", 1<<20+1), 413},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.In(t).Wrong(http.MethodPost, "/schemas/ai@2026-11-15-stable/upgrade", c.text, "Content-Type", "application/json")
			require.Equal(t, c.status, a.StatusCode, "%.300s", a.Text)
			require.Equal(t, false, a.JSON["ok"])
			require.Less(t, len(a.Text), 1<<20+len(c.text))
		})
	}
	a := w.Wrong(http.MethodPost, "/schemas/ai@2026-11-15-stable/upgrade", "{}", "Content-Encoding", "br")
	a.Issue(t, http.StatusBadRequest, "bad_request")
}

// TestEvolution serves the evolution of a type as it was published.
func TestEvolution(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	evolution := `{"renamed": [{"kind": "element", "from": "purpose.old", "to": "purpose.triage", "since": "ai@2026-11-15-stable"}]}`
	store.Evolve("ai", []byte(evolution))
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	h, err := httpapi.New(service, &httpapi.Options{Routes: rest.Routes(), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	w := resttest.Serve(t, h)
	a := w.Get("/types/ai/evolution")
	assert.Equal(t, evolution, a.Text)
	assert.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	assert.Equal(t, http.StatusNotModified, w.Do(http.MethodGet, "/types/ai/evolution", "", "If-None-Match", a.Header.Get("ETag")).StatusCode)
	sum := fmt.Sprintf("sha256-%x", sha256.Sum256([]byte(a.Text)))
	assert.Contains(t, w.Get("/schemas").Text, `"types":[{"id":"ai","evolution":"`+sum+`"}]`)
	none := w.Wrong(http.MethodGet, "/types/other/evolution", "").Issue(t, http.StatusNotFound, "not_found")
	assert.Equal(t, "There is no evolution of a datachain type other.", none["message"])
	assert.Equal(t, "see types of /api/v2/schemas for the datachain types that have one", none["fix_hint"])
}
