package storetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestModel shows that a store that does what it must passes.
func TestModel(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, pubs []listing.Publication) taxonomy.Store { return newModel(pubs) })
	storetest.RunWithoutSymbols(t, func(_ *testing.T, pubs []listing.Publication) taxonomy.Store { return newModel(pubs) })
	storetest.RunUpdates(t, func(_ *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		m := newModel(pubs)
		return m, func(_ *testing.T, pubs []listing.Publication) { m.update(pubs) }
	})
}

// TestSmallStore shows that the optional interfaces are optional.
func TestSmallStore(t *testing.T) {
	type small struct{ taxonomy.Store }
	storetest.Run(t, func(_ *testing.T, pubs []listing.Publication) taxonomy.Store { return small{newModel(pubs)} })
	storetest.RunUpdates(t, func(_ *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		m := newModel(pubs)
		return small{m}, func(_ *testing.T, pubs []listing.Publication) { m.update(pubs) }
	})
}

// TestDefects shows that each clause catches what it is for, and what not.
func TestDefects(t *testing.T) {
	clauses := storetest.Clauses()
	for _, defect := range defects {
		t.Run(defect.name, func(t *testing.T) {
			t.Parallel()
			var caught []string
			for _, c := range clauses {
				if (defect.only || defect.wait) && !slices.Contains(defect.caught, c.Name) {
					continue
				}
				patience := time.Minute
				if defect.wait {
					patience = time.Second
				}
				err := c.Check(t.Context(), patience, func(pubs []listing.Publication) (taxonomy.Store, func([]listing.Publication)) {
					d := &defective{model: new(model)}
					defect.store(d)
					d.update(pubs)
					return d, d.update
				})
				if err != nil {
					t.Logf("%s: %v", c.Name, err)
					caught = append(caught, c.Name)
				}
			}
			assert.Equal(t, defect.caught, caught)
		})
	}
}

// TestEveryClauseCatches shows that no clause is there in vain.
func TestEveryClauseCatches(t *testing.T) {
	for _, c := range storetest.Clauses() {
		found := false
		for _, defect := range defects {
			found = found || slices.Contains(defect.caught, c.Name)
		}
		require.True(t, found, "no defect is caught by the clause %q", c.Name)
	}
}
