package fsstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestFilledFileByFile copies a store into the directory that is read, as cp and
// rsync do: in any order, each file in pieces, the index not last. After every
// piece a reader behind laststore gets a complete release, the last good one, or
// an error that says why not. In the end it has all of them, without being opened
// again.
func TestFilledFileByFile(t *testing.T) {
	pubs := layouttest.Publications()
	next := slices.Clone(pubs)
	next[5] = edited(t, pubs[5].Release, "Changed") // a beta
	good := make(map[string]bool)
	for _, p := range slices.Concat(pubs, next) {
		good[text(p.Release)] = true
	}
	from := publishedDir(t, next)
	number(t, from, 2)
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := publishedDir(t, pubs[4:])
			told, recovered := map[string]int{}, 0
			s := must(laststore.New(openDir(t, dir, nil), &laststore.Options{
				RetryAfter: -1,
				Report:     func(err error) { told[err.Error()]++ },
				Recovered:  func() { recovered++ },
			}))
			require.NoError(t, holds(t, s, pubs[4:]))
			fill(t, from, dir, rand.New(rand.NewPCG(seed, 0)), func() {
				for _, p := range next {
					r, err := s.Release(t.Context(), p.Release.Version())
					known := slices.ContainsFunc(pubs[4:], func(old listing.Publication) bool { return old.Release.Version() == p.Release.Version() })
					switch {
					case err == nil:
						require.True(t, good[text(r)], "half a release of %s", p.Release.Version())
					case known:
						require.NoError(t, err, "there is a last good release")
					default:
						require.True(t, errors.Is(err, taxonomy.ErrNotFound) || errors.Is(err, taxonomy.ErrHashMismatch) || errors.Is(err, fs.ErrNotExist), err)
					}
				}
			})
			require.NoError(t, holds(t, s, next))
			require.NoError(t, s.Err())
			require.NotEmpty(t, told)
			require.Positive(t, recovered)
			for message, times := range told {
				// The index and a release may fail, recover and fail again in
				// the same words, as one file after the other arrives.
				require.LessOrEqual(t, times, 3, message)
			}
		})
	}
}

// fill copies a folder over another, file by file in a random order and each in
// pieces, and calls look after every piece.
func fill(t *testing.T, from, to string, random *rand.Rand, look func()) {
	t.Helper()
	names := files(t, from)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(from, name))
		require.NoError(t, err)
		target := filepath.Join(to, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		f, err := os.Create(target) // what is there is emptied, as cp does
		require.NoError(t, err)
		look()
		cut := random.IntN(len(data))
		for _, piece := range [][]byte{data[:cut], data[cut:]} {
			_, err = f.Write(piece)
			require.NoError(t, err)
			look()
		}
		require.NoError(t, f.Close())
	}
}
