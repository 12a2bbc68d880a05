package dirtarget_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/temptest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

func TestMain(m *testing.M) {
	dirtarget.OpenStore = func(dir string) (dirtarget.Store, error) { return fsstore.OpenDir(dir, nil) }
	temptest.TempInMemory()
	os.Exit(m.Run())
}

func TestTarget(t *testing.T) {
	targettest.Run(t, func(t *testing.T) targettest.Opener {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "store")
		return func(ctx context.Context) (publish.Target, error) { return dirtarget.Create(ctx, dir) }
	})
}

// TestOpen shows what Open says of a directory that is not there.
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	_, err := dirtarget.Open(t.Context(), dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
	var e *publish.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "open", e.Op)
	require.Equal(t, dir, e.Target)
	require.NoDirExists(t, dir)
}
