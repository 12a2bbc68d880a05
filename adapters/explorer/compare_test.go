package explorer_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/diff"
)

const comparison = "/compare?old=ai@latest&new=ai@latest-beta"

// TestCompareChoice shows that the page proposes the newest stable version and the beta after
// it.
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
	assert.Empty(t, page.all("section.changes"))
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
		shown += len(section.all("li.change"))
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
	assert.Contains(t, page.first(t, "ul.tally").text(), fmt.Sprintf("%d breaking", len(report.Breaking())))
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

func TestCompareSame(t *testing.T) {
	page := open(t, nil, nil).page("/compare?old=" + stable + "&new=" + stable)
	assert.Contains(t, page.text(), "The two versions have the same content.")
}

func TestCompareRefusals(t *testing.T) {
	s := open(t, nil, nil)
	for path, status := range map[string]int{
		"/compare?old=ai@latest&new=ai@none":                       http.StatusNotFound,
		"/compare?old=ai@latest&new=x":                             http.StatusBadRequest,
		"/compare?old=ai@latest":                                   http.StatusOK,
		"/compare.json?old=ai@latest":                              http.StatusBadRequest,
		"/compare.md?old=ai@latest&new=ai@latest-beta":             http.StatusNotFound, // nothing writes it here
		"/compare?old=ai@latest&new=sensor@latest":                 http.StatusOK,
		comparison + "&page=999&severity=compatible&category=none": http.StatusOK,
	} {
		assert.Equal(t, status, s.do(http.MethodGet, path).StatusCode, path)
	}
}

func TestCompareMarkdown(t *testing.T) {
	notes := func(w io.Writer, before, after *taxonomy.Release, report *diff.Report, locale string) error {
		_, err := fmt.Fprintf(w, "# %s since %s, %d changes in %s\n", after.Version(), before.Version(), len(report.Changes), locale)
		return err
	}
	s := open(t, nil, &explorer.Options{ReleaseNotes: notes})
	res := s.do(http.MethodGet, strings.Replace(comparison, "?", ".md?", 1)+"&lang=fr")
	assert.Equal(t, "text/markdown; charset=utf-8", res.Header.Get("Content-Type"))
	assert.Contains(t, res.body, "# "+beta+" since "+stable)
	assert.Contains(t, res.body, "in fr")
	assert.Contains(t, s.page(comparison).text(), "As Markdown")
}
