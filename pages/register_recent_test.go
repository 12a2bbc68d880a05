package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

// recentRows returns the text of each event on a page.
func recentRows(p *node) (rows []string) {
	for _, li := range p.all("li.edition") {
		rows = append(rows, li.text())
	}
	return rows
}

// TestRecent tells what changed in the register, the newest first, in the language of the reader.
func TestRecent(t *testing.T) {
	s := newShelf(t).serve(nil)
	p := s.page("/changes")
	assert.Equal(t, "What has changed", p.first(t, "h1").text())
	rows := recentRows(p)
	require.Len(t, rows, 4)
	changed := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "1 June 2026") })
	first := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "1 February 2026") })
	require.GreaterOrEqual(t, changed, 0)
	assert.Less(t, changed, first)
	assert.Equal(t, "Cameras at the Mill Street crossing 1 June 2026 Changed titleAn earlier <title> Cameras at the Mill Street crossing", rows[changed])
	assert.Equal(t, "Cameras at the Mill Street crossing 1 February 2026 · New in this register", rows[first])
	assert.Equal(t, "/d/camera", p.all("li.edition")[changed].first(t, "a").attr("href"))

	assert.Contains(t, s.do(http.MethodGet, "/d").body, `<a href="/changes">What has changed</a>`)
	french := s.page("/changes?lang=fr")
	assert.Contains(t, strings.Join(recentRows(french), "\n"), "Modifié titre")
	assert.Equal(t, http.StatusNotFound, open(t, nil, nil).do(http.MethodGet, "/changes").StatusCode, "without documents")
}

// TestRecentGone tells of documents that were withdrawn and editions that were erased, without what they said.
func TestRecentGone(t *testing.T) {
	shelf, target := newShelf(t), new(targettest.Memory)
	service, live := shelf.register()
	_, err := publishing.Documents(t.Context(), target, live, nil)
	require.NoError(t, err)
	camera, _ := live.State().Document("camera")
	_, err = publishing.Withdraw(t.Context(), target, "chat", "It was <b>stopped</b>.")
	require.NoError(t, err)
	_, err = publishing.Erase(t.Context(), target, "camera", camera.Editions[1].Hash, "It had a name in it.")
	require.NoError(t, err)
	reg, err := register.New(service, []register.Origin{register.Stored("memory", publishing.TargetFiles(target), nil)}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	s := open(t, nil, &pages.Options{Documents: reg})

	all := strings.Join(recentRows(s.page("/changes")), "\n")
	today := time.Now().UTC().Format("2 January 2006")
	assert.Contains(t, all, "This document was withdrawn on "+today+". Reason: It was <b>stopped</b>.")
	assert.Contains(t, all, "This edition was erased on "+today+". Its content was deleted. Reason: It had a name in it.")
	assert.Contains(t, all, "The changes can't be told", "what the edition before said is erased")
	assert.NotContains(t, all, "An earlier")
}

// TestRecentPages has a page for each 25 events, and tells of at most 10 changes of each.
func TestRecentPages(t *testing.T) {
	shelf := newShelf(t)
	title := func(i int) []any { return []any{map[string]any{"locale": "en", "value": fmt.Sprint("Title ", i)}} }
	for i := range 30 {
		shelf.put(fmt.Sprint("many", i, ".json"), "library-chat.json", map[string]any{"id": "many", "title": title(i), "updated_at": fmt.Sprintf("2026-07-%02dT00:00:00Z", i+1)})
	}
	var example struct{ Elements []map[string]any }
	camera, _ := examples.Find("crossing-camera.json")
	require.NoError(t, json.Unmarshal(camera.Text, &example))
	shelf.put("wide-old.json", "crossing-camera.json", map[string]any{"id": "wide", "updated_at": "2026-12-01T00:00:00Z"})
	about := map[string]any{"slug": "wide", "status": "trial", "since": "2026-01-01", "until": "2027-01-01", "review_by": "2027-02-01", "themes": []any{"Traffic"}}
	for i := range example.Elements {
		example.Elements[i]["label"] = fmt.Sprint("Number ", i)
	}
	shelf.put("wide.json", "crossing-camera.json", map[string]any{"id": "wide", "updated_at": "2026-12-02T00:00:00Z", "title": title(0), "elements": example.Elements, "register": about})
	s := shelf.serve(nil)
	first, second, body := s.page("/changes"), s.page("/changes?page=2"), s.do(http.MethodGet, "/changes?page=2").body
	assert.Len(t, recentRows(first), 25)
	assert.Len(t, recentRows(second), 4+30+2-25)
	assert.Regexp(t, `^Title 0 2 December 2026 .* and \d+ more$`, recentRows(first)[0])
	assert.Len(t, first.first(t, "ul.changes").all("li"), 10)
	assert.Equal(t, "Title 29 30 July 2026 Changed titleTitle 28 Title 29", recentRows(first)[slices.IndexFunc(recentRows(first), func(row string) bool { return strings.HasPrefix(row, "Title 29") })])
	assert.Contains(t, body, `<meta name="robots" content="noindex">`)
	assert.Contains(t, s.page("/changes?page=9").first(t, ".notice").text(), "9")

	_, reg := shelf.register()
	site := writeSite(t, describing(t, reg), &pages.Options{Documents: reg})
	assert.Contains(t, string(site["fr/changes.html"]), "Ce qui a changé")
	assert.Contains(t, string(site["en/changes~page=2.html"]), "New in this register")
}
