package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// maxFuzzed is the size of the largest body: what a larger one finds, a small one
// finds in a fraction of the time.
const maxFuzzed = 4 << 10

// failureLog counts what a request must not cause, instead of keeping it.
type failureLog struct {
	slog.Handler
	failures atomic.Int64
}

func (f *failureLog) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn
}

func (f *failureLog) Handle(context.Context, slog.Record) error {
	f.failures.Add(1)
	return nil
}

// fuzzed returns a handler of a small taxonomy.
func fuzzed(f *testing.F, log *failureLog) http.Handler {
	f.Helper()
	content := oddContent()
	content.Elements = content.Elements[:3]
	release, err := taxonomy.NewRelease(taxonomy.MustVersion(oddStable), content)
	require.NoError(f, err)
	draft, err := release.WithVersion(taxonomy.MustVersion(oddBeta))
	require.NoError(f, err)
	store, err := memstore.New(listing.Publication{Release: release}, listing.Publication{Release: draft})
	require.NoError(f, err)
	h, err := httpapi.New(must(datachain.New(store, nil)), &httpapi.Options{Logger: slog.New(log), MaxBody: maxFuzzed})
	require.NoError(f, err)
	return h
}

// FuzzHandler sends any request that net/http accepts.
func FuzzHandler(f *testing.F) {
	log := new(failureLog)
	h := fuzzed(f, log)
	for i, path := range everyPath() {
		if method := []string{"GET", "POST"}[i%2]; method == "GET" {
			f.Add(method, path, "Accept-Encoding: gzip", "")
		} else {
			f.Add(method, path+"?locale=de", "Content-Encoding: br", oddDocument(oddStable))
		}
	}
	for i, path := range []string{
		"*", "//", "/%00", "/%2e%2e/", "/api/v2/schemas/%ff@latest/manifest", "http://x/api/v2/schemas", "/api/v2/schemas/lager_1%40latest/elements?cursor=AA&limit=1",
		"/api/v2/schemas/lager_1@latest/elements?query=regal&fields=all&locales=de,ja&limit=2", "/api/v2/schemas/lager_1@latest/elements?ids=a,b&limit=%zz",
		"/api/v2/schemas/lager_1@latest/elements/zweck.Lagern/icon.dark.svg", "/api/v2/schemas/lager_1@latest/elements/zweck.Lagern/icon.%00.svg",
	} {
		fields := []string{"If-None-Match: *\r\nRange: bytes=0-", "If-Match: *\r\nExpect: 100-continue", "X-Request-Id: a\r\nService-Client: b\r\nForwarded: for=x"}
		f.Add([]string{"HEAD", "GET", "BREW"}[i%3], path, fields[i%3], "[]")
	}
	for i, body := range []string{"{}", "null", `{"schema_snapshot":{}}`, `{"schema_version":1}`, strings.Repeat("[", 70), "\ufeff", `{"id":"\ud800"}`, "\xff"} {
		f.Add("POST", "/api/v2/schemas/"+oddBeta+"/"+operations[i%len(operations)], "Transfer-Encoding: identity", body)
	}
	f.Fuzz(func(t *testing.T, method, target, fields, body string) {
		said := method + " " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n" + strings.TrimSpace(fields) + "\r\n\r\n" + body
		if len(said) > 2*maxFuzzed {
			return
		}
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(said)))
		if err != nil {
			return
		}
		r.RemoteAddr = "192.0.2.1:1"
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r.WithContext(t.Context()))
		judgeFuzzed(t, said, rec)
		require.Zero(t, log.failures.Load())
	})
}

// aRequestID is compiled once, not for each input.
var aRequestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// judgeFuzzed fails if a response is not what clients can rely on.
func judgeFuzzed(t *testing.T, said string, rec *httptest.ResponseRecorder) {
	t.Helper()
	header := rec.Result().Header //nolint:bodyclose // there is none to close
	for name, values := range header {
		for _, value := range values {
			require.NotContains(t, value, "\n", name)
			require.NotContains(t, value, "\r", name)
			require.Less(t, len(value), 8<<10, name)
		}
	}
	require.Equal(t, "*", header.Get("Access-Control-Allow-Origin"))
	require.Regexp(t, aRequestID, header.Get("X-Request-Id"))
	require.Empty(t, header.Get("Location"))
	require.Less(t, rec.Code, 500)
	if header.Get("Content-Encoding") != "" || rec.Body.Len() == 0 {
		return
	}
	text := rec.Body.String()
	require.True(t, utf8.ValidString(text), "%q", text)
	if rec.Code < 400 {
		return
	}
	discreet(t, said, text)
	a := &answer{Response: rec.Result(), text: text} //nolint:bodyclose // there is none to close
	require.NoError(t, json.Unmarshal([]byte(text), &a.json), text)
	issue := a.issue(t, rec.Code, statusCodes[rec.Code])
	for _, r := range issue["message"].(string) {
		require.GreaterOrEqual(t, r, ' ', "%q", text)
	}
}
