package errname_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/errname"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	cause := errors.New("not found")
	inner := errname.Add("taxonomy", fmt.Errorf("index: %w", cause))
	require.EqualError(t, inner, "taxonomy: index: not found")
	outer := errname.Add("fsstore", inner)
	require.EqualError(t, outer, "fsstore: index: not found")
	require.ErrorIs(t, outer, cause)
	require.EqualError(t, fmt.Errorf("fsstore: dir: %w", errname.Trim(outer)), "fsstore: dir: index: not found")
	require.Equal(t, cause, errname.Trim(cause))
	require.NoError(t, errname.Add("taxonomy", nil))
	require.NoError(t, errname.Trim(nil))
}
