package httpcache_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/httpcache"
)

func TestBasePath(t *testing.T) {
	for base, want := range map[string]string{
		"": "", "/": "", "/a": "/a", "/a/": "/a", "/a%20b/c": "/a%20b/c",
		"https://example.org": "", "http://example.org/": "", "https://example.org/a/b/": "/a/b",
	} {
		got, err := httpcache.BasePath(base)
		require.NoError(t, err, base)
		require.Equal(t, want, got, base)
	}
	for _, base := range []string{"a", "example.org/a", "//example.org", "ftp://example.org", "javascript:alert(1)", "https://[", "%zz", "file:///a", "https://example.org/a?b", "/a#b"} {
		_, err := httpcache.BasePath(base)
		require.ErrorContains(t, err, "must be an http or https URL, or a path that begins with /", base)
	}
	_, err := httpcache.BasePath("https://me:secret@example.org")
	require.EqualError(t, err, `BaseURL "https://me:xxxxx@example.org" must have no user name and no password`)
}
