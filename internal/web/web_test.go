package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/web"
)

func TestBasePath(t *testing.T) {
	for base, want := range map[string]string{
		"": "", "/": "", "/a": "/a", "/a/": "/a", "/a%20b/c": "/a%20b/c",
		"https://example.org": "", "http://example.org/": "", "https://example.org/a/b/": "/a/b",
	} {
		got, err := web.BasePath(base)
		require.NoError(t, err, base)
		require.Equal(t, want, got, base)
	}
	for _, base := range []string{"a", "example.org/a", "//example.org", "ftp://example.org", "javascript:alert(1)", "https://[", "%zz", "file:///a"} {
		_, err := web.BasePath(base)
		require.ErrorContains(t, err, "must be an http or https URL, or a path that begins with /", base)
	}
}

func TestSegments(t *testing.T) {
	for path, want := range map[string][]string{
		"/":              {},
		"/a":             {"a"},
		"/a/b/c":         {"a", "b", "c"},
		"/a%2Fb/c":       {"a/b", "c"},
		"/ai%40latest":   {"ai@latest"},
		"/a%2520b":       {"a%20b"},
		"/.well-known/a": {".well-known", "a"},
		"/a/b/..c":       {"a", "b", "..c"},
		"/%E2%82%AC":     {"€"},
		"/a/":            nil,
		"//":             nil,
		"//a":            nil,
		"/a//b":          nil,
		"/a/../b":        nil,
		"/a/..":          nil,
		"/./a":           nil,
		"/a/b/c/d":       nil,
		"/a/%2E%2E/b":    nil,
		"/a%2F%2Fb":      nil,
		"/a/b/c/":        nil,
		"/a%2F":          {"a/"},
		"/a%2Fb%2F../c":  nil,
		"/%zz":           nil,
		"*":              nil,
		"a/b":            nil,
		"":               nil,
		"/a\x00b":        nil,
		"/a?b=/c#d":      {"a"},
		"/a/b/c?/d/":     {"a", "b", "c"},
	} {
		u, err := url.Parse(path)
		if err != nil {
			require.Nil(t, want, path)
			continue
		}
		var room [3]string
		got, ok := web.Segments(u, room[:0])
		require.Equal(t, want != nil, ok, path)
		if ok {
			require.Equal(t, want, append([]string{}, got...), path)
		}
	}
}

func TestSegmentsAllocateNothing(t *testing.T) {
	u, err := url.Parse("/api/v2/schemas/ai@latest")
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		var room [8]string
		if got, ok := web.Segments(u, room[:0]); !ok || len(got) != 4 {
			t.Error("wrong")
		}
	}))
}

// FuzzSegments joins the segments of any path again.
func FuzzSegments(f *testing.F) {
	for _, path := range []string{"/", "/a/b", "/a%2Fb/", "/a/../b", "//", "/%2e%2e/a"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse(path)
		if err != nil {
			return
		}
		var room [4]string
		segments, ok := web.Segments(u, room[:0])
		if !ok {
			return
		}
		if !web.Clean(u.Path) || len(segments) > 4 {
			t.Fatalf("%q has the segments %q", path, segments)
		}
		for _, s := range segments {
			if s == "" || s == "." || s == ".." {
				t.Fatalf("%q has the segments %q", path, segments)
			}
		}
		if joined := "/" + strings.Join(segments, "/"); joined != u.Path {
			t.Fatalf("%q became %q", u.Path, joined)
		}
	})
}

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestRead(t *testing.T) {
	h := http.Header{"Traceparent": {parent}, "Tracestate": {"a=b"}}
	o := web.ReadTrace("id", h)
	assert.Equal(t, web.Trace{RequestID: "id", Parent: parent, State: "a=b"}, o)
	assert.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", o.ID())
	next := http.Header{}
	o.Write(next)
	assert.Equal(t, "id", next.Get("X-Request-Id"))
	assert.Equal(t, parent, next.Get("traceparent"))
	assert.Equal(t, "a=b", next.Get("tracestate"))
	assert.Equal(t, o, web.TraceFrom(web.WithTrace(t.Context(), o)))
	assert.Zero(t, web.TraceFrom(t.Context()))
}

func TestInvalid(t *testing.T) {
	for name, values := range map[string][]string{
		"none":           nil,
		"empty":          {""},
		"twice":          {parent, parent},
		"short":          {parent[1:]},
		"long":           {parent + "-00"},
		"other version":  {"01" + parent[2:]},
		"upper case":     {strings.ToUpper(parent)},
		"not digits":     {strings.Replace(parent, "4bf9", "4bg9", 1)},
		"zero trace":     {"00-" + strings.Repeat("0", 32) + parent[35:]},
		"zero parent":    {parent[:36] + strings.Repeat("0", 16) + parent[52:]},
		"other dashes":   {strings.ReplaceAll(parent, "-", "_")},
		"line in a line": {parent[:53] + "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			o := web.ReadTrace("id", http.Header{"Traceparent": values, "Tracestate": {"a=b"}})
			assert.Equal(t, web.Trace{RequestID: "id"}, o)
			assert.Empty(t, o.ID())
		})
	}
	o := web.ReadTrace("", http.Header{"Traceparent": {parent}, "Tracestate": {strings.Repeat("x", 600)}})
	assert.Equal(t, web.Trace{Parent: parent}, o)
}
