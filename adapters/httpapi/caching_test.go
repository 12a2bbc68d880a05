package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
)

// everyRead has a path of each GET route.
var everyRead = []string{
	"/schemas",
	"/schemas/" + oddStable + "/manifest",
	"/schemas/" + oddStable + "/categories?locales=ja",
	"/schemas/" + oddStable + "/elements?query=regal&locale=de",
	"/schemas/" + oddBeta + "/elements?limit=200&fields=all",
	"/schemas/" + oddStable + "/elements/zweck.Lagern",
	"/schemas/" + oddStable + "/elements/zweck.Lagern/icon.svg",
	"/schemas/" + oddBeta + "/elements/zweck.Lagern/icon.dark.svg",
	"/schemas/" + oddStable + "/symbols/Kiste-1.svg",
	"/schemas/" + oddStable + "/release",
	"/shapes/octagon.svg",
	"/json-schemas/instance.json",
	"/openapi.json",
}

func TestHead(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	paths := append([]string{"/nothing", "/schemas/lager_1@nope/manifest", "/schemas/lager_1/manifest"}, everyRead...)
	for _, path := range paths {
		for _, encoding := range []string{"", "gzip"} {
			header := map[string]string{"X-Request-Id": "same"}
			if encoding != "" {
				header["Accept-Encoding"] = encoding
			}
			get := w.do(request{path: path, header: header, wrong: true})
			head := w.do(request{method: "HEAD", path: path, header: header, wrong: true})
			require.Equal(t, get.StatusCode, head.StatusCode, path)
			require.Empty(t, head.raw)
			require.EqualValues(t, len(get.raw), head.ContentLength, path)
			get.Header.Del("Date")
			head.Header.Del("Date")
			require.Equal(t, get.Header, head.Header, path)
		}
	}
	w.do(request{method: "HEAD", path: "/schemas/" + oddStable + "/validate"})
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	large := "/schemas/" + oddStable + "/elements?limit=200&fields=all"
	plain := w.get(large)
	require.Empty(t, plain.Header.Get("Content-Encoding"))
	for accepted, want := range map[string]string{
		"": "", "identity": "", "br": "", "gzip": "gzip", "x-gzip": "gzip", "GZIP": "gzip", "zstd": "", "gzip, deflate, br, zstd": "gzip",
		"zstd, gzip;q=0.1": "gzip", "gzip;q=0": "", "*": "gzip", "*;q=0": "", "gzip;q=0, *": "",
		"gzip;q=2": "", "gzip;q=x": "", "identity, gzip;q=0.5": "", "identity;q=0.5, gzip;q=0.5": "gzip", ";;,,": "", "gzip ; q=0.5": "gzip",
	} {
		a := w.get(large, "Accept-Encoding", accepted)
		require.Equal(t, want, a.Header.Get("Content-Encoding"), accepted)
		require.Equal(t, "Accept-Encoding", a.Header.Get("Vary"))
		require.Equal(t, plain.text, a.text, "the same bytes, decoded")
		require.EqualValues(t, len(a.raw), a.ContentLength)
		require.Equal(t, want != "", len(a.raw) < len(plain.raw))
		require.Equal(t, want == "", a.Header.Get("ETag") == plain.Header.Get("ETag"), "each encoding has its own tag")
	}
	small := w.get("/schemas/"+oddStable+"/manifest", "Accept-Encoding", "gzip")
	require.Empty(t, small.Header.Get("Content-Encoding"), "small bodies are not compressed")

	// Responses to POST are compressed, too.
	sent := strings.NewReader(oddDocument(oddStable))
	a := w.do(request{method: "POST", path: "/schemas/" + oddStable + "/resolve", body: sent, header: map[string]string{"Accept-Encoding": "gzip"}, wrong: true})
	require.Equal(t, "gzip", a.Header.Get("Content-Encoding"))
	require.Equal(t, w.post("/schemas/"+oddStable+"/resolve", oddDocument(oddStable)).text, a.text)
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for i, path := range everyRead {
		if testing.Short() && i%4 != 0 {
			continue
		}
		for _, encoding := range []string{"identity", "gzip"} {
			a := w.get(path, "Accept-Encoding", encoding)
			tag := a.Header.Get("ETag")
			for _, fields := range []string{tag, "W/" + tag, `"other", ` + tag + `, "more"`, `W/"other",` + tag, "*"} {
				for _, method := range []string{"GET", "HEAD"} {
					b := w.do(request{method: method, path: path, header: map[string]string{"Accept-Encoding": encoding, "If-None-Match": fields}})
					require.Equal(t, 304, b.StatusCode, "%s %s", path, fields)
					require.Empty(t, b.raw)
					for _, name := range []string{"ETag", "Cache-Control", "Vary", "Content-Location", "Service-Content-Hash"} {
						require.Equal(t, a.Header.Get(name), b.Header.Get(name), name)
					}
				}
			}
			for _, fields := range []string{`"other"`, strings.Trim(tag, `"`), `""`, ",", strings.ToUpper(tag) + "x"} {
				b := w.do(request{path: path, header: map[string]string{"Accept-Encoding": encoding, "If-None-Match": fields}})
				require.Equal(t, 200, b.StatusCode, "%s %s", path, fields)
			}
		}
	}
}

// TestNotModifiedInAnotherEncoding shows that a 304 names what the client has, and
// never an encoding that it does not accept.
func TestNotModifiedInAnotherEncoding(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	path := "/schemas/" + oddStable + "/elements?limit=200"
	tags := map[string]string{}
	for _, encoding := range []string{"identity", "gzip"} {
		tags[encoding] = w.get(path, "Accept-Encoding", encoding).Header.Get("ETag")
	}
	for _, tt := range []struct {
		has, accepts string
		status       int
	}{
		{"identity", "gzip", 304},
		{"gzip", "gzip, identity;q=0.5", 304},
		{"gzip", "identity, gzip;q=0.5", 304},
		{"gzip", "identity", 200},
		{"gzip", "zstd, gzip;q=0", 200},
	} {
		a := w.do(request{path: path, header: map[string]string{"Accept-Encoding": tt.accepts, "If-None-Match": tags[tt.has]}})
		require.Equal(t, tt.status, a.StatusCode, "%+v", tt)
		if tt.status == 304 {
			require.Equal(t, tags[tt.has], a.Header.Get("ETag"))
		}
	}
	failed := w.do(request{path: "/schemas/lager_1@nope/manifest", header: map[string]string{"If-None-Match": "*"}})
	failed.issue(t, 404, "not_found")
}

func TestAliasMaxAge(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{AliasMaxAge: 90 * time.Second})
	for path, want := range map[string]string{
		"/schemas/lager_1@latest/manifest":                            "public, max-age=90",
		"/schemas/lager_1@latest/symbols/Kiste-1.svg":                 "public, max-age=90",
		"/schemas/lager_1@latest/elements/zweck.Lagern/icon.svg":      "public, max-age=90",
		"/schemas/" + oddStable + "/manifest":                         day,
		"/schemas/lager_1%402024-02-29-stable/manifest":               day,
		"/schemas/" + oddStable + "/symbols/Kiste-1.svg":              forEver,
		"/schemas/lager_1@latest-beta/manifest":                       "no-store",
		"/schemas/lager_1@latest-beta/symbols/Kiste-1.svg":            "public, max-age=90",
		"/schemas/lager_1@latest-beta/elements/zweck.Lagern/icon.svg": "public, max-age=60",
		"/schemas/" + oddBeta + "/symbols/Kiste-1.svg":                "public, max-age=3600",
		"/shapes/circle.svg":                                          forEver,
	} {
		require.Equal(t, want, w.get(path).Header.Get("Cache-Control"), path)
	}
	never := open(t, odd(t), &httpapi.Options{AliasMaxAge: -1})
	for path, want := range map[string]string{
		"/schemas/lager_1@latest/manifest":                            "public, max-age=0",
		"/schemas/lager_1@latest/symbols/Kiste-1.svg":                 "public, max-age=0",
		"/schemas/" + oddStable + "/manifest":                         day,
		"/schemas/lager_1@latest-beta/manifest":                       "no-store",
		"/schemas/lager_1@latest-beta/elements/zweck.Lagern/icon.svg": "public, max-age=0",
	} {
		require.Equal(t, want, never.get(path).Header.Get("Cache-Control"), path)
	}
	off := open(t, odd(t), nil)
	require.Equal(t, day, off.get("/schemas/lager_1@latest/manifest").Header.Get("Cache-Control"), "off by default")
}

// TestIfMatch shows that a read with a condition that does not hold fails, and that
// the condition is about the content in any encoding that the client accepts.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for _, path := range everyRead {
		tag := w.get(path).Header.Get("ETag")
		packed := w.get(path, "Accept-Encoding", "gzip").Header.Get("ETag")
		for _, holds := range []string{tag, "*", `"other", ` + tag, " " + tag + " ,"} {
			w.get(path, "If-Match", holds)
		}
		w.get(path, "If-Match", packed, "Accept-Encoding", "gzip")
		for _, fails := range []string{`"other"`, "W/" + tag, strings.Trim(tag, `"`), "", `"`} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				a := w.do(request{method: method, path: path, header: map[string]string{"If-Match": fails, "If-None-Match": tag}})
				require.Equal(t, http.StatusPreconditionFailed, a.StatusCode, "%s %s: %s", path, fails, a.text)
				require.Empty(t, a.Header.Get("Content-Location"))
				if method == http.MethodGet {
					a.issue(t, http.StatusPreconditionFailed, "precondition_failed")
				}
			}
		}
		same := w.do(request{path: path, header: map[string]string{"If-Match": tag, "If-None-Match": tag}})
		require.Equal(t, http.StatusNotModified, same.StatusCode, path)
	}
	missing := w.do(request{path: "/schemas/" + oddStable + "/elements/nope", header: map[string]string{"If-Match": `"x"`}})
	missing.issue(t, http.StatusNotFound, "not_found")
	posted := w.do(request{
		method: http.MethodPost, path: "/schemas/" + oddStable + "/validate", wrong: true,
		body: strings.NewReader(oddDocument(oddStable)), header: map[string]string{"If-Match": `"x"`},
	})
	require.Equal(t, http.StatusOK, posted.StatusCode, "a document that is posted has no tag")
}

// TestContentHashOfFailures shows that failures name the content that they are
// about as soon as the version is known.
func TestContentHashOfFailures(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), &httpapi.Options{MaxBody: 4000})
	hash := w.get("/schemas/" + oddStable + "/manifest").Header.Get("Service-Content-Hash")
	require.NotEmpty(t, hash)
	at := "/schemas/" + oddStable
	for _, tt := range []struct {
		method, path, body string
		status             int
		known              bool
	}{
		{"GET", at + "/elements/nope", "", 404, true},
		{"GET", at + "/elements/nope/icon.svg", "", 404, true},
		{"GET", at + "/elements/zweck.Lagern/icon.nope.svg", "", 404, true},
		{"GET", at + "/symbols/nope.svg", "", 404, true},
		{"GET", at + "/elements?limit=1000", "", 400, true},
		{"GET", at + "/elements?cursor=nope", "", 400, true},
		{"HEAD", at + "/elements/nope", "", 404, true},
		{"POST", at + "/validate", "{", 400, true},
		{"POST", at + "/resolve", strings.Repeat(" ", 5000), 413, true},
		{"GET", "/schemas/lager_1@latest/elements/nope", "", 404, true},
		{"GET", "/schemas/lager_1@nope/manifest", "", 404, false},
		{"GET", "/schemas/lager_1/manifest", "", 400, false},
		{"PUT", at + "/manifest", "", 405, false},
		{"GET", "/shapes/nope.svg", "", 404, false},
		{"GET", "/nothing", "", 404, false},
	} {
		a := w.do(request{method: tt.method, path: tt.path, body: strings.NewReader(tt.body), wrong: true})
		require.Equal(t, tt.status, a.StatusCode, "%s: %s", tt.path, a.text)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		if tt.known {
			require.Equal(t, hash, a.Header.Get("Service-Content-Hash"), tt.path)
		} else {
			require.Empty(t, a.Header.Get("Service-Content-Hash"), tt.path)
		}
	}
}

// TestExpect shows that the handler refuses expectations which net/http lets pass,
// as it does over HTTP/2.
func TestExpect(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	server := httptest.NewUnstartedServer(handler(t, nil))
	server.Listener = httpapi.Listener(server.Listener, nil)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	transport := &http.Transport{Protocols: new(http.Protocols), ExpectContinueTimeout: time.Minute}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	for expect, status := range map[string]int{"tea": 417, "100-continue": 200, "100-Continue": 200, "": 200} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+api+"/schemas/"+oddStable+"/validate", strings.NewReader(oddDocument(oddStable)))
		require.NoError(t, err)
		if expect != "" {
			r.Header.Set("Expect", expect)
		}
		res, err := transport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, 2, res.ProtoMajor)
		require.Equal(t, status, res.StatusCode, expect)
	}
	for _, said := range []string{ask("GET", api+"/schemas", "Expect: tea"), ask("POST", api+"/nothing", "Expect: a, b")} {
		all := w.say(said)
		require.Len(t, all, 1)
		decent(t, said, all[0])
		require.Equal(t, http.StatusExpectationFailed, all[0].StatusCode)
		require.NotEmpty(t, all[0].raw)
	}
}
