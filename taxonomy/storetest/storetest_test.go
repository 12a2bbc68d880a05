package storetest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// TestModel shows that a store that does what it must passes.
func TestModel(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, c storetest.Content) taxonomy.Store { return newModel(c) })
	storetest.RunWithoutSymbols(t, func(_ *testing.T, c storetest.Content) taxonomy.Store { return newModel(c) })
	storetest.RunUnknownFields(t, func(_ *testing.T, c storetest.Content) taxonomy.Store { return newModel(c) })
	storetest.RunUpdates(t, func(_ *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		m := newModel(c)
		return m, func(_ *testing.T, c storetest.Content) { m.update(c) }
	})
}

// TestSmallStore shows that the optional interfaces are optional.
func TestSmallStore(t *testing.T) {
	type small struct{ taxonomy.Store }
	storetest.Run(t, func(_ *testing.T, c storetest.Content) taxonomy.Store { return small{newModel(c)} })
	storetest.RunUpdates(t, func(_ *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		m := newModel(c)
		return small{m}, func(_ *testing.T, c storetest.Content) { m.update(c) }
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
				err := c.Check(t.Context(), patience, func(c storetest.Content) (taxonomy.Store, func(storetest.Content)) {
					d := &defective{model: new(model)}
					defect.store(d)
					d.update(c)
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
