// Package registertest writes documents and opens registers of them, for tests.
package registertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
)

// Service returns a service over the sample taxonomies.
func Service(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	check(t, err)
	s, err := datachain.New(store, nil)
	check(t, err)
	return s
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// OpenDir opens a directory, without looking at it again.
func OpenDir(t testing.TB, dir string) *register.Register {
	t.Helper()
	origin, err := register.OpenDirectory(dir, nil)
	check(t, err)
	return open(t, origin)
}

// OpenTarget opens what is published in a target, without looking at it again.
func OpenTarget(t testing.TB, target publish.Target) *register.Register {
	t.Helper()
	return open(t, register.Stored("target", publishing.TargetFiles(target), nil))
}

func open(t testing.TB, origin register.Origin) *register.Register {
	t.Helper()
	r, err := register.New(Service(t), []register.Origin{origin}, &register.Options{Refresh: -1})
	check(t, err)
	t.Cleanup(func() { check(t, r.Close()) })
	return r
}

// Sample writes a sample document into a directory, with another id and some members
// replaced, which was updated on a day in January 2026.
func Sample(t testing.TB, dir, of, id string, day int, members map[string]any) {
	t.Helper()
	example, ok := documents.Find(of + ".json")
	if !ok {
		t.Fatalf("there is no example %s", of)
	}
	var doc map[string]any
	check(t, json.Unmarshal(example.Text, &doc))
	at := time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC)
	doc["id"], doc["updated_at"] = id, at.Format(time.RFC3339)
	maps.Copy(doc, members)
	text, err := json.Marshal(doc)
	check(t, err)
	file := filepath.Join(dir, strings.ReplaceAll(id, "/", "_")+".json")
	check(t, os.WriteFile(file, text, 0o600))
	check(t, os.Chtimes(file, at, at))
}

// Title returns a localized text, of pairs of a locale and a value.
func Title(texts ...string) []map[string]string {
	var list []map[string]string
	for i := 0; i < len(texts); i += 2 {
		list = append(list, map[string]string{"locale": texts[i], "value": texts[i+1]})
	}
	return list
}

// Town is a register of six documents.
func Town(t testing.TB) *register.Register {
	t.Helper()
	dir := t.TempDir()
	lindenau := map[string]any{"name": Title("en", "City of Lindenau", "fr", "Ville de Lindenau"), "id": "https://lindenau.example/"}
	point := map[string]any{"type": "Point", "coordinates": []float64{8.5, 47.25}}
	Sample(t, dir, "benefits", "benefits", 3, map[string]any{
		"title":    Title("en", "Éclair benefit check", "fr", "Contrôle des aides"),
		"register": map[string]any{"status": "in_use", "organisation": lindenau, "themes": []any{"Welfare", Title("en", "Housing", "fr", "Logement")}},
	})
	Sample(t, dir, "crossing-camera", "mill-street", 5, map[string]any{
		"title": Title("en", "Zebra crossing cameras"),
		"register": map[string]any{
			"status": "trial", "organisation": map[string]any{"name": "Ville de Lindenau"}, "themes": []any{"Traffic"}, "since": "2026-02-01", "review_by": "2027-01-01",
			"places": []any{map[string]any{"name": Title("en", "Mill Street", "fr", "Rue du Moulin"), "address": "Mill Street 1", "geometry": point}},
		},
	})
	Sample(t, dir, "air-station", "air-10", 4, map[string]any{
		"title":    Title("en", "Air station 10"),
		"register": map[string]any{"organisation": map[string]any{"name": "=cmd()|Meteo, Ltd"}, "places": []any{map[string]any{"name": "Market Square", "geometry": point}, map[string]any{"name": "On a bus", "mobile": true}}},
	})
	Sample(t, dir, "air-station", "air-9", 6, map[string]any{"title": Title("en", "Air station 9")})
	Sample(t, dir, "wifi-counter", "old-counter", 7, map[string]any{"register": map[string]any{"status": "retired", "until": "2026-01-01"}})
	Sample(t, dir, "library-chat", "chat", 2, map[string]any{"title": Title("en", "ask the library", "fr", "Demandez à la bibliothèque"), "register": map[string]any{"status": "in_use"}})
	r := OpenDir(t, dir)
	if refused := r.State().Refused(); len(refused) > 0 {
		t.Fatal(refused)
	}
	return r
}

// Many writes n documents that differ in words, places and organisations.
func Many(t testing.TB, n int) string {
	t.Helper()
	dir := t.TempDir()
	names := []string{"benefits", "crossing-camera", "air-station", "library-chat", "wifi-counter", "job-screening"}
	words := strings.Fields("water light noise traffic parking library school river bridge market harbour park station square museum garden")
	for i := range n {
		Sample(t, dir, names[i%len(names)], fmt.Sprintf("doc-%05d", i), 1+i%28, map[string]any{
			"title": Title("en", fmt.Sprintf("%s %s %d", words[i%16], words[i/16%16], i), "fr", fmt.Sprintf("Système %d", i)),
			"register": map[string]any{
				"status": register.Statuses()[i%5], "organisation": map[string]any{"name": fmt.Sprintf("Department %d", i%40)},
				"themes": []any{words[i%7]}, "places": []any{map[string]any{"name": fmt.Sprintf("%s street %d", words[i%16], i%3000)}},
			},
		})
	}
	return dir
}

// Slugs returns the slugs of documents, separated by spaces.
func Slugs(list []*register.Document) string {
	var all []string
	for _, d := range list {
		all = append(all, d.Slug)
	}
	return strings.Join(all, " ")
}

// Found returns the slugs of the documents that a query selects.
func Found(r *register.Result) string {
	var all []*register.Document
	for _, d := range r.All() {
		all = append(all, d)
	}
	return Slugs(all)
}

// Find returns the document with a slug.
func Find(t testing.TB, r *register.Register, slug string) *register.Document {
	t.Helper()
	d, ok := r.State().Document(slug)
	if !ok {
		t.Fatalf("there is no document %s", slug)
	}
	return d
}

// Times of changes of documents.
const (
	Monday  = "2026-07-06T10:00:00Z"
	Tuesday = "2026-07-07T10:00:00Z"
)

// Write writes a document of a rain gauge into a file of a directory, with an id, the time of its
// last change, and further members, which end in a comma.
func Write(t testing.TB, dir, name, id, updated, more string) {
	t.Helper()
	text := fmt.Sprintf(`{
  "id": %q, "schema_version": "sensor@2026-11-15-stable", "created_at": "2026-06-20T12:00:00Z", "updated_at": %q, %s
  "elements": [
    {"element_id": "purpose.environment"},
    {"element_id": "device.station", "context_type_id": "always_on"},
    {"element_id": "data.surroundings", "context_type_id": "does_not_identify_people", "variables": [{"id": "measured", "value": ["weather"]}]},
    {"element_id": "responsible.in_charge", "variables": [
      {"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]},
      {"id": "contact", "value": [{"locale": "en", "value": "environment@lindenau.example"}]}]}
  ]
}`, id, updated, more)
	check(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
	check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}
