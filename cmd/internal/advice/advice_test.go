package advice_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/advice"
)

// TestAdd shows that what wraps an error comes before it, and the advice after it.
func TestAdd(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("--store dist: %w", advice.Add(fs.ErrNotExist, "Create it with %q.", "mkdir dist"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	advised, ok := errors.AsType[*advice.Error](err)
	require.True(t, ok)
	require.Equal(t, `Create it with "mkdir dist".`, advised.Advice)
	require.EqualError(t, err, "--store dist: file does not exist\nCreate it with \"mkdir dist\".")
}
