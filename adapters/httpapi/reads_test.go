package httpapi_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

const (
	day     = "public, max-age=86400, immutable"
	forEver = "public, max-age=31536000, immutable"
)

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func TestSchemas(t *testing.T) {
	t.Parallel()
	store := samples(t)
	a := open(t, store, nil).get("/schemas")
	require.Equal(t, []string{"ok", "versions"}, keys(a.json))
	require.Equal(t, true, a.json["ok"])
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	require.Empty(t, a.Header.Get("Service-Content-Hash"), "it is not about a version")
	require.Empty(t, a.Header.Get("Content-Location"))
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	versions := a.json["versions"].([]any)
	require.Len(t, versions, len(index.Entries()))
	for i, e := range index.Entries() {
		aliases := []any{}
		for _, alias := range e.Aliases {
			aliases = append(aliases, alias)
		}
		want := map[string]any{"id": e.ID.String(), "status": string(e.Status), "content_hash": e.ContentHash.String(), "aliases": aliases}
		if e.Released != "" {
			want["released"] = e.Released
		}
		require.Equal(t, want, versions[i])
	}
}

func TestSchemasChange(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	before := w.get("/schemas")
	w.get("/schemas/" + oddBeta + "/manifest")
	require.NoError(t, store.Remove(taxonomy.MustVersion(oddBeta)))
	for range 2 {
		w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).issue(t, 404, "not_found")
	}
	after := w.get("/schemas", "If-None-Match", before.Header.Get("ETag"))
	require.Len(t, after.json["versions"], 1)
	require.Equal(t, []string{"ok", "retired", "types", "versions"}, keys(after.json))
	require.Equal(t, oddBeta, after.json["retired"].([]any)[0].(map[string]any)["id"])
	w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).issue(t, 404, "not_found")
	w.do(request{path: "/schemas/" + stable + "/manifest"}).issue(t, 404, "not_found")
	added, err := must(published.Store()).Release(t.Context(), taxonomy.MustVersion(stable))
	require.NoError(t, err)
	require.NoError(t, store.Put(listing.Publication{Release: added}))
	w.get("/schemas/" + stable + "/manifest")
}

// oddAndNext returns the odd store, and a version of it that can follow oddBeta.
func oddAndNext(t *testing.T) (*memstore.Store, taxonomy.Version) {
	t.Helper()
	store := odd(t)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	entries := slices.DeleteFunc(index.Entries(), func(e taxonomy.Entry) bool { return e.ID.String() == oddBeta })
	return store, entries[0].ID
}

// TestRetired checks that a retired version stays 404 and says when and why it was retired
// and what to upgrade to.
func TestRetired(t *testing.T) {
	t.Parallel()
	store, next := oddAndNext(t)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	index, err = listing.Remove(index, taxonomy.RetiredVersion{ID: taxonomy.MustVersion(oddBeta), At: "2026-11-16", Successor: next, Reason: "It was misleading."})
	require.NoError(t, err)
	w := open(t, withIndex{store, index}, nil)
	retired := w.get("/schemas").json["retired"].([]any)[0].(map[string]any)
	delete(retired, "content_hash")
	require.Equal(t, map[string]any{"id": oddBeta, "at": "2026-11-16", "successor": next.String(), "reason": "It was misleading."}, retired)
	got := w.do(request{path: "/schemas/" + oddBeta + "/manifest"}).issue(t, 404, "not_found")
	require.Equal(t, "The schema version "+oddBeta+" was retired on 2026-11-16: It was misleading.", got["message"])
	require.Equal(t, "upgrade to "+next.String(), got["fix_hint"])
}

// TestDeprecated checks that answers about a deprecated version have the headers for it,
// also those that are cached, and lose them when that is taken back.
func TestDeprecated(t *testing.T) {
	t.Parallel()
	store, next := oddAndNext(t)
	w := open(t, store, nil)
	check := func(deprecation, sunset, link string) {
		t.Helper()
		for _, path := range []string{"/manifest", "/categories", "/elements"} {
			got := w.do(request{path: "/schemas/" + oddBeta + path}).Header
			require.Equal(t, deprecation, got.Get("Deprecation"), path)
			require.Equal(t, sunset, got.Get("Sunset"), path)
			require.Equal(t, link, got.Get("Link"), path)
			require.Equal(t, "X-Request-Id, Service-Content-Hash, Retry-After", got.Get("Access-Control-Expose-Headers"), "the contract lists them")
		}
	}
	check("", "", "")
	v := taxonomy.MustVersion(oddBeta)
	require.NoError(t, store.Deprecate(v, taxonomy.State{Deprecated: "2026-11-17", Sunset: "2027-06-30", Successor: next, Reason: "It is incomplete."}))
	check("@1794873600", "Wed, 30 Jun 2027 00:00:00 GMT", "</api/v2/schemas/"+next.String()+`/manifest>; rel="successor-version"`)
	etag := w.get("/schemas/" + oddBeta + "/manifest").Header.Get("ETag")
	require.Equal(t, "@1794873600", w.do(request{path: "/schemas/" + oddBeta + "/manifest", header: map[string]string{"If-None-Match": etag}}).Header.Get("Deprecation"))
	require.Empty(t, w.get("/schemas/"+next.String()+"/manifest").Header.Get("Deprecation"))
	for _, e := range w.get("/schemas").json["versions"].([]any) {
		if e := e.(map[string]any); e["id"] == oddBeta {
			require.Equal(t, []any{"2026-11-17", "2027-06-30", next.String(), "It is incomplete."}, []any{e["deprecated"], e["sunset"], e["successor"], e["reason"]})
		}
	}
	require.NoError(t, store.Deprecate(v, taxonomy.State{Deprecated: "2026-11-17"}))
	check("@1794873600", "", "")
	require.NoError(t, store.Deprecate(v, taxonomy.State{}))
	check("", "", "")
}

// withIndex is a store with another index.
type withIndex struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (w withIndex) Index(context.Context) (*taxonomy.Index, error) { return w.index, nil }

// TestVersionScopedReads checks what they have in common.
func TestVersionScopedReads(t *testing.T) {
	t.Parallel()
	store := samples(t)
	w := open(t, store, nil)
	for _, version := range []struct{ asked, canonical, cache string }{
		{stable, stable, day},
		{"ai@latest", stable, day},
		{"ai%40latest", stable, day},
		{"%61i@latest", stable, day},
		{beta, beta, "no-store"},
		{"ai@latest-beta", beta, "no-store"},
	} {
		for _, read := range []struct {
			path string
			keys []string
		}{
			{"/manifest", []string{"manifest", "ok", "version"}},
			{"/categories", []string{"categories", "ok", "version"}},
			{"/elements", []string{"elements", "meta", "ok", "version"}},
			{"/elements/purpose.triage", []string{"element", "ok", "version"}},
			{"/release", []string{"categories", "datachain_type", "elements", "manifest", "symbols"}},
		} {
			t.Run(version.asked+read.path, func(t *testing.T) {
				a := w.in(t).get("/schemas/" + version.asked + read.path)
				require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
				require.Equal(t, read.keys, keys(a.json))
				require.Equal(t, version.cache, a.Header.Get("Cache-Control"))
				require.Equal(t, api+"/schemas/"+version.canonical+read.path, a.Header.Get("Content-Location"))
				release, err := store.Release(t.Context(), taxonomy.MustVersion(version.canonical))
				require.NoError(t, err)
				require.Equal(t, release.ContentHash().String(), a.Header.Get("Service-Content-Hash"))
				if read.path != "/release" {
					require.Equal(t, version.canonical, a.json["version"])
					require.Equal(t, true, a.json["ok"])
				}
			})
		}
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	a := open(t, odd(t), nil).get("/schemas/lager_1@latest/manifest")
	m := a.json["manifest"].(map[string]any)
	require.Equal(t, oddStable, m["id"])
	require.Equal(t, "stable", m["status"])
	require.Equal(t, a.Header.Get("Service-Content-Hash"), m["content_hash"])
	require.Equal(t, []any{map[string]any{"locale": "de", "value": "Ein Lager"}, map[string]any{"locale": "ja", "value": "倉庫"}}, m["title"])
	require.NotEmpty(t, m["description"])
}

func TestCategories(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	categories := w.get("/schemas/" + oddBeta + "/categories").json["categories"].([]any)
	var ids []any
	for _, c := range categories {
		ids = append(ids, c.(map[string]any)["id"])
	}
	require.Equal(t, []any{"zweck", "leer", "ort"}, ids, "in declaration order")
	require.Equal(t, map[string]any{"values": []any{}}, categories[1].(map[string]any)["context"], "always there")
	values := categories[0].(map[string]any)["context"].(map[string]any)["values"].([]any)
	require.NotContains(t, values[0], "color", "a tag has no color")
	require.Equal(t, "circle", categories[0].(map[string]any)["shape"])

	for locales, want := range map[string]int{"": 2, "ja": 1, "JA": 1, "%20de%20,%20ja%20": 2, "en": 0, ",": 2, "de,en": 1} {
		a := w.do(request{path: "/schemas/" + oddBeta + "/categories?locales=" + locales})
		require.Equal(t, 200, a.StatusCode)
		c := a.json["categories"].([]any)[0].(map[string]any)
		require.Len(t, c["name"], want, locales)
		require.Len(t, c["context"].(map[string]any)["values"].([]any)[1].(map[string]any)["label"], want, "also within")
	}
}

func TestReleaseCanBeVerified(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	a := w.get("/schemas/" + oddStable + "/release")
	release, err := taxonomy.DecodeRelease([]byte(a.text), nil)
	require.NoError(t, err)
	require.Equal(t, a.Header.Get("Service-Content-Hash"), release.ContentHash().String())
	canonical, err := document.Canonical([]byte(a.text))
	require.NoError(t, err)
	require.Equal(t, string(canonical), a.text)
}

func TestElement(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/elements/zweck.Lagern"
	e := w.get(at).json["element"].(map[string]any)
	require.Equal(t, []string{"category_id", "description", "icon_variants", "id", "symbol_id", "title", "variables"}, keys(e))
	require.Equal(t, []any{"default", "dark", "offen", "geheim"}, e["icon_variants"])
	for fields, want := range map[string][]string{
		"":                         keys(e),
		"all":                      keys(e),
		"title,all":                keys(e),
		"title":                    {"id", "title"},
		"id":                       {"id"},
		"nonsense":                 {"id"},
		"%20symbol_id%20,%20title": {"id", "symbol_id", "title"},
	} {
		got := w.get(at + "?fields=" + fields).json["element"].(map[string]any)
		require.Equal(t, want, keys(got), fields)
		require.Equal(t, "zweck.Lagern", got["id"])
	}
	for fields, want := range map[string]any{
		"title,id,all":               nil,
		"nonsense":                   map[string]any{"unknown": []any{"nonsense"}},
		"ALL":                        map[string]any{"unknown": []any{"ALL"}},
		"Title,title,x%22,Title,%FF": map[string]any{"unknown": []any{"Title", `x"`, "\uFFFD"}},
	} {
		require.Equal(t, want, w.get(at + "?fields=" + fields).json["meta"], fields)
	}
	title := w.get(at + "?locales=ja&fields=title").json["element"].(map[string]any)["title"]
	require.Equal(t, []any{map[string]any{"locale": "ja", "value": "箱の保管"}}, title)

	issue := w.do(request{path: "/schemas/" + oddStable + "/elements/zweck.Lagen"}).issue(t, 404, "not_found")
	require.Equal(t, "use zweck.Lagern", issue["fix_hint"])
	for _, id := range []string{"a..b", ".a", "a.", "a.b.c", "a%20b", "ä", "a%00", "a%2Fb", "..%2Fx", "a%2F%2Fb", "%25"} {
		w.do(request{path: "/schemas/" + oddStable + "/elements/" + id, wrong: true}).issue(t, 400, "bad_request")
	}
	long := strings.Repeat("a", 129)
	for _, path := range []string{
		"/schemas/" + oddStable + "/elements/" + long, "/schemas/" + oddStable + "/symbols/" + long + ".svg", "/shapes/" + long + ".svg",
		"/schemas/" + oddStable + "/elements/zweck.Lagern/icon." + long + ".svg", "/schemas/" + long + "@latest/manifest", "/schemas/a@" + long + "/manifest",
	} {
		issue := w.do(request{path: path, wrong: true}).issue(t, 400, "bad_request")
		require.Contains(t, issue["message"], "128", path)
	}
}

func TestElementsDefaults(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	a := w.get("/schemas/" + oddStable + "/elements")
	require.EqualValues(t, oddElements+1, a.meta()["total"])
	require.EqualValues(t, 50, a.meta()["returned"])
	require.Len(t, a.ids(), 50)
	require.Equal(t, "zweck.Lagern", a.ids()[0], "in declaration order")
	require.Equal(t, []string{"category_id", "id", "title"}, keys(a.json["elements"].([]any)[0].(map[string]any)))
	require.Equal(t, []string{"next_cursor", "returned", "total"}, keys(a.meta()))

	a = w.get("/schemas/" + oddStable + "/elements?category_id=zweck&fields=all&locales=de")
	require.EqualValues(t, 1, a.meta()["total"])
	require.Nil(t, a.meta()["next_cursor"])
	require.Len(t, a.json["elements"].([]any)[0].(map[string]any)["title"], 1)
	a = w.get("/schemas/" + oddStable + "/elements?category_id=leer")
	require.Empty(t, a.ids())
	require.Equal(t, map[string]any{"total": 0.0, "returned": 0.0, "next_cursor": nil}, a.meta())
	for _, query := range []string{"", "&query=box"} {
		a = w.get("/schemas/" + oddStable + "/elements?category_id=nothing&fields=ALL,title" + query)
		require.Empty(t, a.ids())
		require.Equal(t, map[string]any{"total": 0.0, "returned": 0.0, "next_cursor": nil, "unknown": []any{"ALL", "nothing"}}, a.meta())
	}
	a = w.get("/schemas/" + oddStable + "/elements?ids=zweck.Lagern,nope&fields=ALL")
	require.Equal(t, map[string]any{"total": 1.0, "returned": 1.0, "next_cursor": nil, "missing": []any{"nope"}, "unknown": []any{"ALL"}}, a.meta())
	many := strings.Repeat("x,", 30000)
	require.Equal(t, []any{"x"}, w.do(request{path: "/schemas/" + oddStable + "/elements?fields=" + many}).meta()["unknown"])
}

func TestLimit(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for limit, want := range map[string]int{"": 50, "1": 1, "200": 200, "007": 7} {
		a := w.do(request{path: "/schemas/" + oddStable + "/elements?limit=" + limit, wrong: true})
		require.Equal(t, 200, a.StatusCode)
		require.Len(t, a.ids(), want, limit)
	}
	for _, limit := range []string{"0", "-1", "201", "1e2", "0x10", "1.0", "ten", "%2B5", "%2050", "99999999999999999999", "٥"} {
		issue := w.do(request{path: "/schemas/" + oddStable + "/elements?limit=" + limit, wrong: true}).issue(t, 400, "bad_request")
		require.Contains(t, issue["fix_hint"], "200")
	}
}

// walk follows the cursors of a list.
func walk(t *testing.T, w *world, version, query string, limits ...int) []string {
	t.Helper()
	var ids []string
	cursor := ""
	for i := 0; ; i++ {
		a := w.get(fmt.Sprintf("/schemas/%s/elements?limit=%d%s%s", version, limits[i%len(limits)], query, cursor))
		ids = append(ids, a.ids()...)
		require.EqualValues(t, len(a.ids()), a.meta()["returned"])
		next, ok := a.meta()["next_cursor"].(string)
		if !ok {
			require.EqualValues(t, len(ids), a.meta()["total"])
			return ids
		}
		_, err := base64.RawURLEncoding.DecodeString(next)
		require.NoError(t, err, "a cursor is base64")
		cursor = "&cursor=" + next
	}
}

func TestPagination(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	var all []string
	for _, e := range oddContent().Elements {
		all = append(all, e.ID)
	}
	require.Equal(t, all, walk(t, w, oddStable, "", 7, 200, 1), "no element is missing or repeated")
	require.Equal(t, all, walk(t, w, oddStable, "", 77))
	require.Equal(t, all[1:], walk(t, w, "lager_1@latest", "&category_id=ort", 115), "exactly two pages")
	found := walk(t, w, oddStable, "&query=regal&locale=de", 50)
	require.Len(t, found, oddElements+1)
	slices.Sort(found)
	require.Len(t, slices.Compact(found), oddElements+1)
}

func TestCursorBelongsToItsList(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	cursor := func(path string) string {
		return w.get("/schemas/" + path).meta()["next_cursor"].(string)
	}
	ofBeta := cursor(oddBeta + "/elements?limit=5")
	searched := cursor(oddStable + "/elements?limit=5&query=Regal&locale=de&category_id=ort")
	plain := cursor(oddStable + "/elements?limit=5")
	for _, path := range []string{
		oddStable + "/elements?limit=9&fields=all&locales=ja&cursor=" + plain,
		"lager_1@latest/elements?cursor=" + plain,
		oddStable + "/elements?locale=de&cursor=" + plain, // the default
		oddStable + "/elements?query=%20Regal%20&locale=de&category_id=ort&cursor=" + searched,
	} {
		require.Equal(t, 200, w.do(request{path: "/schemas/" + path}).StatusCode, path)
	}
	refused := []string{
		oddBeta + "/elements?cursor=" + plain,
		oddStable + "/elements?cursor=" + ofBeta,
		oddStable + "/elements?category_id=ort&cursor=" + plain,
		oddStable + "/elements?locale=ja&cursor=" + plain,
		oddStable + "/elements?query=Regal&cursor=" + plain,
		oddStable + "/elements?query=Kiste&locale=de&category_id=ort&cursor=" + searched,
		oddStable + "/elements?query=Regal&locale=ja&category_id=ort&cursor=" + searched,
		oddStable + "/elements?query=Regal&locale=de&cursor=" + searched,
		oddStable + "/elements?cursor=" + plain[:len(plain)-1],
		oddStable + "/elements?cursor=" + plain + "A",
		oddStable + "/elements?cursor=AAAA",
		oddStable + "/elements?cursor=%00",
		oddStable + "/elements?cursor=" + strings.Repeat("A", 10000),
	}
	changed := oddContent()
	changed.Title = text("Ein anderes Lager", "倉庫")
	require.NoError(t, store.Put(publication(t, oddBeta, changed)))
	refused = append(refused, oddBeta+"/elements?cursor="+ofBeta)
	for _, path := range refused {
		issue := w.do(request{path: "/schemas/" + path}).issue(t, 400, "bad_request")
		require.Equal(t, "Invalid pagination cursor.", issue["message"])
		require.Equal(t, "retry without a cursor", issue["fix_hint"])
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	w := open(t, samples(t), nil)
	search := func(query string) []string { return w.get("/schemas/" + stable + "/elements?" + query).ids() }
	require.Equal(t, "purpose.triage", search("query=triage")[0])
	require.Equal(t, "purpose.triage", search("query=triage&locale=en")[0])
	require.Equal(t, "purpose.triage", search("query=Tri+m%C3%A9dical&locale=fr-CA")[0], "the best match of a locale")
	require.Equal(t, "purpose.triage", search("query=tri+medical&locale=FR")[0])
	require.Empty(t, search("query=triage&locale=ja"), "a language that the version does not have")
	require.Empty(t, search("query=qqqqqqqqq"))
	path := "/schemas/" + stable + "/elements?fields=id&limit=1&query="
	require.Contains(t, w.get(path+"trigae,+Patient").text, `"did_you_mean":"triage, Patient"`, "a typo")
	require.NotContains(t, w.get(path+"triage").text, "did_you_mean")
	all := search("limit=200")
	require.Equal(t, all, search("limit=200&query=%20%09"), "white space is ignored")
	require.Equal(t, all, search("limit=200&query="))
	for _, id := range search("query=decision&category_id=purpose&limit=200") {
		require.True(t, strings.HasPrefix(id, "purpose."), id)
	}
	for _, locale := range []string{"english!", "e", "-", "en_", "%ff", strings.Repeat("a", 300)} {
		w.do(request{path: "/schemas/" + stable + "/elements?locale=" + locale, wrong: true}).issue(t, 400, "bad_request")
	}
	// Titles count more than descriptions: the word in a title wins.
	o := open(t, odd(t), nil)
	require.Equal(t, "zweck.Lagern", o.get("/schemas/" + oddStable + "/elements?query=lagern&locale=de").ids()[0])
	require.Equal(t, []string{"zweck.Lagern"}, o.get("/schemas/"+oddStable+"/elements?query=%E4%BF%9D%E7%AE%A1&locale=ja").ids())
}

func TestElementsByID(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/elements?ids="
	a := w.get(at + "ort.r007,zweck.Lagern,nothing,ort.r007,nope.x")
	require.Equal(t, []string{"ort.r007", "zweck.Lagern"}, a.ids(), "in the requested order")
	require.Equal(t, map[string]any{"total": 2.0, "returned": 2.0, "next_cursor": nil, "missing": []any{"nothing", "nope.x"}}, a.meta())
	require.Equal(t, []any{}, w.get(at + "ort.r007").meta()["missing"])
	require.Len(t, w.get(at + "ort.r007&fields=all").json["elements"].([]any)[0], 7)

	var ids []string
	for _, e := range oddContent().Elements[:101] {
		ids = append(ids, e.ID)
	}
	require.Len(t, w.get(at+strings.Join(append(ids[:100:100], ids[:100]...), ",")).ids(), 100, "an id counts once")
	require.Contains(t, w.do(request{path: at + strings.Join(ids, ",")}).issue(t, 400, "bad_request")["fix_hint"], "100")
	w.do(request{path: at + "a..b"}).issue(t, 400, "bad_request")
	for _, other := range []string{"query=x", "cursor=AAAA", "limit=5", "locale=!"} {
		w.do(request{path: at + "ort.r007&" + other, wrong: other == "locale=!"}).issue(t, 400, "bad_request")
	}
	require.Len(t, w.get(at+"ort.r007&query=%20&locale=de").ids(), 1, "white space is ignored")
}

func TestQueryStrings(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/elements?"
	for _, twice := range []string{"limit=3&limit=5", "limit=3&limit=3", "query=a&query=b"} {
		w.do(request{path: at + twice, wrong: true}).issue(t, 400, "bad_request")
	}
	require.Equal(t, w.get(at+"ids=ort.r007,zweck.Lagern&fields=title").text,
		w.do(request{path: at + "ids=ort.r007&fields=title&ids=zweck.Lagern", wrong: true}).text, "a repeated list")
	require.Len(t, w.get(at+"nonsense=1&limit=3&x=%F0%9F%98%80&&").ids(), 3, "unknown parameters are ignored")
	w.do(request{path: at + "query=%zz", wrong: true}).issue(t, 400, "bad_request")
	a := w.get(at + "limit=3&query=Regal&locale=de&nonsense=1")
	require.Equal(t, api+"/schemas/"+oddStable+"/elements?locale=de&query=Regal&limit=3", a.Header.Get("Content-Location"))
	require.Equal(t, a.text, w.get(strings.TrimPrefix(a.Header.Get("Content-Location"), api)).text)
}

func TestBetaChangesAppearAtOnce(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	before := w.get("/schemas/" + oddBeta + "/elements/zweck.Lagern")
	changed := oddContent()
	changed.Elements[0].Title = text("Neu", "新")
	require.NoError(t, store.Put(publication(t, oddBeta, changed)))
	after := w.get("/schemas/"+oddBeta+"/elements/zweck.Lagern", "If-None-Match", before.Header.Get("ETag"))
	require.Contains(t, after.text, "Neu")
	require.NotEqual(t, before.Header.Get("Service-Content-Hash"), after.Header.Get("Service-Content-Hash"))
}

func TestShapes(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, shape := range taxonomy.Shapes() {
		a := w.get("/shapes/" + string(shape) + ".svg")
		require.Equal(t, "image/svg+xml; charset=utf-8", a.Header.Get("Content-Type"))
		require.Equal(t, forEver, a.Header.Get("Cache-Control"))
		require.True(t, strings.HasPrefix(a.text, `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36" `), a.text)
		require.Empty(t, a.Header.Get("Service-Content-Hash"))
	}
	issue := w.do(request{path: "/shapes/triangle.svg", wrong: true}).issue(t, 404, "not_found")
	for _, shape := range taxonomy.Shapes() {
		require.Contains(t, issue["fix_hint"], shape)
	}
	for _, bad := range []string{"a.b", "%20", "a%2Fb", "%C3%A4", "%2e%2e"} {
		w.do(request{path: "/shapes/" + bad + ".svg", wrong: true}).issue(t, 400, "bad_request")
	}
	w.do(request{path: "/shapes/circle"}).issue(t, 404, "not_found")
	w.do(request{path: "/shapes/.svg"}).issue(t, 400, "bad_request")
}

func TestSymbols(t *testing.T) {
	t.Parallel()
	store := odd(t)
	w := open(t, store, nil)
	for version, cache := range map[string]string{oddStable: forEver, "lager_1@latest": forEver, oddBeta: "public, max-age=3600"} {
		a := w.get("/schemas/" + version + "/symbols/Kiste-1.svg")
		require.Equal(t, "image/svg+xml; charset=utf-8", a.Header.Get("Content-Type"))
		require.Equal(t, cache, a.Header.Get("Cache-Control"))
		require.Equal(t, "default-src 'none'; style-src 'unsafe-inline'; sandbox", a.Header.Get("Content-Security-Policy"))
		require.Equal(t, oddContent().Symbols["Kiste-1"], a.text)
		require.NotEmpty(t, a.Header.Get("Service-Content-Hash"))
	}
	near := w.do(request{path: "/schemas/" + oddStable + "/symbols/Kiste-2.svg"}).issue(t, 404, "not_found")
	require.Equal(t, "use Kiste-1", near["fix_hint"])
	w.do(request{path: "/schemas/nope@latest/symbols/Kiste-1.svg"}).issue(t, 404, "not_found")
	w.do(request{path: "/schemas/nope/symbols/Kiste-1.svg", wrong: true}).issue(t, 400, "bad_request")
	w.do(request{path: "/schemas/" + oddStable + "/symbols/Kiste.1.svg", wrong: true}).issue(t, 400, "bad_request")
	w.do(request{path: "/schemas/" + oddStable + "/symbols/Kiste-1"}).issue(t, 404, "not_found")
}

func TestIcons(t *testing.T) {
	t.Parallel()
	hit, miss := &baked{Store: odd(t), has: true}, &baked{Store: odd(t)}
	for _, tt := range []struct {
		name  string
		store taxonomy.Store
		beta  string
		logs  bool
	}{
		{"pre-baked", hit, "public, max-age=3600", false},
		{"missing", miss, "public, max-age=60", true},
		{"no such store", odd(t), "public, max-age=60", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := open(t, tt.store, nil)
			for version, cache := range map[string]string{oddStable: forEver, "lager_1@latest": forEver, oddBeta: tt.beta} {
				for _, file := range []string{"icon.svg", "icon.default.svg", "icon.dark.svg", "icon.offen.svg", "icon.geheim.svg"} {
					a := w.get("/schemas/" + version + "/elements/zweck.Lagern/" + file)
					require.Equal(t, "image/svg+xml; charset=utf-8", a.Header.Get("Content-Type"))
					require.Equal(t, cache, a.Header.Get("Cache-Control"), file)
					require.Equal(t, strings.Replace(file, "icon.default", "icon", 1), a.Header.Get("Content-Location")[strings.LastIndex(a.Header.Get("Content-Location"), "/")+1:])
				}
			}
			lines := w.log.lines("icon_miss_fallback")
			if !tt.logs {
				require.Empty(t, lines)
				return
			}
			require.Len(t, lines, 8, "once for each variant of each version")
			require.Contains(t, strings.Join(lines, "\n"), "version="+oddBeta+" element_id=zweck.Lagern variant=geheim")
		})
	}
}

func TestIconBytesAreTheSame(t *testing.T) {
	t.Parallel()
	composed, kept := open(t, samples(t), nil), open(t, &baked{Store: samples(t), has: true}, nil)
	icons := map[string]bool{}
	for _, file := range []string{"icon.svg", "icon.dark.svg", "icon.personal.svg"} {
		at := "/schemas/" + stable + "/elements/input_data.health/" + file
		a, b := composed.do(request{path: at}), kept.do(request{path: at})
		require.Equal(t, a.StatusCode, b.StatusCode)
		require.Equal(t, a.text, b.text, "composed and pre-baked icons have the same bytes")
		require.Equal(t, a.Header.Get("ETag"), b.Header.Get("ETag"))
		icons[a.text] = true
	}
	require.Len(t, icons, 3)
}

func TestIconFailures(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	at := "/schemas/" + oddStable + "/elements/zweck.Lagern/"
	issue := w.do(request{path: at + "icon.nope.svg"}).issue(t, 404, "not_found")
	for _, variant := range []string{"default", "dark", "offen", "geheim"} {
		require.Contains(t, issue["fix_hint"], variant)
	}
	w.do(request{path: at + "icon.offen.svg", header: map[string]string{"If-None-Match": "*"}})
	w.do(request{path: "/schemas/" + oddStable + "/elements/ort.r001/icon.offen.svg"}).issue(t, 404, "not_found")
	w.do(request{path: "/schemas/" + oddStable + "/elements/ort.nope/icon.svg"}).issue(t, 404, "not_found")
	w.do(request{path: "/schemas/lager_1@nope/elements/zweck.Lagern/icon.svg"}).issue(t, 404, "not_found")
	for _, file := range []string{"icon.a.b.svg", "icon.%20.svg", "icon..svg", "icon.%2e%2e%2f.svg", "icon.%00.svg"} {
		w.do(request{path: at + file, wrong: true}).issue(t, 400, "bad_request")
	}
	w.do(request{path: "/schemas/" + oddStable + "/elements/a..b/icon.svg", wrong: true}).issue(t, 400, "bad_request")
	for _, file := range []string{"icon", "icon.png", "ICON.svg", "symbol.svg", "icon.svg.svg.txt"} {
		w.do(request{path: at + file}).issue(t, 404, "not_found")
	}
	require.Empty(t, w.log.lines("request failed"), "none of this is a failure of the server")
}
