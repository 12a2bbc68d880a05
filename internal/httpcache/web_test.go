package httpcache_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/httpcache"
)

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
		"/a%2F%2Fb":      {"a//b"},
		"/a/..%2Fx":      {"a", "../x"},
		"/a/b/c/":        nil,
		"/a%2F":          {"a/"},
		"/a%2Fb%2F../c":  {"a/b/..", "c"},
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
		got, ok := httpcache.Segments(u, room[:0])
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
		if got, ok := httpcache.Segments(u, room[:0]); !ok || len(got) != 4 {
			t.Error("wrong")
		}
	}))
}

// FuzzSegments joins the segments of any path again.
func FuzzSegments(f *testing.F) {
	for _, path := range []string{"/", "/a/b", "/a%2Fb/", "/a/../b", "//", "/%2e%2e/a", "/.%2F&a"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse(path)
		if err != nil {
			return
		}
		var room [4]string
		segments, ok := httpcache.Segments(u, room[:0])
		if !ok {
			return
		}
		encodedSlash := strings.Contains(strings.Join(segments, ""), "/")
		if !encodedSlash && !httpcache.Clean(u.Path) || len(segments) > 4 {
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
