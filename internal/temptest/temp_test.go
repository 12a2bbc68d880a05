package temptest_test

import (
	"os"
	"testing"

	"github.com/datachain-go/datachain/internal/temptest"
	"github.com/stretchr/testify/require"
)

func TestTempInMemory(t *testing.T) {
	t.Setenv("TMPDIR", "/a/place/of/choice")
	temptest.TempInMemory()
	require.Equal(t, "/a/place/of/choice", os.TempDir())

	t.Setenv("TMPDIR", "")
	temptest.TempInMemory()
	require.DirExists(t, t.TempDir(), "wherever it is, it can be used")
}
