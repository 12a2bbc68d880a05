//go:build !race

// The race detector changes how long work takes, and what it allocates.

package pages_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// swollen returns a function that opens the pages of a taxonomy and of two documents with n of
// everything, and the text of one of them.
func swollen(t *testing.T, n int) (open func(timeout time.Duration) http.Handler, document string) {
	t.Helper()
	content := large(n)
	content.Locales = []string{"en", "de"}
	content.Schemes = []taxonomy.Scheme{{ID: "law", Title: taxonomy.Localized{{Locale: "en", Value: "The Law"}}}}
	content.Categories[0].Role, content.Categories[1].Role = codes.RolePurpose, codes.RoleData
	for i := range n {
		e := &content.Elements[i]
		e.Mappings = []taxonomy.Mapping{{Scheme: "law", ID: fmt.Sprint("Art. ", i), Relation: codes.RelationClose}}
	}
	older := content
	older.Elements = append([]taxonomy.Element{}, content.Elements...)
	for i := range n {
		older.Elements[i].Title = taxonomy.Localized{{Locale: "en", Value: fmt.Sprint("Before ", i)}}
	}
	store := publishedAll(t, map[string]taxonomy.Content{"big@2026-10-01-stable": content, "big@2026-09-01-stable": older})
	shelf := &shelf{t, t.TempDir()}
	for i, slug := range []string{"many", "many", "more"} {
		var placements, sources, places, assessments, filings []any
		for k := range n {
			placements = append(placements, map[string]any{"element_id": fmt.Sprintf("e%05d", k), "label": fmt.Sprint(slug, i, " number ", k)})
			sources = append(sources, map[string]any{"type": "document", "title": fmt.Sprint("Source ", k)})
			places = append(places, map[string]any{"name": fmt.Sprint("Street ", k), "geometry": map[string]any{"type": "Point", "coordinates": []any{12, 51}}})
			assessments = append(assessments, map[string]any{"name": fmt.Sprint("Assessment ", k), "url": "https://example.org"})
			filings = append(filings, map[string]any{"profile": fmt.Sprint("profile-", k), "answers": map[string]any{"a": "b"}})
		}
		placements[0].(map[string]any)["sources"] = sources
		text, err := json.Marshal(map[string]any{
			"id": slug, "title": []any{map[string]any{"locale": "en", "value": fmt.Sprint("Title ", i)}}, "schema_version": "big@2026-10-01-stable",
			"created_at": "2026-06-01T10:00:00Z", "updated_at": fmt.Sprintf("2026-06-0%dT10:00:00Z", i+1), "elements": placements, "sources": sources,
			"register": map[string]any{"slug": slug, "places": places, "assessments": assessments, "filings": filings},
		})
		require.NoError(t, err)
		document = string(text)
		shelf.write(fmt.Sprint(slug, i, ".json"), document)
	}
	service := must(datachain.New(store, nil))
	dir, err := register.OpenDirectory(shelf.dir, nil)
	require.NoError(t, err)
	reg, err := register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	require.Empty(t, reg.State().Refused())
	return func(timeout time.Duration) http.Handler {
		return must(pages.New(service, &pages.Options{Documents: reg, CacheBytes: -1, Timeout: timeout, BaseURL: "https://example.org", Logger: slog.New(slog.DiscardHandler)}))
	}, document
}

// swollenRequests returns requests of every page, list and file: without parameters, with each of
// them, with those that are not about documents, and the form of those that have one.
func swollenRequests() map[string]func(t *testing.T, document string) *http.Request {
	values := map[string]string{"old": "big@2026-09-01-stable", "new": "big@2026-10-01-stable", "documents": "many,more", "category": "c0", "part": "results", "page": "2", "sort": "title", "status": "in_use,trial", "gap": "no_contact"}
	wildcards := strings.NewReplacer("/d/{id}", "/d/many", "/c/{id}", "/c/c0", "/e/{id}", "/e/e00001", "/s/{id}", "/s/law", "/codes/{id}", "/codes/bad_request",
		"{version}", "big@2026-10-01-stable", "{edition}", "2026-06-01", "{id}", "1")
	all := make(map[string]func(*testing.T, string) *http.Request)
	get := func(address string) {
		all[address] = func(t *testing.T, _ string) *http.Request {
			return httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		}
	}
	for _, r := range pages.Routes() {
		path := wildcards.Replace(r.Pattern)
		get(path + "?lang=de")
		together := url.Values{"lang": {"de"}}
		for _, name := range r.Params {
			value := values[name]
			if value == "" {
				value = "number"
			}
			get(path + "?" + url.Values{"lang": {"de"}, name: {value}}.Encode())
			if name != "documents" {
				together.Set(name, value)
			}
		}
		get(path + "?" + together.Encode())
		if !r.Post {
			continue
		}
		for _, do := range []string{"", "page", "save", "resolved", "send", "upgrade big@2026-10-01-stable"} {
			all["POST "+path+" "+do] = func(t *testing.T, document string) *http.Request {
				form := url.Values{"document": {document}, "text": {document}, "do": {do}}.Encode()
				req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form))
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				return req
			}
		}
	}
	return all
}

// TestPagesAreLinear shows that every page, list, file and form takes no more time than the taxonomy
// and the documents have parts.
func TestPagesAreLinear(t *testing.T) {
	const n = 150
	type site struct {
		http.Handler
		document string
	}
	sites := make(map[int]site)
	for _, n := range []int{n, 4 * n} {
		open, document := swollen(t, n)
		sites[n] = site{open(time.Minute), document}
	}
	for name, request := range swollenRequests() {
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, n, func(n int) func() {
				return func() {
					w := httptest.NewRecorder()
					sites[n].ServeHTTP(w, request(t, sites[n].document))
					assert.Less(t, w.Code, http.StatusInternalServerError)
				}
			})
		})
	}
}

// TestRecentIsLinear shows that what changed in a register takes no more time to tell than there are documents and editions.
func TestRecentIsLinear(t *testing.T) {
	sites := make(map[int]http.Handler)
	const n = 100
	for _, n := range []int{n, 4 * n} {
		shelf := &shelf{t, t.TempDir()}
		for i := range n {
			id, updated := fmt.Sprint("own", i), time.Date(2026, 6, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339)
			if i%2 == 0 {
				id = "same" // with many editions
			}
			shelf.put(fmt.Sprint(i, ".json"), "air-station.json", map[string]any{"id": id, "updated_at": updated})
		}
		service, reg := shelf.register()
		sites[n] = must(pages.New(service, &pages.Options{Documents: reg, CacheBytes: -1, Logger: slog.New(slog.DiscardHandler)}))
	}
	for _, path := range []string{"/changes", "/changes?page=4"} {
		growthtest.Linear(t, n, func(n int) func() {
			return func() {
				w := httptest.NewRecorder()
				sites[n].ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
				assert.Equal(t, http.StatusOK, w.Code)
			}
		})
	}
}

// TestListIsLinear shows that a list, its filters and its search take no more time than a register has
// documents, which all differ in place, theme and organisation.
func TestListIsLinear(t *testing.T) {
	const n = 50
	sites := make(map[int]*site)
	for _, n := range []int{n, 4 * n} {
		shelf := &shelf{t, t.TempDir()}
		for i := range n {
			shelf.put(fmt.Sprint(i, ".json"), "crossing-camera.json", map[string]any{
				"id": fmt.Sprint("camera-", i), "title": []any{map[string]any{"locale": "en", "value": fmt.Sprint("Camera ", i)}},
				"register": map[string]any{
					"themes": []any{fmt.Sprint("Theme ", i)}, "organisation": map[string]any{"name": fmt.Sprint("Office ", i)}, "places": []any{map[string]any{"name": fmt.Sprint("Street ", i)}},
				},
			})
		}
		sites[n] = shelf.serve(&pages.Options{CacheBytes: -1})
	}
	for _, path := range []string{"/d", "/d?q=webcam+street", "/d?q=traffic+zzzz", "/d?select=1&documents=camera-1,camera-2,camera-3&data=sensor:could_identify_people&sort=title", "/d.json?q=webcam", "/d.csv?gap=review_overdue"} {
		t.Run(path, func(t *testing.T) {
			growthtest.Linear(t, n, func(n int) func() {
				return func() { assert.Equal(t, http.StatusOK, sites[n].do(http.MethodGet, path).StatusCode) }
			})
		})
	}
}

// TestPagesStop shows that whatever takes long stops within its time limit: with a quarter of the time
// that it needs, it fails in less than three quarters of that.
func TestPagesStop(t *testing.T) {
	const long, attempts = 60 * time.Millisecond, 10
	open, document := swollen(t, 3000)
	serve := func(h http.Handler, r *http.Request) (code int, used time.Duration) {
		w := httptest.NewRecorder()
		used = growthtest.CPU(func() { h.ServeHTTP(w, r) })
		return w.Code, used
	}
	for name, request := range swollenRequests() {
		patient, needed := open(time.Minute), time.Hour
		for range 2 {
			_, used := serve(patient, request(t, document))
			if needed = min(needed, used); needed < long {
				break
			}
		}
		if needed < long {
			continue
		}
		t.Run(name, func(t *testing.T) {
			hurried := open(needed / 4)
			for attempt := range attempts {
				code, used := serve(hurried, request(t, document))
				if code == http.StatusGatewayTimeout && used < needed*3/4 {
					return
				}
				t.Logf("attempt %d: status %d after %v of %v", attempt, code, used, needed)
			}
			t.Error("it does not stop")
		})
	}
}

// TestNearDocumentsCost: finding documents to suggest takes no memory for each document.
func TestNearDocumentsCost(t *testing.T) {
	const most = 400
	measure := func(documents int) float64 {
		shelf := newShelf(t)
		for i := range documents {
			name := fmt.Sprintf("%d-street-%d-bridge", i%7, i)
			shelf.put(name+".json", "crossing-camera.json", map[string]any{"id": "mill-" + name})
		}
		s := shelf.serve(nil)
		return testing.AllocsPerRun(20, func() {
			require.Equal(t, http.StatusNotFound, s.do(http.MethodGet, "/d/quite-another", "Accept", "application/json").StatusCode)
		})
	}
	few, many := measure(most/4), measure(most)
	assert.Less(t, many, few+most/10)
}
