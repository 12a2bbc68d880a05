package httpapi_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	title := w.get(at + "?locales=ja&fields=title").json["element"].(map[string]any)["title"]
	require.Equal(t, []any{map[string]any{"locale": "ja", "value": "箱の保管"}}, title)

	issue := w.do(request{path: "/schemas/" + oddStable + "/elements/zweck.Lagen"}).issue(t, 404, "not_found")
	require.Equal(t, "use zweck.Lagern", issue["fix_hint"])
	for _, id := range []string{"a..b", ".a", "a.", "a.b.c", "a%20b", "ä", "a%00", "a%2Fb", "%25", strings.Repeat("a", 129)} {
		w.do(request{path: "/schemas/" + oddStable + "/elements/" + id, wrong: true}).issue(t, 400, "bad_request")
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
	for _, category := range []string{"leer", "nothing"} {
		a = w.get("/schemas/" + oddStable + "/elements?category_id=" + category)
		require.Empty(t, a.ids())
		require.Equal(t, map[string]any{"total": 0.0, "returned": 0.0, "next_cursor": nil}, a.meta())
	}
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
