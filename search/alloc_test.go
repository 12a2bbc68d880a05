//go:build !race

package search_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestAllocations checks that a query allocates only its hits once buffers have grown. The
// race detector makes pools drop items, so the test does not run with it.
func TestAllocations(t *testing.T) {
	c := newCorpus(1, 1200)
	x := build(t, releaseWith(t, "en", [][]string{{"film", "camera", "oeuvre data"}, {"strasse", "data"}}, c.docs...))
	for _, q := range []search.Query{
		{Text: "camera"},
		{Text: "camera cameras data"},
		{Text: "film Straße"},
		{Text: "CAMÉRA œuvre Straße"},
		{Text: "данные ΣΟΦΌΣ e\u0301"},
		{Text: "個人か\u3099 camera"},
		{Text: "CAMERA-Œuvre-data who"},
		{Text: "a"},
		{Text: "cam"},
		{Text: "的"},
		{Text: "camrea"},
		{Text: "cameraas oevre straase"},
		{Text: "caméraz"},
		{Text: "camera data a", Categories: []string{"c0", "c1"}},
		{Text: "camera", Offset: 10, Limit: 200},
	} {
		require.Positive(t, x.Search(q).Total, q.Text)
		require.LessOrEqual(t, testing.AllocsPerRun(50, func() { x.Search(q) }), 1.0, q.Text)
	}
	for _, text := range []string{"", "個人情報", "zyxwvut", "zyxwvuts ÿñ"} {
		q := search.Query{Text: text, Whole: true}
		require.Zero(t, x.Search(q).Total, text)
		require.Zero(t, testing.AllocsPerRun(50, func() { x.Search(q) }), text)
	}
}
