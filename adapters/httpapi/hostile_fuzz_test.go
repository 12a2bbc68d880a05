package httpapi_test

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
)

// FuzzHandler sends any request that net/http accepts.
func FuzzHandler(f *testing.F) {
	releases, err := oddReleases()
	require.NoError(f, err)
	store, err := memstore.New(taxonomy.Publication{Release: releases[0]}, taxonomy.Publication{Release: releases[1]})
	require.NoError(f, err)
	log := &logbook{}
	h, err := httpapi.New(datachain.New(store, nil), &httpapi.Options{Logger: slog.New(log)})
	require.NoError(f, err)
	for _, path := range everyPath() {
		f.Add("GET", path, "Accept-Encoding: gzip", "")
		f.Add("POST", path+"?locale=de", "Content-Encoding: br", oddDocument(oddStable))
	}
	for _, path := range []string{
		"*", "/", "//", "/%00", "/%2e%2e/", "/api/v2/schemas/%ff@latest/manifest", "http://x/api/v2/schemas", "/api/v2/schemas/lager_1%40latest/elements?cursor=AA&limit=1",
		"/api/v2/schemas/lager_1@latest/elements?query=regal&fields=all&locales=de,ja&limit=2", "/api/v2/schemas/lager_1@latest/elements?ids=a,b&limit=%zz",
		"/api/v2/schemas/lager_1@latest/elements/zweck.Lagern/icon.dark.svg", "/api/v2/schemas/lager_1@latest/elements/zweck.Lagern/icon.%00.svg",
	} {
		f.Add("HEAD", path, "If-None-Match: *\r\nRange: bytes=0-", "")
		f.Add("BREW", path, "X-Request-Id: a\r\nService-Client: b\r\nForwarded: for=x", "[]")
	}
	for _, body := range []string{"{}", "null", `{"schema_snapshot":{}}`, `{"schema_version":1}`, strings.Repeat("[", 70), "\ufeff", `{"id":"\ud800"}`, "\xff"} {
		for _, operation := range operations {
			f.Add("POST", "/api/v2/schemas/"+oddBeta+"/"+operation, "Transfer-Encoding: identity", body)
		}
	}
	f.Fuzz(func(t *testing.T, method, target, fields, body string) {
		said := method + " " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n" + strings.TrimSpace(fields) + "\r\n\r\n" + body
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(said)))
		if err != nil {
			return
		}
		r.RemoteAddr = "192.0.2.1:1"
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r.WithContext(t.Context()))
		judgeFuzzed(t, said, rec)
		require.Empty(t, log.lines("panic"))
		require.Empty(t, log.lines("request failed"))
	})
}

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
	require.Regexp(t, `^[A-Za-z0-9._-]{1,128}$`, header.Get("X-Request-Id"))
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
