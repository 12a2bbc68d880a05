package source_test

import (
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
)

// TestInterrupt ends a run early, with the error of the caller.
func TestInterrupt(t *testing.T) {
	tree := bigTree(60)
	calls := 0
	var mu sync.Mutex
	_, err := source.Compile(tree, version, &source.Options{Interrupt: func() error {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls > 5 {
			return io.ErrNoProgress
		}
		return nil
	}})
	require.ErrorIs(t, err, io.ErrNoProgress)
	assert.Less(t, calls, 10, "no more files are read")
	c, err := source.Compile(tree, version, &source.Options{Interrupt: func() error { return nil }})
	require.NoError(t, err)
	assert.NotNil(t, c.Release)
}
