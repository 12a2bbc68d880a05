package stores_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// TestManyEditions lets a log have many editions of a document, and erase them: it takes about as
// long for each, however many there are.
func TestManyEditions(t *testing.T) {
	took := func(n int) time.Duration {
		d := signedlog.Document{ID: signedlog.DocumentHash("a"), Slug: "a"}
		for i := range n {
			var h taxonomy.Hash
			copy(h[:], fmt.Sprintf("%032d", i))
			d.Editions = append(d.Editions, signedlog.Edition{Hash: h})
		}
		d.Current = d.Editions[n-1].Hash
		state, began := new(signedlog.State), time.Now()
		for range 2 {
			entries, err := state.DocumentChanges([]signedlog.Document{d}, taxonomy.Hash{}, time.Now())
			require.NoError(t, err)
			require.Len(t, entries, n)
			for _, e := range entries {
				require.NoError(t, state.Apply(e))
			}
			for i := range d.Editions {
				d.Editions[i].Erased = true
			}
		}
		return time.Since(began)
	}
	took(100)
	few, many := took(2000), took(20000)
	t.Log(few, many)
	require.Less(t, many, 100*few+2*time.Second)
}
