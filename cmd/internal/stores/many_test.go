package stores_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// BenchmarkManyEditions lets a log have many editions of a document, and erase them. The time of one
// does not depend on how many there are.
func BenchmarkManyEditions(b *testing.B) {
	for _, n := range []int{2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				manyEditions(b, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/edition")
		})
	}
}

func TestManyEditions(t *testing.T) { manyEditions(t, 20_000) }

func manyEditions(tb testing.TB, n int) {
	tb.Helper()
	d := signedlog.Document{ID: signedlog.DocumentHash("a"), Slug: "a"}
	for i := range n {
		var h taxonomy.Hash
		copy(h[:], fmt.Sprintf("%032d", i))
		d.Editions = append(d.Editions, signedlog.Edition{Hash: h})
	}
	d.Current = d.Editions[n-1].Hash
	state := new(signedlog.State)
	for range 2 {
		entries, err := state.DocumentChanges([]signedlog.Document{d}, taxonomy.Hash{}, time.Now())
		require.NoError(tb, err)
		require.Len(tb, entries, n)
		for _, e := range entries {
			require.NoError(tb, state.Apply(e))
		}
		for i := range d.Editions {
			d.Editions[i].Erased = true
		}
	}
}
