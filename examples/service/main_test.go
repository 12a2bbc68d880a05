package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestService(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	server := httptest.NewServer(newHandler(must(datachain.New(store, nil))))
	defer server.Close()
	valid, ok := documents.Find("air-station.json")
	require.True(t, ok)
	invalid := func(code issue.Code) string {
		e, ok := documents.Invalid(code)
		require.True(t, ok)
		return string(e.Text)
	}
	for _, c := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"valid", string(valid.Text), http.StatusOK, `{"ok":true,"issues":[]}`},
		{"an unknown element", invalid("INSTANCE_ELEMENT_UNKNOWN"), http.StatusOK, `"fix_hint":"write purpose.environment"`},
		{"bad shape", `{"schema_version": "sensor@2026-11-15-stable"}`, http.StatusOK, `{"ok":false,"issues":[{"code":"parse_error"`},
		{"no version", "[]", http.StatusOK, `{"ok":false,"issues":[{"code":"parse_error"`},
		{"no JSON", "{", http.StatusOK, `"code":"bad_request"`},
		{"an unknown version", invalid(issue.CodeNotFound), http.StatusOK, `"code":"not_found","message":"There is no schema version sensor@2026-06-16-stable."`},
		{"too large", strings.Repeat(" ", maxBody+1), http.StatusRequestEntityTooLarge, `"code":"payload_too_large","message":"The request body is larger than 1048576 bytes."`},
	} {
		t.Run(c.name, func(t *testing.T) {
			response, err := http.Post(server.URL+"/validate", "application/json", strings.NewReader(c.body))
			require.NoError(t, err)
			defer func() { require.NoError(t, response.Body.Close()) }()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, response.StatusCode, "%s", body)
			require.Contains(t, string(body), c.want)
		})
	}
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
