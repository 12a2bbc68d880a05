package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

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
