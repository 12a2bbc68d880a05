package httpapi_test

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

// openRegister serves the sample documents, published into a store that is changed
// before it is opened.
func openRegister(t *testing.T, o *httpapi.Options, change func(*targettest.Memory)) (*world, *register.State) {
	t.Helper()
	service := must(datachain.New(samples(t), nil))
	live := must(register.New(service, []register.Origin{must(register.Directory("../../examples/documents", nil))}, &register.Options{Refresh: -1}))
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
	o.Documents = reg
	return openService(t, service, o), reg.State()
}

func slugsOf(a *answer) string {
	var slugs []string
	for _, d := range a.json["documents"].([]any) {
		slugs = append(slugs, d.(map[string]any)["slug"].(string))
	}
	return strings.Join(slugs, " ")
}

func TestDocumentList(t *testing.T) {
	w, state := openRegister(t, nil, nil)
	all := w.get("/documents?sort=title")
	require.Equal(t, "public, max-age=60", all.Header.Get("Cache-Control"))
	require.NotEmpty(t, all.Header.Get("ETag"))
	require.EqualValues(t, len(state.Documents()), all.meta()["total"])
	require.NotContains(t, all.json, "facets")
	require.Equal(t, http.StatusNotModified, w.do(request{path: "/documents?sort=title", header: pairs([]string{"If-None-Match", all.Header.Get("ETag")})}).StatusCode)

	require.Equal(t, "mill-street-crossing", slugsOf(w.get("/documents?query=crossing+cameras&limit=1")))
	require.Equal(t, "mill-street-crossing", slugsOf(w.get("/documents?element=device.camera&locale=fr")))
	require.Contains(t, w.get("/documents?query=corssing&limit=1").text, `"did_you_mean":"crossing"`)
	sensors := w.get("/documents?type=sensor&facets=true")
	require.NotEmpty(t, slugsOf(sensors))
	facet := sensors.json["facets"].([]any)[0].(map[string]any)
	require.Equal(t, "type", facet["field"])
	require.Len(t, facet["values"], 2, "also the type that is not selected")
	require.Empty(t, slugsOf(w.get("/documents?type=nothing")))
	require.Equal(t, slugsOf(w.get("/documents?type=sensor,ai")), slugsOf(w.get("/documents?type=sensor&type=ai")))

	// Pages.
	var paged []string
	cursor := ""
	for {
		page := w.get("/documents?sort=title&limit=2&cursor=" + cursor)
		paged = append(paged, slugsOf(page))
		if cursor, _ = page.meta()["next_cursor"].(string); cursor == "" {
			break
		}
	}
	require.Equal(t, slugsOf(all), strings.Join(paged, " "))
}

func TestDocumentText(t *testing.T) {
	w, state := openRegister(t, nil, nil)
	want, err := os.ReadFile("../../examples/documents/crossing-camera.json")
	require.NoError(t, err)
	thin := w.get("/documents/mill-street-crossing")
	require.Equal(t, string(want), thin.text, "as its author wrote it")
	require.Equal(t, "public, max-age=60", thin.Header.Get("Cache-Control"))
	require.Equal(t, thin.text, w.get("/documents/mill-street-crossing?form=thin").text)
	resolved := w.get("/documents/mill-street-crossing?form=resolved")
	require.Contains(t, resolved.json, "schema_snapshot")
	d, _ := state.Document("mill-street-crossing")
	for _, edition := range []string{d.Current.String(), d.Editions[0].Short()} {
		one := w.get("/documents/mill-street-crossing?edition=" + edition)
		require.Equal(t, thin.text, one.text)
		require.Equal(t, "public, max-age=3600", one.Header.Get("Cache-Control"), "it can be erased")
		require.Equal(t, api+"/documents/mill-street-crossing?form=thin&edition="+d.Current.String(), one.Header.Get("Content-Location"))
	}
	history := w.get("/documents/mill-street-crossing/history")
	require.Equal(t, d.Current.String(), history.json["current"])
	require.Len(t, history.json["editions"], 1)
}

func TestGoneDocuments(t *testing.T) {
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		must(publishing.Withdraw(t.Context(), target, "mill-street-crossing", "The cameras were removed."))
		must(publishing.Erase(t.Context(), target, "housing-benefit-check", taxonomy.Hash{}, "It named a person"))
	})
	withdrawn := w.do(request{path: "/documents/mill-street-crossing"}).issue(t, 410, "gone")
	require.Equal(t, "The document mill-street-crossing was withdrawn: The cameras were removed.", withdrawn["message"])
	erased := w.do(request{path: "/documents/housing-benefit-check?form=resolved"}).issue(t, 410, "gone")
	require.Contains(t, erased["message"], "It named a person")
	require.NotContains(t, slugsOf(w.get("/documents?limit=200")), "mill-street")
	history := w.get("/documents/mill-street-crossing/history")
	require.Equal(t, "The cameras were removed.", history.json["withdrawn"].(map[string]any)["reason"])
	old, _ := state.Document("housing-benefit-check")
	edition := w.do(request{path: "/documents/housing-benefit-check?edition=" + old.Editions[0].Short()})
	require.Contains(t, edition.issue(t, 410, "gone")["message"], "erased")
	history = w.get("/documents/housing-benefit-check/history")
	require.Contains(t, history.json["editions"].([]any)[0], "erased")
}

// TestDamagedEdition asks for an edition whose files in the store are not what they were.
func TestDamagedEdition(t *testing.T) {
	service := must(datachain.New(samples(t), nil))
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		dir := t.TempDir()
		text := must(os.ReadFile("../../examples/documents/crossing-camera.json"))
		changed := bytes.Replace(text, []byte("Mill Street"), []byte("Mill Road"), 1)
		require.NotEqual(t, text, changed)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "crossing-camera.json"), changed, 0o600))
		live := must(register.New(service, []register.Origin{must(register.Directory(dir, nil))}, &register.Options{Refresh: -1}))
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
			w.do(request{path: "/documents/mill-street-crossing?form=" + form + "&edition=" + e.Short()}).issue(t, 502, "upstream_error")
		}
	}
}

func TestDocumentChanges(t *testing.T) {
	w, state := openRegister(t, nil, func(target *targettest.Memory) {
		must(publishing.Withdraw(t.Context(), target, "mill-street-crossing", "over"))
	})
	all := w.get("/documents/changes")
	require.Equal(t, true, all.json["reset"])
	require.Len(t, all.json["changes"], len(state.Documents()))
	require.Equal(t, "no-cache", all.Header.Get("Cache-Control"))
	require.EqualValues(t, state.Sequence(), all.json["next"])
	some := w.get("/documents/changes?since=1")
	require.NotContains(t, some.json, "reset")
	require.Len(t, some.json["changes"], 1)
	change := some.json["changes"].([]any)[0].(map[string]any)
	require.Equal(t, "withdraw", change["op"])
	require.Equal(t, "mill-street-crossing", change["slug"])
	require.Empty(t, w.get("/documents/changes?since=2").json["changes"])
	require.Equal(t, true, w.get("/documents/changes?since=99999999").json["reset"])
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
			issue := w.in(t).do(request{path: path, wrong: true}).issue(t, status, code)
			require.NotRegexp(t, internals, issue["message"])
			require.Less(t, len(issue["message"].(string)), 500)
		})
	}
	for _, text := range []string{strings.Repeat("a ", 20_000), "\u202e<script>", "%", "\x00", "' OR 1=1", strings.Repeat("한", 3000)} {
		a := w.do(request{path: "/documents?query=" + url.QueryEscape(text), wrong: true})
		require.Contains(t, []int{200, 400, 414, 431}, a.StatusCode)
	}
	before := w.do(request{path: "/documents/changes?since=-1", wrong: true}).issue(t, 400, "bad_request")
	require.Equal(t, `The sequence must be an integer from 0, not "-1".`, before["message"])
	near := w.do(request{path: "/documents/mill-street-crosing"}).issue(t, 404, "not_found")
	require.Equal(t, "use mill-street-crossing", near["fix_hint"])
	require.Equal(t, http.StatusMethodNotAllowed, w.do(request{method: http.MethodPost, path: "/documents", wrong: true}).StatusCode)
}

// Without a register, nothing is there.
func TestNoDocuments(t *testing.T) {
	w := open(t, samples(t), nil)
	for _, path := range []string{"/documents", "/documents/changes", "/documents/a", "/documents/a/history"} {
		issue := w.do(request{path: path}).issue(t, 404, "not_found")
		require.Contains(t, issue["message"], "There is no resource at")
	}
}

func TestPrivateDocuments(t *testing.T) {
	w, _ := openRegister(t, &httpapi.Options{Private: true}, nil)
	a, err := client.Get(w.url + api + "/documents")
	require.NoError(t, err)
	require.NoError(t, a.Body.Close())
	require.Contains(t, a.Header.Get("Cache-Control"), "private")
	require.Empty(t, a.Header.Get("Access-Control-Allow-Origin"))
}

// TestIncludeSymbols resolves documents with the symbols of their icons.
func TestIncludeSymbols(t *testing.T) {
	const version = "/schemas/sensor@2026-11-15-stable/resolve"
	w := open(t, samples(t), nil)
	thin := string(must(os.ReadFile("../../examples/documents/crossing-camera.json")))
	plain := w.post(version, thin)
	require.NotContains(t, plain.json, "symbols")
	full := w.post(version+"?include=symbols", thin)
	require.NotEmpty(t, full.json["symbols"])
	delete(full.json, "symbols")
	require.Equal(t, plain.json, full.json)
	for _, wrong := range []string{version + "?include=proof", "/schemas/sensor@2026-11-15-stable/validate?include=symbols"} {
		w.postWrong(wrong, thin).issue(t, http.StatusBadRequest, "bad_request")
	}
}
