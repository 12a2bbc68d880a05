package publishtest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/publish/publishtest"
)

func TestMemory(t *testing.T) {
	publishtest.Run(t, func(*testing.T) publishtest.OpenFunc {
		memory := new(publishtest.Memory)
		return func(context.Context) (publish.Target, error) { return memory, nil }
	})
}

func TestBucket(t *testing.T) {
	publishtest.Run(t, func(*testing.T) publishtest.OpenFunc {
		bucket := new(publishtest.Bucket)
		return func(context.Context) (publish.Target, error) { return bucket, nil }
	})
}

// TestDefects shows that each defective target fails the clauses that it should,
// and that each clause can fail.
func TestDefects(t *testing.T) {
	caught := map[string]bool{}
	for _, d := range slices.Concat(defects, defectsOfAdding, deaf()) {
		require.NotEmpty(t, d.caught, d.name)
		for _, clause := range d.caught {
			caught[clause] = true
			t.Run(d.name+"/"+clause, func(t *testing.T) {
				t.Parallel()
				memory := &defective{Memory: new(publishtest.Memory)}
				d.spoil(memory)
				open := func(context.Context) (publish.Target, error) { return memory, nil }
				err := publishtest.Check(t.Context(), clause, open)
				require.Error(t, err)
				t.Log(err)
			})
		}
	}
	for _, clause := range publishtest.Clauses(new(publishtest.Memory)) {
		require.True(t, caught[clause], "no defect shows that %q can fail", clause)
	}
}
