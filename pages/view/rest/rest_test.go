package rest_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/pages/view/rest"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// serve serves the samples with the routes.
func serve(t *testing.T) *resttest.Client {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	h, err := httpapi.New(service, &httpapi.Options{Routes: []httpapi.Route{rest.Render()}, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return resttest.Serve(t, h)
}

func TestRender(t *testing.T) {
	w := serve(t)
	for _, e := range documents.Valid() {
		doc, err := document.Parse(e.Text)
		require.NoError(t, err)
		pin, _ := doc.Root().Get("schema_version")
		a := w.Post("/schemas/"+pin.Text()+"/render?locale=fr-CA", string(e.Text))
		require.Equal(t, 200, a.StatusCode, "%s: %s", e.Name, a.Text)
		assert.Equal(t, "text/html; charset=utf-8", a.Header.Get("Content-Type"))
		assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		assert.Equal(t, view.ContentSecurityPolicy(), a.Header.Get("Content-Security-Policy"))
		assert.Contains(t, a.Text, `<html lang="fr" dir="ltr" `)
	}
}

func TestRenderInvalid(t *testing.T) {
	w := serve(t)
	document, ok := documents.Find("benefits.json")
	require.True(t, ok)
	a := w.Post("/schemas/ai@latest-beta/render", string(document.Text))
	require.Equal(t, 200, a.StatusCode)
	assert.Equal(t, false, a.JSON["ok"], "it pins another version")
	assert.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	assert.Empty(t, a.Header.Get("Content-Security-Policy"))

	w.Wrong(http.MethodPost, "/schemas/ai@latest/render?locale=%22%3E", "{}").Issue(t, 400, "bad_request")
	w.Wrong(http.MethodPost, "/schemas/ai@latest/render", "{").Issue(t, 400, "bad_request")
	w.Wrong(http.MethodPost, "/schemas/ai@1999-01-01-stable/render", "{}").Issue(t, 404, "not_found")
}

// TestLocales shows that all parameters accept the same locales, and that the
// description accepts them, too.
func TestLocales(t *testing.T) {
	w := serve(t)
	document, ok := documents.Find("benefits.json")
	require.True(t, ok)
	patterns := w.Description().Components.Parameters
	for locale, good := range map[string]bool{
		"": true, "fr": true, "fr-CA": true, "fr_CA": true, "de-1996": true, "en-x-private": true, "x-private": true, "zh-cmn-Hans-CN": true, "xx-YY": true,
		"x": false, "abcd": false, "en--us": false, "en-": false, "en us": false, "*": false, "en-a": false, `">`: false,
	} {
		t.Run(locale, func(t *testing.T) {
			w, query := w.In(t), "?locale="+url.QueryEscape(locale)
			if !good {
				list := w.Wrong(http.MethodGet, "/schemas/ai@latest/elements"+query, "")
				page := w.Wrong(http.MethodPost, "/schemas/ai@latest/render"+query, string(document.Text))
				require.Equal(t, list.Issue(t, 400, "bad_request"), page.Issue(t, 400, "bad_request"))
				return
			}
			list := w.Get("/schemas/ai@latest/elements" + query)
			page := w.Post("/schemas/ai@latest/render"+query, string(document.Text))
			require.Equal(t, 200, list.StatusCode, list.Text)
			require.Equal(t, 200, page.StatusCode, page.Text)
			if locale == "fr_CA" {
				require.Contains(t, page.Text, `<html lang="fr" dir="ltr" `)
			}
			for _, name := range []string{"Locale", "PageLocale"} {
				require.True(t, locale == "" || regexp.MustCompile(patterns[name].Schema.Fields["pattern"].(string)).MatchString(locale), name)
			}
		})
	}
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
			a := w.In(t).Wrong(http.MethodPost, "/schemas/ai@2026-11-15-stable/render", c.text, "Content-Type", "application/json")
			require.Equal(t, c.status, a.StatusCode, "%.300s", a.Text)
			require.Equal(t, false, a.JSON["ok"])
			require.Less(t, len(a.Text), 1<<20+len(c.text))
		})
	}
	a := w.Wrong(http.MethodPost, "/schemas/ai@2026-11-15-stable/render", "{}", "Content-Encoding", "br")
	a.Issue(t, http.StatusBadRequest, "bad_request")
}
