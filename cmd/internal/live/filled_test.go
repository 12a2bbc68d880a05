package live_test

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/internal/codes"
)

// TestStableFilledFileByFile copies the source of a stable version into the
// folder that is served, file by file in any order. Many a part of it compiles,
// and none stays.
func TestStableFilledFileByFile(t *testing.T) {
	whole := t.TempDir()
	v := liveStarter(t, whole, stable)
	want := release(t, openLive(t, whole, nil), v).ContentHash()
	files := write.Starter(v)
	partly := 0
	for seed := range uint64(20) {
		dir := t.TempDir()
		s := openLive(t, dir, &live.Options{Interval: -1})
		names := slices.Sorted(maps.Keys(files))
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			writeFile(t, filepath.Join(dir, stable, name), files[name])
			if r, err := s.Release(t.Context(), v); err == nil && r.ContentHash() != want {
				partly++
			}
		}
		require.Equal(t, want, release(t, s, v).ContentHash(), "in the order %q", names)
		require.Empty(t, s.Findings())
	}
	require.Positive(t, partly, "no part ever compiles: this shows nothing")
}

// TestStableRests shows when a stable version counts as whole: its files are old
// enough, or have been seen for long enough if their times can't be right.
func TestStableRests(t *testing.T) {
	for name, c := range map[string]struct {
		age, wait time.Duration
		settled   bool
	}{
		"just written":              {0, 0, false},
		"old":                       {time.Minute, 0, true},
		"of tomorrow":               {-24 * time.Hour, 9 * time.Second, false},
		"of tomorrow, seen a while": {-24 * time.Hour, 11 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			v := liveStarter(t, dir, stable)
			synctest.Test(t, func(t *testing.T) {
				age(t, filepath.Join(dir, stable), c.age)
				s := openLive(t, dir, &live.Options{Interval: -1})
				time.Sleep(c.wait)
				first := release(t, s, v)
				edit(t, filepath.Join(dir, stable, "categories", "purpose.yaml"), "en: Purpose", "en: Reason")
				require.Equal(t, c.settled, release(t, s, v) == first)
				if c.settled {
					find(t, s.Findings(), codes.StableChanged)
				} else {
					require.Empty(t, s.Findings())
				}
			})
		})
	}
}

// age makes all that is in a folder look as if it had been written a while ago.
func age(t *testing.T, dir string, d time.Duration) {
	t.Helper()
	then := time.Now().Add(-d)
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(name, then, then)
	}))
}
