package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
)

// reference is the standard mux with the same patterns.
func reference() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern := range httpapi.Patterns() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			for _, name := range []string{"version", "element_id", "file"} {
				w.Header().Set(name, r.PathValue(name))
			}
			w.Header().Set("pattern", pattern)
		})
	}
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	return mux
}

// FuzzRoute shows that a path has the same route as in the standard mux.
func FuzzRoute(f *testing.F) {
	for pattern := range httpapi.Patterns() {
		f.Add(pattern)
		f.Add(pattern + "/")
		f.Add(pattern + "/more")
	}
	const s = api + "/schemas/"
	for _, seed := range []string{
		"/", "/api", api, api + "/", s, s + "v/", s + "v/elements/a%2Fb", s + "v/elements/a%2fb/icon.svg", s + "a%2Fmanifest", s + "%2F/manifest",
		s + "v/element%73", s + "v%2Felements", s + "v/elements/%00", s + "v/elements/%25", s + "v/elements/%2525", s + "v/elements/é", s + "v/elements/%C3%A9",
		s + "v/elements/a b", s + "v/elements/%20", s + "v/elements/%ff/icon.svg", s + "v/elements/a+b", s + "v/elements/a;b", s + "v/elements/a:b@c",
		s + "%2E%2E/manifest", s + "../manifest", s + "./manifest", s + ".well/manifest", s + "v//manifest", s + "v/manifest%2F", s + "v/elements/..%2F..",
		"/a/b/c/d/e/f/g/h/i/j/k/l", "/api/v2/schemas/a/b/c/d/e/f/g", "/API/v2/schemas", "/api%2Fv2/schemas", "/{version}", api + "/shapes/{file}",
	} {
		f.Add(seed)
	}
	mux := reference()
	f.Fuzz(func(t *testing.T, target string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || u.Host != "" || u.Opaque != "" || len(u.Path) == 0 || u.Path[0] != '/' {
			return
		}
		r := &http.Request{Method: http.MethodGet, URL: u, Host: "host", RequestURI: target}
		pattern, version, elementID, file := httpapi.Find(r)
		if u.Path != path.Clean(u.Path) {
			require.Empty(t, pattern, "the mux would redirect")
			return
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		h := w.Header()
		if w.Code != http.StatusOK {
			require.Empty(t, pattern, "the mux would redirect")
			return
		}
		require.Equal(t, []string{h.Get("pattern"), h.Get("version"), h.Get("element_id"), h.Get("file")},
			[]string{pattern, version, elementID, file}, "%s", target)
	})
}
