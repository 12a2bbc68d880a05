package pages_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	examples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// inGreek returns a JSON value with all of its localized texts in Greek alone.
func inGreek[T any](t *testing.T, v T) (greek T) {
	t.Helper()
	var tree any
	require.NoError(t, json.Unmarshal(must(json.Marshal(v)), &tree))
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		case []any:
			if first, ok := slices.Concat(v, []any{nil})[0].(map[string]any); ok && first["locale"] != nil && first["value"] != nil {
				text, _ := first["value"].(string)
				return []any{map[string]any{"locale": "el", "value": strings.Join(append([]string{"Κείμενο"}, variable.FindAllString(text, -1)...), " ")}}
			}
			for i := range v {
				v[i] = walk(v[i])
			}
		}
		return v
	}
	require.NoError(t, json.Unmarshal(must(json.Marshal(walk(tree))), &greek))
	return greek
}

var variable = regexp.MustCompile(`\{\{.*?\}\}`)

// greekStore has the sample versions with Greek texts, which claim to be in French as well.
func greekStore(t *testing.T) taxonomy.Store {
	t.Helper()
	samples, err := published.Store()
	require.NoError(t, err)
	var list []listing.Publication
	for _, version := range []string{"sensor@2026-11-15-stable", beta, stable} {
		r, err := samples.Release(t.Context(), taxonomy.MustVersion(version))
		require.NoError(t, err)
		m := inGreek(t, *r.Manifest())
		c := taxonomy.Content{
			Title: m.Title, Description: m.Description, Locales: []string{"el", "fr"}, Notes: m.Notes, Licence: m.Licence, Attribution: m.Attribution, Removed: m.Removed, Schemes: m.Schemes,
			Type: inGreek(t, *r.Type()), Symbols: make(map[string]string),
		}
		for _, category := range r.Categories() {
			c.Categories = append(c.Categories, inGreek(t, *category))
		}
		for _, e := range r.Elements() {
			c.Elements = append(c.Elements, inGreek(t, *e))
		}
		for _, id := range r.SymbolIDs() {
			c.Symbols[id], _ = r.Symbol(id)
		}
		release, err := taxonomy.NewRelease(r.Version(), c)
		require.NoError(t, err)
		list = append(list, listing.Publication{Release: release})
	}
	store, err := memstore.New(list...)
	require.NoError(t, err)
	return store
}

// english has words that French texts do not have.
var english = regexp.MustCompile(`(?i)(^|[^\pL’'-])(the|is|are|and|with|this|not|must|should|has|there|use|your|what|which|document's)($|[^\pL’'-])`)

// greekSite serves documents with Greek texts, and returns what they had before: texts in no
// language stay as they are.
func greekSite(t *testing.T) (s *site, dir, plain string) {
	t.Helper()
	store, dir := greekStore(t), t.TempDir()
	greek := func(value string) []any { return []any{map[string]any{"locale": "el", "value": value}} }
	for _, name := range []string{"crossing-camera", "library-chat", "air-station"} {
		e, ok := examples.Find(name + ".json")
		require.True(t, ok)
		plain += string(e.Text)
		doc := inGreek(t, must(decoded(e.Text)))
		doc["schema_version"] = map[bool]string{true: beta, false: "sensor@2026-11-15-stable"}[name == "library-chat"]
		doc["title"] = greek("Τίτλος")
		doc["description"] = []any{map[string]any{"locale": "fr", "value": "En français"}, map[string]any{"locale": "el", "value": "Περιγραφή"}}
		doc["register"] = map[string]any{
			"slug": name, "status": "in_use", "review_by": "2026-01-31", "themes": []any{greek("Θέμα")},
			"organisation": map[string]any{"name": greek("Οργανισμός"), "unit": greek("Μονάδα")},
			"places":       []any{map[string]any{"name": greek("Τόπος"), "address": greek("Διεύθυνση"), "geometry": map[string]any{"type": "Point", "coordinates": []any{12.3, 51.3}}}},
			"withheld":     []any{map[string]any{"what": greek("Τι"), "reason": greek("Λόγος")}},
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), must(json.Marshal(doc)), 0o644))
		if name == "crossing-camera" {
			doc["updated_at"], doc["title"] = "2026-02-01T00:00:00Z", greek("Παλιός τίτλος")
			doc["elements"] = doc["elements"].([]any)[1:]
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+"-old.json"), must(json.Marshal(doc)), 0o644))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "register.yaml"), []byte(`title: {el: Μητρώο}
languages: [fr, el]
url: https://register.example
publisher: {name: {el: Δήμος}, contact: {email: a@example.org}}
licence: {name: CC BY 4.0}
`), 0o644))
	service := must(datachain.New(store, nil))
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	reg, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	require.Empty(t, reg.State().Refused())
	return open(t, store, &pages.Options{Documents: reg, BaseURL: "https://register.example"}), dir, plain
}

// TestForeignTexts checks that each text that is not in the language of its page is marked with its
// own: Greek texts of taxonomies, documents and publishers, and English messages.
func TestForeignTexts(t *testing.T) {
	s, dir, plain := greekSite(t)
	for _, path := range []string{
		"/", "/d", "/d?q=Τόπος", "/d?status=in_use", "/d?q=zzzz", "/d/crossing-camera", "/d/crossing-camera?s=2026-02-01", "/d/crossing-camera/history", "/d/library-chat", "/compare?documents=crossing-camera,air-station",
		"/d/crossing-camera/sign.html", "/d/crossing-camera/sign.html?kind=notice&size=A4", "/d/crossing-camera/sign.html?kind=label", "/d/crossing-camera/card",
		"/t", "/t/" + beta, "/compare?old=" + stable + "&new=" + beta, "/compose", "/compose?new=" + beta, "/play", "/play?new=" + beta, "/codes", "/codes/unknown_field", "/docs",
		"/d/crossing-camer", "/nowhere", "/t/" + beta + "/e/nothing", "/t/nothing@latest", "/d?sort=best", "/compare?documents=", "/compare?documents=a",
	} {
		for _, lang := range []string{"fr", "el"} { // pages in Greek have English words
			u := must(url.Parse(path))
			query := u.Query()
			query.Set("lang", lang)
			u.RawQuery = query.Encode()
			checkForeign(t, u.String(), parse(t, s.do(http.MethodGet, u.String(), "Accept-Language", lang).body), plain)
		}
	}
	broken := strings.Replace(string(must(os.ReadFile(filepath.Join(dir, "library-chat.json")))), `"element_id":"`, `"element_id":"un`, 1)
	for _, path := range []string{"/play?lang=fr", "/compose?lang=fr", "/play?lang=el", "/compose?lang=el"} {
		for _, do := range []string{"check", "upgrade", "show"} {
			page := parse(t, s.post(path, "document", broken, "do", do).body)
			checkForeign(t, path+" "+do, page, plain)
			assert.True(t, do != "check" || len(page.all(".finding"))+len(page.all(".summary")) > 0, "a finding")
		}
	}
}

func decoded(text []byte) (doc map[string]any, err error) {
	err = json.Unmarshal(text, &doc)
	return maps.Clone(doc), err
}

// checkForeign checks the languages of the texts of a page.
func checkForeign(t *testing.T, path string, root *node, plain string) {
	t.Helper()
	assert.NotEqual(t, strings.Contains(path, "lang=el"), root.first(t, "html").attr("lang") == "fr", path)
	for d := range root.Descendants() {
		if d.Type != html.TextNode || slices.Contains([]string{"title", "script", "style", "code", "pre", "kbd", "textarea"}, d.Parent.Data) {
			continue
		}
		n := &node{d.Parent}
		var want string
		switch {
		case strings.ContainsFunc(d.Data, func(r rune) bool { return unicode.Is(unicode.Greek, r) }):
			want = "el"
		case english.MatchString(d.Data) && !strings.Contains(plain, strings.TrimSpace(d.Data)) && !n.is("span.cited"):
			want = "en"
		default:
			continue
		}
		assert.Equal(t, want, n.inherited("lang"), "%s: %s: %s", path, around(n), strings.TrimSpace(d.Data))
	}
}

// around names an element and those around it.
func around(n *node) (path string) {
	for ; n.Node != nil && n.Type == html.ElementNode; n = (&node{n.Parent}) {
		path = strings.TrimSuffix(n.Data+"."+n.attr("class"), ".") + " > " + path
	}
	return path
}
