package pages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

const comparison = "/compare?old=ai@latest&new=ai@latest-beta"

// TestCompareChoice shows that the page opens with the changes from the newest stable version
// to the beta after it.
func TestCompareChoice(t *testing.T) {
	page := open(t, nil, nil).page("/compare")
	chosen := map[string]string{}
	for _, s := range page.all("select") {
		for _, o := range s.all("option") {
			for _, a := range o.Attr {
				if a.Key == "selected" {
					chosen[s.attr("name")] = o.text()
				}
			}
		}
	}
	assert.Equal(t, map[string]string{"old": stable, "new": beta}, chosen)
	assert.Len(t, page.all("optgroup"), 4, "two types, for each of two versions")
	assert.NotEmpty(t, page.all("section.changes"))
	assert.Equal(t, stable+" "+beta, page.first(t, "#outcome").text())
}

func TestCompare(t *testing.T) {
	s := open(t, nil, nil)
	page := s.page(comparison)
	var report diff.Report
	require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, strings.Replace(comparison, "?", ".json?", 1)).body), &report))
	require.Equal(t, beta, report.New.String())
	var order []string
	shown := 0
	for _, section := range page.all("section.changes") {
		order = append(order, section.attr("id"))
		whole := s.page(comparison + "&severity=" + section.attr("id")).all("li.change") // the page of all begins each
		shown += len(whole)
		assert.NotEmpty(t, section.all("li.change"))
	}
	require.NotEmpty(t, report.Changes)
	assert.Equal(t, len(report.Changes), shown, "every change is shown once")
	var want []string
	for _, severity := range diff.Severities() {
		if len(report.With(severity)) > 0 {
			want = append(want, string(severity))
		}
	}
	assert.Equal(t, want, order, "the most serious first")
	assert.Contains(t, page.first(t, "ul.tally").text(), fmt.Sprintf("%d breaking", len(report.With(diff.Breaking))))
	for _, part := range page.all("article.part") {
		changes := part.all("li.change")
		assert.NotEmpty(t, changes[len(changes)-1].first(t, "p.consequence").text())
	}
	for _, a := range page.first(t, "ul.chips").all("a") {
		part := s.page(a.attr("href"))
		assert.NotEmpty(t, part.all("li.change"), a.attr("href"))
		assert.Less(t, len(part.all("li.change")), shown)
	}
}

// TestCompareWords shows that rewording is marked word by word, with alternatives for those
// who do not see colours.
func TestCompareWords(t *testing.T) {
	page := open(t, nil, nil).page("/compare?old=" + stable + "&new=" + beta)
	words := page.all("p.words")
	require.NotEmpty(t, words)
	for _, p := range words {
		assert.NotEmpty(t, p.attr("lang"))
		for _, d := range p.all("del") {
			assert.Contains(t, d.text(), "[removed:")
		}
		for _, i := range p.all("ins") {
			assert.Contains(t, i.text(), "[added:")
		}
	}
}

// TestCompareKeys shows that a text without a language is not marked with its key.
func TestCompareKeys(t *testing.T) {
	kind := func(typ taxonomy.VariableType, color string) taxonomy.Content {
		c := large(1)
		c.Elements[0].Variables = []taxonomy.Variable{{ID: "kind", Label: taxonomy.Localized{{Locale: "en", Value: "Kind"}}, Type: typ}}
		c.Categories[0].Context.Values = []taxonomy.ContextValue{{ID: "x", Label: taxonomy.Localized{{Locale: "en", Value: "Ex"}}, Color: color}}
		c.Elements[0].IconVariants = []string{"default", "dark", "x"}
		return c
	}
	s := open(t, publishedAll(t, map[string]taxonomy.Content{
		"big@2026-09-01-stable": kind(taxonomy.TextVariable, "#00AA55"), "big@2026-10-01-stable": kind(taxonomy.SelectVariable, "#0055AA"),
	}), nil)
	page := s.page("/compare?old=big@2026-09-01-stable&new=big@2026-10-01-stable")
	words := page.all("p.words")
	require.NotEmpty(t, words)
	for _, p := range words {
		assert.Empty(t, p.attr("lang"), p.text())
	}
}

// TestCompareEvolved records a rename of versions that were compared before.
func TestCompareEvolved(t *testing.T) {
	kind := func(id string) taxonomy.Content {
		c := large(1)
		c.Elements[0].Variables = []taxonomy.Variable{{ID: id, Label: taxonomy.Localized{{Locale: "en", Value: "Kind"}}, Type: taxonomy.TextVariable}}
		return c
	}
	store := publishedAll(t, map[string]taxonomy.Content{"big@2026-09-01-stable": kind("kind"), "big@2026-10-01-stable": kind("sort")}).(*memstore.Store)
	s := open(t, store, nil)
	const address = "/compare?old=big@2026-09-01-stable&new=big@2026-10-01-stable"
	before := s.page(address).text()
	store.Evolve("big", []byte(`{"renamed": [{"kind": "variable", "from": "kind", "to": "sort", "since": "big@2026-10-01-stable"}]}`))
	assert.Contains(t, before, "Removed Variable kind")
	assert.Contains(t, s.page(address).text(), "Renamed Variable sort")
}

func TestCompareSame(t *testing.T) {
	page := open(t, nil, nil).page("/compare?old=" + stable + "&new=" + stable)
	assert.Contains(t, page.text(), "The two versions have the same content.")
}

// TestCompareFilter checks that a filter that is not valid is reported, with the changes that
// there are, and that only versions with the same content are said to have it.
func TestCompareFilter(t *testing.T) {
	s := open(t, publishedAll(t, map[string]taxonomy.Content{"big@2026-09-01-stable": large(1), "big@2026-10-01-stable": large(250)}), nil)
	const same = "The two versions have the same content."
	const base = "/compare?old=big@2026-09-01-stable&new=big@2026-10-01-stable"
	for _, c := range []struct {
		query, want string
		parts       int
	}{
		{"", "", 30},
		{"&severity=compatible", "", 100},
		{"&severity=compatible&page=3", "", 49},
		{"&severity=nope", "There is no severity “nope”. These are the changes of all severities.", 30},
		{"&severity=%E2%80%AE%3Cb%3E%25s", "There is no severity “<b>%s”.", 30},
		{"&category=none", "Neither version has a category “none”. These are the changes of all categories.", 30},
		{"&severity=compatible&page=4", "There is no page “4”. This is page 3 of 3.", 49},
		{"&severity=compatible&page=99999999999999999999", "This is page 3 of 3.", 49},
		{"&severity=compatible&page=0", "There is no page “0”. This is page 1 of 3.", 100},
		{"&severity=compatible&page=%25s", "There is no page “%s”. This is page 1 of 3.", 100},
		{"&severity=breaking&category=c1&page=3", "No changes match this filter. Show all changes", 0},
		{"&severity=nope&category=none&page=3", "There is no severity “nope”.", 30},
	} {
		page := s.page(base + c.query)
		assert.NotContains(t, page.text(), same, c.query)
		assert.Contains(t, page.first(t, "ul.tally").text(), "0 breaking", c.query)
		assert.Len(t, page.all("article.part"), c.parts, c.query)
		var notices []string
		for _, n := range page.all("p.notice") {
			notices = append(notices, n.text())
			for _, a := range n.all("a") {
				assert.Len(t, s.page(a.attr("href")).all("article.part"), 30, c.query)
			}
		}
		assert.Contains(t, strings.Join(notices, "\n"), c.want, c.query)
		assert.Equal(t, c.want == "", notices == nil, c.query)
	}
	assert.Contains(t, s.page("/compare?old=big@latest&new=big@latest&severity=nope").text(), same)
	assert.Contains(t, s.page(base+"&severity=nope&lang=fr").text(), "Le niveau « nope » n’existe pas.")
}

func TestCompareRefusals(t *testing.T) {
	s := open(t, nil, nil)
	for path, status := range map[string]int{
		"/compare?old=ai@latest&new=ai@none":                       http.StatusNotFound,
		"/compare?old=ai@latest&new=x":                             http.StatusBadRequest,
		"/compare?old=ai@latest":                                   http.StatusOK,
		"/compare.json?old=ai@latest":                              http.StatusBadRequest,
		"/compare.md?old=ai@latest&new=ai@latest-beta":             http.StatusOK,
		"/compare?old=ai@latest&new=sensor@latest":                 http.StatusOK,
		comparison + "&page=999&severity=compatible&category=none": http.StatusOK,
	} {
		assert.Equal(t, status, s.do(http.MethodGet, path).StatusCode, path)
	}
}

func TestCompareMarkdown(t *testing.T) {
	s := open(t, nil, nil)
	markdown := strings.Replace(comparison, "?", ".md?", 1)
	res := s.do(http.MethodGet, markdown+"&lang=fr")
	assert.Equal(t, "text/markdown; charset=utf-8", res.Header.Get("Content-Type"))
	assert.Contains(t, res.body, ": "+beta+"\n\nChanges since "+stable+".\n")
	assert.Contains(t, res.body, "## Breaking changes")
	assert.Contains(t, s.page(comparison).text(), "As Markdown")
	english := s.do(http.MethodGet, markdown)
	assert.NotEqual(t, english.body, res.body)
	// The other parameters of the page are not those of the notes.
	for _, more := range []string{"&category=data", "&severity=breaking", "&page=2", "&x=y"} {
		assert.Equal(t, english.Header.Get("ETag"), s.do(http.MethodGet, markdown+more).Header.Get("ETag"))
	}
}

// TestCompareWaits holds the only work slot, and shows that comparisons wait for it, while
// other pages do not.
func TestCompareWaits(t *testing.T) {
	t.Parallel()
	samples, err := published.Store()
	require.NoError(t, err)
	held, release := make(chan struct{}, 1), make(chan struct{})
	service := must(datachain.New(samples, &datachain.Options{Rules: []*validate.Rule{{
		Name: "waits", Doc: "waits", Codes: []issue.Code{"waits"}, Run: func(context.Context, *validate.Pass) error {
			select {
			case held <- struct{}{}:
			default:
			}
			<-release
			return nil
		},
	}}}))
	h, err := pages.New(service, &pages.Options{MaxWork: 1, Timeout: time.Second})
	require.NoError(t, err)
	server := httptest.NewServer(h)
	defer server.Close()
	s := &site{t, server.URL}
	text := valid(t, "benefits.json")
	var checking, comparing sync.WaitGroup
	checking.Go(func() {
		for status := http.StatusServiceUnavailable; status == http.StatusServiceUnavailable; { // on a busy machine
			status = s.post("/play", "document", text).StatusCode
		}
	})
	<-held
	for _, path := range []string{comparison, strings.Replace(comparison, "?", ".md?", 1), strings.Replace(comparison, "?", ".json?", 1)} {
		comparing.Go(func() {
			assert.Equal(t, http.StatusServiceUnavailable, s.do(http.MethodGet, path).StatusCode, path)
		})
	}
	comparing.Wait()
	awaitStatus(t, s, "/t/"+stable)
	close(release)
	checking.Wait()
	awaitStatus(t, s, comparison)
}

// awaitStatus waits until a page is served: on a busy machine it may take longer than a page
// may take.
func awaitStatus(t *testing.T, s *site, path string) {
	t.Helper()
	require.Eventually(t, func() bool { return s.do(http.MethodGet, path).StatusCode == http.StatusOK }, time.Minute, 10*time.Millisecond, path)
}

// TestCompareLarge: a large comparison is made once and kept, not made for each request.
func TestCompareLarge(t *testing.T) {
	before, after := large(10_000), large(10_000)
	for i := range after.Elements {
		after.Elements[i].Description = taxonomy.Localized{{Locale: "en", Value: strings.Repeat(fmt.Sprintf("Another text about %d. ", i), 12)}}
	}
	store := publishedAll(t, map[string]taxonomy.Content{"big@2026-09-01-stable": before, "big@2026-10-01-stable": after})
	h, err := pages.New(must(datachain.New(store, nil)), &pages.Options{Timeout: time.Minute})
	require.NoError(t, err)
	for _, extension := range []string{".md", ".json"} {
		get := func() (string, time.Duration) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/compare"+extension+"?old=big@2026-09-01-stable&new=big@2026-10-01-stable", http.NoBody)
			r.Header.Set("Accept-Encoding", "gzip")
			w := httptest.NewRecorder()
			start := time.Now()
			h.ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code)
			return w.Body.String(), time.Since(start)
		}
		first, made := get()
		_, _ = get() // what is asked for twice is kept
		again, sent := get()
		assert.Equal(t, first, again)
		for range 9 { // a busy machine delays some
			_, took := get()
			sent = min(sent, took)
		}
		assert.Less(t, sent, made/4, "%s took %s, and then %s", extension, made, sent)
	}
}
