package laststore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestTroubleEndsWithTheIndex: content that can't be read is a problem while the
// index names it, and no longer, even if no caller asks for the release.
func TestTroubleEndsWithTheIndex(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	for name, after := range map[string][]listing.Publication{
		"the old content is back": {beta, stable},
		"the version is retired":  {stable},
	} {
		t.Run(name, func(t *testing.T) {
			s, in, n := open(t, laststore.Options{RetryAfter: time.Hour}, beta, stable)
			release(t, s, v)
			in.hold(t, changed, stable)
			in.set(nil, fails)
			require.Same(t, beta.Release, release(t, s, v))
			n.troubled(t, s, errDisk)
			index(t, s)
			require.ErrorIs(t, s.Err(), errDisk)

			in.hold(t, after...)
			index(t, s)
			n.well(t, s)
		})
	}
}

// TestTroubleOnDisk is the same over files: index.json names a hash that does
// not exist, and then the old index is back.
func TestTroubleOnDisk(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.CopyFS(dir, layouttest.Files(t, nil, nil, beta, stable)))
	files, err := fsstore.OpenDir(dir, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, files.Close()) }()
	n := new(news)
	s := must(laststore.New(files, &laststore.Options{
		RetryAfter: time.Hour,
		Report:     func(err error) { n.reports = append(n.reports, err) },
		Recovered:  func() { n.recovered++ },
	}))
	good := release(t, s, v)

	file := filepath.Join(dir, "index.json")
	old, err := os.ReadFile(file)
	require.NoError(t, err)
	next, err := listing.Add(new(taxonomy.Index), changed, stable)
	require.NoError(t, err)
	text, err := taxonomy.EncodeIndex(next.WithRecord(taxonomy.Record{Sequence: 2}))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o644))
	require.Same(t, good, release(t, s, v))
	n.troubled(t, s, os.ErrNotExist)
	restored, err := taxonomy.DecodeIndex(old)
	require.NoError(t, err)
	record := restored.Record()
	record.Sequence = 3
	text, err = taxonomy.EncodeIndex(restored.WithRecord(record))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o644))
	index(t, s)
	n.well(t, s)
}

// TestTroubleEndsWithTheContent: a release that can be read again is no longer a
// problem, even if no caller asks for it.
func TestTroubleEndsWithTheContent(t *testing.T) {
	beta, _, stable := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, beta, stable)
		in.set(nil, fails)
		_, err := s.Release(t.Context(), v)
		require.ErrorIs(t, err, errDisk)
		n.troubled(t, s, errDisk)
		in.set(nil, hangs)
		time.Sleep(retryAfter)
		started := time.Now()
		index(t, s)
		require.LessOrEqual(t, time.Since(started), time.Second, "no call waits long for what it did not ask for")
		n.quiet(t)

		in.set(nil, nil)
		time.Sleep(2 * retryAfter)
		index(t, s)
		n.well(t, s)
		asked := in.read.Load()
		release(t, s, v)
		require.Equal(t, asked, in.read.Load(), "it was kept")
	})
}

// TestLateFailure: a reading that fails after the index has moved on is not a
// problem of what the index names now.
func TestLateFailure(t *testing.T) {
	beta, changed, _ := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, beta)
		release(t, s, v)
		in.hold(t, changed)
		in.set(nil, func(context.Context) error {
			time.Sleep(time.Second)
			return errDisk
		})
		done := make(chan error)
		go func() {
			_, err := s.Release(t.Context(), v)
			done <- err
		}()
		synctest.Wait()
		in.hold(t, beta)
		in.set(nil, nil)
		index(t, s)
		require.NoError(t, <-done)
		n.quiet(t)
		require.NoError(t, s.Err())
	})
}

// TestProblems: several problems are reported one by one, all are in Err, and
// recovery is reported when the last one ends.
func TestProblems(t *testing.T) {
	beta, _, stable := publications(t)
	s, in, n := open(t, laststore.Options{RetryAfter: -1}, beta, stable)
	index(t, s)
	errs := []error{errors.New("first"), errors.New("second"), errors.New("third")}
	for i, p := range []listing.Publication{beta, stable} {
		in.set(nil, func(context.Context) error { return errs[i] })
		_, err := s.Release(t.Context(), p.Release.Version())
		require.ErrorIs(t, err, errs[i])
	}
	in.set(func(context.Context) error { return errs[2] }, nil)
	index(t, s)
	for _, err := range errs {
		require.ErrorIs(t, s.Err(), err)
	}
	reports, recovered := n.take()
	require.Equal(t, errs, reports)
	require.Zero(t, recovered)
	in.set(nil, nil)
	index(t, s)
	n.well(t, s)
}

// TestHealth: what the inner store says of itself is a problem, too.
func TestHealth(t *testing.T) {
	beta, _, _ := publications(t)
	s, in, n := open(t, laststore.Options{}, beta)
	index(t, s)
	in.health = errDisk
	for range 3 {
		release(t, s, beta.Release.Version())
	}
	n.troubled(t, s, errDisk)
	in.health = nil
	index(t, s)
	n.well(t, s)
}

// TestRefused: an index that the inner store refuses is not confirmed, whatever the reason.
func TestRefused(t *testing.T) {
	beta, _, _ := publications(t)
	for name, c := range map[string]struct {
		health    error
		confirmed bool
	}{
		"well":        {nil, true},
		"trouble":     {errDisk, true},
		"rolled back": {fmt.Errorf("here: %w", taxonomy.ErrRollback), false},
		"refused":     {fmt.Errorf("here: %w", taxonomy.ErrRefused), false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, in, _ := open(t, laststore.Options{}, beta)
				index(t, s)
				before := s.Status().Confirmed
				in.health = c.health
				time.Sleep(time.Hour)
				index(t, s)
				require.Equal(t, c.confirmed, s.Status().Confirmed.After(before))
			})
		})
	}
}

// TestCheck: an index that the check refuses is not served, also not from the fallback.
func TestCheck(t *testing.T) {
	beta, changed, stable := publications(t)
	damaged := fmt.Errorf("damaged: %w", taxonomy.ErrRefused)
	check := func(x *taxonomy.Index) error {
		if e, _ := x.Lookup(beta.Release.Version().Ref()); e.ContentHash == changed.Release.ContentHash() {
			return damaged
		}
		return nil
	}
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{Check: check}, beta)
		good := index(t, s)
		release(t, s, beta.Release.Version())
		before := s.Status().Confirmed
		in.hold(t, changed, stable)
		time.Sleep(time.Hour)
		require.Same(t, good, index(t, s))
		n.troubled(t, s, damaged)
		require.Equal(t, before, s.Status().Confirmed)
		require.Same(t, beta.Release, release(t, s, beta.Release.Version()))

		in.hold(t, beta, stable)
		time.Sleep(time.Hour)
		require.Equal(t, 2, index(t, s).Len())
		n.well(t, s)
	})

	copies, err := memstore.New(changed)
	require.NoError(t, err)
	s, in, _ := open(t, laststore.Options{Check: check, Fallback: copies}, changed)
	_, err = s.Index(t.Context())
	require.ErrorIs(t, err, damaged)
	in.set(fails, nil)
	_, err = s.Index(t.Context())
	require.ErrorIs(t, err, errDisk)
}

// TestFallback: what was never read comes from elsewhere while the store fails.
func TestFallback(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	copies, err := memstore.New(beta)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{Fallback: copies}, changed, stable)
		in.set(hangs, fails)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		r, err := s.Release(ctx, v)
		require.NoError(t, err)
		require.Same(t, beta.Release, r)
		n.troubled(t, s, context.DeadlineExceeded)
		_, err = s.Release(t.Context(), stable.Release.Version())
		require.ErrorIs(t, err, taxonomy.ErrNotFound, "the copies do not list it")

		in.set(nil, fails)
		time.Sleep(retryAfter)
		require.Same(t, beta.Release, release(t, s, v), "the new content can't be read")
		_, err = s.Release(t.Context(), stable.Release.Version())
		require.ErrorIs(t, err, errDisk, "nothing has it")
		in.set(nil, nil)
		time.Sleep(retryAfter)
		require.Same(t, changed.Release, release(t, s, v))
		require.Same(t, stable.Release, release(t, s, stable.Release.Version()))
		require.NoError(t, s.Err())
	})
}

// TestBackAsAWhole: when a store that failed as a whole is back, its releases do
// not have to wait for their own turn.
func TestBackAsAWhole(t *testing.T) {
	beta, _, stable := publications(t)
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{RetryAfter: time.Hour}, beta, stable)
		index(t, s)
		in.set(nil, fails)
		_, err := s.Release(t.Context(), beta.Release.Version())
		require.ErrorIs(t, err, errDisk)
		in.set(fails, fails)
		index(t, s)
		in.set(nil, nil)
		require.Same(t, beta.Release, release(t, s, beta.Release.Version()))
		_, recovered := n.take()
		require.Equal(t, 1, recovered)
	})
}
