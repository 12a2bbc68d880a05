package mirror

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestMergeEditions merges histories into what is known of a document.
func TestMergeEditions(t *testing.T) {
	edition := func(n byte, sequence int64) documents.Edition {
		return documents.Edition{Hash: taxonomy.Hash{n}, Time: time.Unix(int64(n), 0), Sequence: sequence}
	}
	erased := func(n byte, sequence, at int64) documents.Edition {
		e := edition(n, sequence)
		e.Erased = &documents.Erasure{Reason: "It names a person.", Sequence: at}
		return e
	}
	for name, c := range map[string]struct {
		known, now, want []documents.Edition
		changed          bool
		revived          int
	}{
		"the same":           {known: []documents.Edition{edition(1, 3)}, now: []documents.Edition{edition(1, 0)}, want: []documents.Edition{edition(1, 3)}},
		"a new one":          {known: []documents.Edition{edition(1, 3)}, now: []documents.Edition{edition(1, 0), edition(2, 0)}, want: []documents.Edition{edition(1, 3), edition(2, 9)}, changed: true},
		"one less":           {known: []documents.Edition{edition(1, 3), edition(2, 4)}, now: []documents.Edition{edition(2, 0)}, want: []documents.Edition{edition(2, 4)}, changed: true},
		"erased now":         {known: []documents.Edition{edition(1, 3)}, now: []documents.Edition{erased(1, 0, 0)}, want: []documents.Edition{erased(1, 3, 9)}, changed: true},
		"erased before":      {known: []documents.Edition{erased(1, 3, 5)}, now: []documents.Edition{erased(1, 0, 0)}, want: []documents.Edition{erased(1, 3, 5)}},
		"shown again":        {known: []documents.Edition{erased(1, 3, 5)}, now: []documents.Edition{edition(1, 0)}, want: []documents.Edition{erased(1, 3, 5)}, revived: 1},
		"erased, not listed": {known: []documents.Edition{erased(1, 3, 5), edition(2, 6)}, now: []documents.Edition{edition(2, 0)}, want: []documents.Edition{erased(1, 3, 5), edition(2, 6)}},
	} {
		t.Run(name, func(t *testing.T) {
			entry := documents.Entry{Editions: c.now}
			changed, revived := mergeEditions(&entry, &documents.Entry{Editions: c.known}, 9)
			require.Equal(t, c.want, entry.Editions)
			require.Equal(t, c.changed, changed)
			require.Equal(t, c.revived, revived)
		})
	}
}
