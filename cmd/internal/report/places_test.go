package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestPlaces(t *testing.T) {
	var g Groups[string]
	for _, file := range []string{"a", "a", "b", "c", "d", "e"} {
		g.Of("often").Add(issue.Position{File: file, Line: 1})
	}
	g.Of("once").Add(issue.Position{File: "a"})
	require.Equal(t, 2, g.Len())
	require.True(t, g.Has("once"))
	require.False(t, g.Has("never"))
	require.Equal(t, "5 documents, 6 places", g.Of("often").Count())
	require.Equal(t, "a:1, b:1, c:1 and 2 more", g.Of("often").String())
	require.Equal(t, "1 document", g.Of("once").Count())
	for range 2 {
		g.Of("twice").Add(issue.Position{File: "a"})
	}
	g.Of("twice").Add(issue.Position{File: "b"})
	g.SortByDocuments()
	var order []string
	for k := range g.All() {
		order = append(order, k)
	}
	require.Equal(t, []string{"often", "twice", "once"}, order)
}
