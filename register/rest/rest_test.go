package rest_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

// openRegister serves the sample documents, published into a store that is changed
// before it is opened.
func openRegister(t *testing.T, o *httpapi.Options, change func(*targettest.Memory)) (*resttest.Client, *register.State) {
	t.Helper()
	service := must(datachain.New(must(published.Store()), nil))
	live := must(register.New(service, []register.Origin{must(register.OpenDirectory("../../examples/documents", nil))}, &register.Options{Refresh: -1}))
	target := new(targettest.Memory)
	must(publishing.Documents(t.Context(), target, live, nil))
	require.NoError(t, live.Close())
	if change != nil {
		change(target)
	}
	reg := must(register.New(service, []register.Origin{register.Stored("target", publishing.TargetFiles(target), nil)}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	if o == nil {
		o = new(httpapi.Options)
	}
	o.Routes, o.Logger = rest.Routes(reg), slog.New(slog.DiscardHandler)
	return resttest.Serve(t, must(httpapi.New(service, o))), reg.State()
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func slugsOf(a *resttest.Answer) string {
	var slugs []string
	for _, d := range a.JSON["documents"].([]any) {
		slugs = append(slugs, d.(map[string]any)["slug"].(string))
	}
	return strings.Join(slugs, " ")
}

func TestDocumentList(t *testing.T) {
	w, state := openRegister(t, nil, nil)
	all := w.Get("/documents?sort=title")
	require.Equal(t, "public, max-age=60", all.Header.Get("Cache-Control"))
	require.NotEmpty(t, all.Header.Get("ETag"))
	require.EqualValues(t, len(state.Documents()), all.JSON["meta"].(map[string]any)["total"])
	require.NotContains(t, all.JSON, "facets")
	require.Equal(t, http.StatusNotModified, w.Do(http.MethodGet, "/documents?sort=title", "", "If-None-Match", all.Header.Get("ETag")).StatusCode)

	require.Equal(t, "mill-street-crossing", slugsOf(w.Get("/documents?query=crossing+cameras&limit=1")))
	require.Equal(t, "mill-street-crossing", slugsOf(w.Get("/documents?element=device.camera&locale=fr")))
	require.Contains(t, w.Get("/documents?query=corssing&limit=1").Text, `"did_you_mean":"crossing"`)
	sensors := w.Get("/documents?type=sensor&facets=true")
	require.NotEmpty(t, slugsOf(sensors))
	facet := sensors.JSON["facets"].([]any)[0].(map[string]any)
	require.Equal(t, "type", facet["field"])
	require.Len(t, facet["values"], 2, "also the type that is not selected")
	require.Empty(t, slugsOf(w.Get("/documents?type=nothing")))
	require.Equal(t, slugsOf(w.Get("/documents?type=sensor,ai")), slugsOf(w.Get("/documents?type=sensor&type=ai")))

	// Pages.
	var paged []string
	cursor := ""
	for {
		page := w.Get("/documents?sort=title&limit=2&cursor=" + cursor)
		paged = append(paged, slugsOf(page))
		if cursor, _ = page.JSON["meta"].(map[string]any)["next_cursor"].(string); cursor == "" {
			break
		}
	}
	require.Equal(t, slugsOf(all), strings.Join(paged, " "))
}

func TestDocumentText(t *testing.T) {
	w, state := openRegister(t, nil, nil)
	want, err := os.ReadFile("../../examples/documents/crossing-camera.json")
	require.NoError(t, err)
	thin := w.Get("/documents/mill-street-crossing")
	require.Equal(t, string(want), thin.Text, "as its author wrote it")
	require.Equal(t, "public, max-age=60", thin.Header.Get("Cache-Control"))
	require.Equal(t, thin.Text, w.Get("/documents/mill-street-crossing?form=thin").Text)
	resolved := w.Get("/documents/mill-street-crossing?form=resolved")
	require.Contains(t, resolved.JSON, "schema_snapshot")
	d, _ := state.Document("mill-street-crossing")
	for _, edition := range []string{d.Current.String(), d.Editions[0].Short()} {
		one := w.Get("/documents/mill-street-crossing?edition=" + edition)
		require.Equal(t, thin.Text, one.Text)
		require.Equal(t, "public, max-age=3600", one.Header.Get("Cache-Control"), "it can be erased")
		require.Equal(t, "/api/v2/documents/mill-street-crossing?form=thin&edition="+d.Current.String(), one.Header.Get("Content-Location"))
	}
	history := w.Get("/documents/mill-street-crossing/history")
	require.Equal(t, d.Current.String(), history.JSON["current"])
	require.Len(t, history.JSON["editions"], 1)
}

func TestGoneDocuments(t *testing.T) {
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		must(publishing.Withdraw(t.Context(), target, "mill-street-crossing", "The cameras were removed."))
		must(publishing.Erase(t.Context(), target, "housing-benefit-check", taxonomy.Hash{}, "It named a person"))
	})
	withdrawn := w.Do(http.MethodGet, "/documents/mill-street-crossing", "").Issue(t, 410, "gone")
	require.Equal(t, "The document mill-street-crossing was withdrawn: The cameras were removed.", withdrawn["message"])
	erased := w.Do(http.MethodGet, "/documents/housing-benefit-check?form=resolved", "").Issue(t, 410, "gone")
	require.Contains(t, erased["message"], "It named a person")
	require.NotContains(t, slugsOf(w.Get("/documents?limit=200")), "mill-street")
	history := w.Get("/documents/mill-street-crossing/history")
	require.Equal(t, "The cameras were removed.", history.JSON["withdrawn"].(map[string]any)["reason"])
	old, _ := state.Document("housing-benefit-check")
	edition := w.Do(http.MethodGet, "/documents/housing-benefit-check?edition="+old.Editions[0].Short(), "")
	require.Contains(t, edition.Issue(t, 410, "gone")["message"], "erased")
	history = w.Get("/documents/housing-benefit-check/history")
	require.Contains(t, history.JSON["editions"].([]any)[0], "erased")
}

// TestDamagedEdition asks for an edition whose files in the store are not what they were.
func TestDamagedEdition(t *testing.T) {
	service := must(datachain.New(must(published.Store()), nil))
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		dir := t.TempDir()
		text := must(os.ReadFile("../../examples/documents/crossing-camera.json"))
		changed := bytes.Replace(text, []byte("Mill Street"), []byte("Mill Road"), 1)
		require.NotEqual(t, text, changed)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "crossing-camera.json"), changed, 0o600))
		live := must(register.New(service, []register.Origin{must(register.OpenDirectory(dir, nil))}, &register.Options{Refresh: -1}))
		must(publishing.Documents(t.Context(), target, live, nil))
		require.NoError(t, live.Close())
		for _, name := range must(target.List(t.Context(), "documents")) {
			if strings.Count(name, "/") > 0 {
				name = "documents/" + name
				_, rev, err := target.Read(t.Context(), name)
				require.NoError(t, err)
				require.NoError(t, target.Replace(t.Context(), name, []byte(`{}`), rev))
			}
		}
	})
	d, _ := state.Document("mill-street-crossing")
	require.Len(t, d.Editions, 2)
	for _, form := range []string{"thin", "resolved"} {
		for _, e := range d.Editions {
			w.Do(http.MethodGet, "/documents/mill-street-crossing?form="+form+"&edition="+e.Short(), "").Issue(t, 502, "upstream_error")
		}
	}
}

func TestDocumentChanges(t *testing.T) {
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		must(publishing.Withdraw(t.Context(), target, "mill-street-crossing", "over"))
	})
	all := w.Get("/documents/changes")
	require.Equal(t, true, all.JSON["reset"])
	require.Len(t, all.JSON["changes"], len(state.Documents()))
	require.Equal(t, "no-cache", all.Header.Get("Cache-Control"))
	require.EqualValues(t, state.Sequence(), all.JSON["next"])
	some := w.Get("/documents/changes?since=1")
	require.NotContains(t, some.JSON, "reset")
	require.Len(t, some.JSON["changes"], 1)
	change := some.JSON["changes"].([]any)[0].(map[string]any)
	require.Equal(t, "withdraw", change["op"])
	require.Equal(t, "mill-street-crossing", change["slug"])
	require.Empty(t, w.Get("/documents/changes?since=2").JSON["changes"])
	require.Equal(t, true, w.Get("/documents/changes?since=99999999").JSON["reset"])
}

func TestHostileDocumentRequests(t *testing.T) {
	w, _ := openRegister(t, nil, nil)
	for path, code := range map[string]string{
		"/documents?sort=worst":                                    "bad_request",
		"/documents?status=on":                                     "bad_request",
		"/documents?limit=0":                                       "bad_request",
		"/documents?limit=1e2":                                     "bad_request",
		"/documents?facets=yes":                                    "bad_request",
		"/documents?cursor=AAAA":                                   "bad_request",
		"/documents?cursor=%00%ff":                                 "bad_request",
		"/documents?locale=%22%3E":                                 "bad_request",
		"/documents?place=a&place=b":                               "bad_request",
		"/documents?query=%zz":                                     "bad_request",
		"/documents?type=" + strings.Repeat("a,", 60):              "bad_request",
		"/documents/mill-street-crossing?form=fat":                 "bad_request",
		"/documents/mill-street-crossing?edition=..":               "bad_request",
		"/documents/mill-street-crossing?edition=0123456789abcdef": "not_found",
		"/documents/nobody":                                        "not_found",
		"/documents/..%2f..%2fetc%2fpasswd":                        "not_found",
		"/documents/%00":                                           "not_found",
		"/documents/nobody/history":                                "not_found",
		"/documents/mill-street-crossing/now":                      "not_found",
		"/documents/changes?since=-1":                              "bad_request",
		"/documents/changes?since=1.5":                             "bad_request",
		"/documents/changes?since=99999999999999999999999":         "bad_request",
		"/documents/Mill-Street-Crossing":                          "not_found",
		"/documents/" + strings.Repeat("a", 4000):                  "not_found",
	} {
		t.Run(path[:min(len(path), 60)], func(t *testing.T) {
			status := map[string]int{"bad_request": 400, "not_found": 404}[code]
			issue := w.In(t).Wrong(http.MethodGet, path, "").Issue(t, status, code)
			require.Less(t, len(issue["message"].(string)), 500)
		})
	}
	for _, text := range []string{strings.Repeat("a ", 20_000), "\u202e<script>", "%", "\x00", "' OR 1=1", strings.Repeat("한", 3000)} {
		a := w.Wrong(http.MethodGet, "/documents?query="+url.QueryEscape(text), "")
		require.Contains(t, []int{200, 400, 414, 431}, a.StatusCode)
	}
	before := w.Wrong(http.MethodGet, "/documents/changes?since=-1", "").Issue(t, 400, "bad_request")
	require.Equal(t, `The sequence must be an integer from 0, not "-1".`, before["message"])
	near := w.Do(http.MethodGet, "/documents/mill-street-crosing", "").Issue(t, 404, "not_found")
	require.Equal(t, "use mill-street-crossing", near["fix_hint"])
	require.Equal(t, http.StatusMethodNotAllowed, w.Wrong(http.MethodPost, "/documents", "").StatusCode)
}

func TestPrivateDocuments(t *testing.T) {
	service := must(datachain.New(must(published.Store()), nil))
	reg := must(register.New(service, nil, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	w := httptest.NewRecorder()
	must(httpapi.New(service, &httpapi.Options{Private: true, Routes: rest.Routes(reg)})).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v2/documents", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Header().Get("Cache-Control"), "private")
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
}

// TestDocumentsUnderAPrefix checks that messages and hints have the paths that clients use.
func TestDocumentsUnderAPrefix(t *testing.T) {
	w, _ := openRegister(t, &httpapi.Options{BaseURL: "https://example.org/data/chain"}, nil)
	for path, want := range map[string][2]string{
		"/documents/zzzzzzzzzz": {"There is no document zzzzzzzzzz.", "see /data/chain/api/v2/documents for the documents"},
		"/documents/mill-street-crossing?edition=000000000000": {
			"The document mill-street-crossing has no edition 000000000000.", "see /data/chain/api/v2/documents/mill-street-crossing/history for the editions",
		},
	} {
		issue := w.Do(http.MethodGet, path, "").Issue(t, 404, "not_found")
		assert.Equal(t, want, [2]string{issue["message"].(string), issue["fix_hint"].(string)}, path)
	}
}
