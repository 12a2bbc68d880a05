package enginetest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
)

func TestMemoryTarget(t *testing.T) {
	enginetest.RunTarget(t, func(*testing.T) enginetest.OpenTarget {
		memory := new(enginetest.MemoryTarget)
		return func(context.Context) (publish.Target, error) { return memory, nil }
	})
}

func TestBucketTarget(t *testing.T) {
	enginetest.RunTarget(t, func(*testing.T) enginetest.OpenTarget {
		bucket := new(enginetest.Bucket)
		return func(context.Context) (publish.Target, error) { return bucket, nil }
	})
}

// TestTargetDefects shows that each defective target fails the clauses that it should,
// and that each clause can fail.
func TestTargetDefects(t *testing.T) {
	caught := map[string]bool{}
	for _, d := range slices.Concat(defects, defectsOfAdding, deaf()) {
		require.NotEmpty(t, d.caught, d.name)
		for _, clause := range d.caught {
			caught[clause] = true
			t.Run(d.name+"/"+clause, func(t *testing.T) {
				t.Parallel()
				memory := &defective{MemoryTarget: new(enginetest.MemoryTarget)}
				d.spoil(memory)
				open := func(context.Context) (publish.Target, error) { return memory, nil }
				err := enginetest.CheckTarget(t.Context(), clause, open)
				require.Error(t, err)
				t.Log(err)
			})
		}
	}
	for _, clause := range enginetest.TargetClauses(new(enginetest.MemoryTarget)) {
		require.True(t, caught[clause], "no defect shows that %q can fail", clause)
	}
}
