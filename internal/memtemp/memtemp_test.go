package memtemp_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/memtemp"
)

func TestUse(t *testing.T) {
	t.Setenv("TMPDIR", "/a/place/of/choice")
	memtemp.Use()
	require.Equal(t, "/a/place/of/choice", os.TempDir())

	t.Setenv("TMPDIR", "")
	memtemp.Use()
	require.DirExists(t, t.TempDir(), "wherever it is, it can be used")
}
