package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func TestRender(t *testing.T) {
	w := open(t, samples(t), nil)
	for _, e := range documents.Valid() {
		doc, err := document.Parse(e.Text)
		require.NoError(t, err)
		pin, _ := doc.Root().Get("schema_version")
		a := w.post("/schemas/"+pin.Text()+"/render?locale=fr-CA", string(e.Text))
		require.Equal(t, 200, a.StatusCode, "%s: %s", e.Name, a.text)
		assert.Equal(t, "text/html; charset=utf-8", a.Header.Get("Content-Type"))
		assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		assert.Equal(t, view.ContentSecurityPolicy(), a.Header.Get("Content-Security-Policy"))
		assert.Contains(t, a.text, `<html lang="fr" dir="ltr" `)
	}
}

func TestRenderInvalid(t *testing.T) {
	w := open(t, samples(t), nil)
	document, ok := documents.Find("benefits.json")
	require.True(t, ok)
	a := w.post("/schemas/ai@latest-beta/render", string(document.Text))
	require.Equal(t, 200, a.StatusCode)
	assert.Equal(t, false, a.json["ok"], "it pins another version")
	assert.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	assert.Empty(t, a.Header.Get("Content-Security-Policy"))

	w.do(request{method: "POST", path: "/schemas/ai@latest/render?locale=%22%3E", body: strings.NewReader("{}"), wrong: true}).issue(t, 400, "bad_request")
	w.do(request{method: "POST", path: "/schemas/ai@latest/render", body: strings.NewReader("{"), wrong: true}).issue(t, 400, "bad_request")
	w.do(request{method: "POST", path: "/schemas/ai@1999-01-01-stable/render", body: strings.NewReader("{}"), wrong: true}).issue(t, 404, "not_found")
}
