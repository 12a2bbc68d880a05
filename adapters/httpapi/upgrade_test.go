package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// TestUpgrade moves the sample documents between the versions of their type.
func TestUpgrade(t *testing.T) {
	w := open(t, samples(t), nil)
	for _, e := range documents.Valid() {
		doc, err := document.Parse(e.Text)
		require.NoError(t, err)
		pin, _ := doc.Root().Get("schema_version")
		typ, _, _ := strings.Cut(pin.Text(), "@")
		for _, target := range []string{typ + "@latest", typ + "@latest-beta", pin.Text()} {
			a := w.post("/schemas/"+target+"/upgrade", string(e.Text))
			require.Equal(t, 200, a.StatusCode, "%s: %s", e.Name, a.text)
			assert.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
			assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			assert.NotEmpty(t, a.Header.Get("Service-Content-Hash"))
			report := a.json["report"].(map[string]any)
			assert.Equal(t, pin.Text(), report["from"])
			moved, err := json.Marshal(a.json["document"])
			require.NoError(t, err)
			path := "/validate"
			if report["form"] == "resolved" {
				path = "/validate_resolved"
			}
			judged := w.post("/schemas/"+report["to"].(string)+path, string(moved))
			assert.Equal(t, judged.json["ok"], a.json["ok"], e.Name)
			assert.Equal(t, judged.json["errors"], a.json["errors"], e.Name)
		}
	}
}

// TestUpgradeParameters names the old version, and drops what is not in the new one.
func TestUpgradeParameters(t *testing.T) {
	w := open(t, samples(t), nil)
	e, ok := documents.Find("library-chat.json")
	require.True(t, ok)
	path := "/schemas/ai@2026-11-15-stable/upgrade"

	kept := w.post(path, string(e.Text))
	assert.Equal(t, false, kept.json["ok"])
	assert.Contains(t, kept.text, "risk.footprint")
	dropped := w.post(path+"?drop=true&from=ai@2026-12-01-beta", string(e.Text))
	assert.Equal(t, true, dropped.json["ok"], dropped.text)
	doc, err := json.Marshal(dropped.json["document"])
	require.NoError(t, err)
	assert.NotContains(t, string(doc), "risk.footprint")
	assert.Contains(t, dropped.text, "Dropped the placement of risk.footprint")

	for query, code := range map[string]int{"?drop=perhaps": 400, "?from=ai": 400, "?from=ai@2020-01-01-stable": 404, "?from=sensor@latest": 400, "?from=a&from=b": 400} {
		w.postWrong(path+query, string(e.Text)).issue(t, code, map[int]string{400: "bad_request", 404: "not_found"}[code])
	}
	w.postWrong("/schemas/sensor@latest/upgrade", string(e.Text)).issue(t, 400, "bad_request")
	w.postWrong(path, "{").issue(t, 400, "bad_request")

	shape := w.postWrong(path, `{"id": 1}`)
	require.Equal(t, 200, shape.StatusCode)
	assert.Equal(t, false, shape.json["ok"])
	assert.Equal(t, map[string]any{"id": 1.0}, shape.json["document"])
}
