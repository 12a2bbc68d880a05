package fsstore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/publish/publishtest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestTarget(t *testing.T) {
	publishtest.Run(t, func(t *testing.T) publishtest.OpenFunc {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "store")
		return func(ctx context.Context) (publish.Target, error) { return fsstore.CreateTarget(ctx, dir) }
	})
}

// TestTargetClosed shows that a target can be closed twice, and that it is useless
// then.
func TestTargetClosed(t *testing.T) {
	dir := publishedDir(t, storetest.Publications())
	target := openTarget(t, dir)
	require.NoError(t, target.Close())
	require.NoError(t, target.Close())
	before := contents(t, dir)
	_, err := publish.Publish(t.Context(), target, []taxonomy.Publication{emptyRelease(t, "new@2026-01-01-beta")}, nil)
	require.ErrorIs(t, err, os.ErrClosed)
	require.Equal(t, before, contents(t, dir))
}

// TestOpenTarget shows what OpenTarget says of a directory that is not there.
func TestOpenTarget(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	_, err := fsstore.OpenTarget(t.Context(), dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
	var e *publish.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "open", e.Op)
	require.Equal(t, dir, e.Target)
	require.NoDirExists(t, dir)
}

// TestCopiedIndex shows that an index that a copying program puts in place while
// a publisher works is not overwritten.
func TestCopiedIndex(t *testing.T) {
	pubs := storetest.Publications()
	dir, from := publishedDir(t, pubs[:1]), publishedDir(t, pubs[:3])
	names, copied := files(t, from), false
	report, err := publishTo(t.Context(), dir, pubs[3:4], &publish.Options{Progress: func(int, int) {
		if copied {
			return
		}
		copied = true
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(from, name))
			place := filepath.Join(dir, name)
			assert.NoError(t, errors.Join(err, os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, data, 0o644)))
		}
	}})
	require.NoError(t, err)
	require.Equal(t, []taxonomy.Version{pubs[3].Release.Version()}, report.Written)
	require.Equal(t, 1, report.Before.Len())
	require.NoError(t, holds(t, openDir(t, dir, nil), pubs[:4]))
}
