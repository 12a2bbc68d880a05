package enginetest_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
)

func TestTempInMemory(t *testing.T) {
	t.Setenv("TMPDIR", "/a/place/of/choice")
	enginetest.TempInMemory()
	require.Equal(t, "/a/place/of/choice", os.TempDir())

	t.Setenv("TMPDIR", "")
	enginetest.TempInMemory()
	require.DirExists(t, t.TempDir(), "wherever it is, it can be used")
}
