package live_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestReplacedDirectory puts another directory in the place of the one that is
// served, as deployments do. Files keep their names, sizes and times.
func TestReplacedDirectory(t *testing.T) {
	for name, c := range map[string]struct {
		linked  bool
		replace func(t *testing.T, dir, next string)
	}{
		"renamed": {false, func(t *testing.T, dir, next string) {
			require.NoError(t, os.Rename(dir, dir+"-old"))
			require.NoError(t, os.Rename(next, dir))
		}},
		"removed and put back": {false, func(t *testing.T, dir, next string) {
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.Rename(next, dir))
		}},
		"another link": {true, func(t *testing.T, dir, next string) {
			require.NoError(t, os.Symlink(next, dir+"-link"))
			require.NoError(t, os.Rename(dir+"-link", dir))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir, next := filepath.Join(parent, "schemas"), filepath.Join(parent, "next")
			at := dir
			if c.linked {
				at = filepath.Join(parent, "first")
				require.NoError(t, os.Symlink(at, dir))
			}
			v := liveStarter(t, at, beta)
			liveStarter(t, next, beta)
			added := liveStarter(t, next, stable)
			file := filepath.Join("draft", "2026-05-05-beta", "categories", "purpose.yaml")
			edit(t, filepath.Join(next, file), "en: Purpose", "en: Subject")
			old := time.Now().Add(-time.Hour)
			for _, folder := range []string{at, next} {
				require.NoError(t, os.Chtimes(filepath.Join(folder, file), old, old))
			}

			s := openLive(t, dir, &live.Options{Interval: -1})
			_, err := s.Release(t.Context(), added)
			require.ErrorIs(t, err, taxonomy.ErrNotFound)
			c.replace(t, dir, next)
			category, _ := release(t, s, v).Category("purpose")
			require.Equal(t, "Subject", category.Name.Pick("en"))
			release(t, s, added)
			require.Empty(t, s.Findings())
		})
	}
}

// TestMissingDirectory: while there is no directory the store fails and reports
// it, and behind laststore everything is still served.
func TestMissingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "schemas")
	v := liveStarter(t, dir, beta)
	s := openLive(t, dir, &live.Options{Interval: -1})
	last := must(laststore.New(s, &laststore.Options{RetryAfter: -1}))
	good := release(t, last, v)
	require.NoError(t, os.Rename(dir, dir+"-away"))
	_, err := s.Index(t.Context())
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = s.Release(t.Context(), v)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NotErrorIs(t, err, taxonomy.ErrNotFound)
	require.Contains(t, find(t, s.Findings(), codes.SourceUnreadable).FixHint, "restore the directory")
	require.Same(t, good, release(t, last, v))
	require.ErrorIs(t, last.Err(), os.ErrNotExist)
	require.NoError(t, os.Rename(dir+"-away", dir))
	require.Same(t, good, release(t, s, v))
	require.Empty(t, s.Findings())
	require.Same(t, good, release(t, last, v))
	require.NoError(t, last.Err())
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
