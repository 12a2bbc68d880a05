package source_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
)

// BenchmarkCompile compiles trees of 1,000 to 100,000 elements in three
// locales. Time and memory per element should not depend on their number.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		tree := sourcetest.Big(n)
		b.Run(fmt.Sprintf("yaml/%d", n), func(b *testing.B) { benchmarkCompile(b, tree, n) })
		if n < 100_000 {
			json := asJSON(b, tree)
			b.Run(fmt.Sprintf("json/%d", n), func(b *testing.B) { benchmarkCompile(b, json, n) })
		}
	}
}

func benchmarkCompile(b *testing.B, tree fstest.MapFS, n int) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		c, err := source.Compile(tree, version, nil)
		require.NoError(b, err)
		require.Empty(b, c.Issues)
		require.Len(b, c.Release.Elements(), n)
	}
	runtime.ReadMemStats(&after)
	per := float64(b.N) * float64(n)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per, "ns/element")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/per, "B/element")
}

// BenchmarkEvolution reads 20,000 renames of elements, in chains over four versions, and
// applies them to a release of 5,000 elements: every id is followed to its end.
func BenchmarkEvolution(b *testing.B) {
	const elements, steps = 5_000, 4
	tree := sourcetest.Big(elements)
	c, err := source.Compile(tree, version, nil)
	require.NoError(b, err)
	var text bytes.Buffer
	text.WriteString("renamed:\n")
	ids := c.Release.ElementIDs()
	for i, id := range ids {
		for step := range steps {
			to := fmt.Sprintf("old.%d-%d", i, step+1)
			if step == steps-1 {
				to = id
			}
			fmt.Fprintf(&text, "  - {kind: element, from: old.%d-%d, to: %s, since: 2020-01-0%d-stable}\n", i, step, to, step+1)
		}
	}
	tree["ai/evolution.yaml"] = &fstest.MapFile{Data: text.Bytes()}
	b.ReportAllocs()
	for b.Loop() {
		e, issues := source.ReadEvolution(tree, "ai", nil)
		require.Empty(b, issues)
		require.Len(b, e.Renamed, elements*steps)
		r := history.New(c.Release, e)
		for i, id := range ids {
			next, ok := r.Succession(fmt.Sprintf("old.%d-0", i)).Single()
			if !ok || next.ID != id {
				b.Fatal(i, next)
			}
		}
	}
}
