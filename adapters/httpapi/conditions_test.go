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
