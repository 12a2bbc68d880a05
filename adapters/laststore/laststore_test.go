package laststore_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// bare is a store that does nothing but what it must, and makes an index for
// each call.
type bare struct{ store taxonomy.Store }

func (b bare) Index(ctx context.Context) (*taxonomy.Index, error) {
	x, err := b.store.Index(ctx)
	if err != nil {
		return nil, err
	}
	return x.WithVersions(x.Entries(), x.Retired())
}

func (b bare) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	return b.store.Release(ctx, v)
}

func TestStore(t *testing.T) {
	for name, around := range map[string]func(*memstore.Store) taxonomy.Store{
		"memstore": func(s *memstore.Store) taxonomy.Store { return s },
		"bare":     func(s *memstore.Store) taxonomy.Store { return bare{s} },
		"twice":    func(s *memstore.Store) taxonomy.Store { return must(laststore.New(s, nil)) },
	} {
		t.Run(name, func(t *testing.T) {
			inner := func(t *testing.T, c storetest.Content) *memstore.Store {
				t.Helper()
				s := new(memstore.Store)
				require.NoError(t, s.Set(c.Index, c.Releases...))
				return s
			}
			open := func(t *testing.T, c storetest.Content) taxonomy.Store {
				t.Helper()
				return must(laststore.New(around(inner(t, c)), nil))
			}
			storetest.Run(t, open)
			storetest.RunUnknownFields(t, open)
			if name == "bare" {
				return // it can't report changes
			}
			storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
				t.Helper()
				s := inner(t, c)
				return must(laststore.New(around(s), nil)), func(t *testing.T, c storetest.Content) {
					t.Helper()
					require.NoError(t, s.Set(c.Index, c.Releases...))
				}
			})
		})
	}
}

// TestZero: a Store that was not made with New fails instead of panicking.
func TestZero(t *testing.T) {
	var s laststore.Store
	_, err := s.Index(t.Context())
	require.ErrorContains(t, err, "New")
	_, err = s.Release(t.Context(), taxonomy.MustVersion("ai@2026-09-01-beta"))
	require.ErrorContains(t, err, "New")
	require.NoError(t, s.Err())
}

// TestConfirmed: content that the index still names is neither read again nor
// does returning it allocate.
func TestConfirmed(t *testing.T) {
	beta, changed, stable := publications(t)
	s, in, n := open(t, laststore.Options{}, beta, stable)
	v := beta.Release.Version()
	for range 3 {
		require.Same(t, beta.Release, release(t, s, v))
		first := index(t, s)
		require.Same(t, first, index(t, s))
	}
	require.EqualValues(t, 1, in.read.Load())
	ctx := t.Context()
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = s.Release(ctx, v) }))

	in.hold(t, changed, stable)
	require.Same(t, changed.Release, release(t, s, v))
	require.EqualValues(t, 2, in.read.Load())
	in.hold(t, beta, stable)
	require.Same(t, beta.Release, release(t, s, v))
	require.EqualValues(t, 3, in.read.Load())
	n.quiet(t)
}

// TestLastGood: each kind of failure leaves callers with the last good data, is
// reported once, and ends.
func TestLastGood(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	for name, c := range map[string]struct{ index, release fault }{
		"index fails":   {index: fails},
		"release fails": {release: fails},
		"both fail":     {fails, fails},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, in, n := open(t, laststore.Options{}, beta, stable)
				release(t, s, v)
				in.hold(t, changed, stable)
				in.set(c.index, c.release)
				for range 10 {
					require.Same(t, beta.Release, release(t, s, v))
					time.Sleep(retryAfter / 3)
				}
				n.troubled(t, s, errDisk)
				in.set(nil, nil)
				time.Sleep(retryAfter)
				require.Same(t, changed.Release, release(t, s, v))
				n.well(t, s)
			})
		})
	}
}

// TestRefresh: the index is read once per interval, also by many callers at once.
func TestRefresh(t *testing.T) {
	beta, changed, _ := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{Refresh: time.Minute}, beta)
		release(t, s, v)
		release(t, s, v)
		before := in.indexes.Load()
		in.hold(t, changed)
		for range 59 {
			time.Sleep(time.Second)
			require.Same(t, beta.Release, release(t, s, v))
		}
		require.Equal(t, before, in.indexes.Load())

		time.Sleep(time.Second)
		var callers sync.WaitGroup
		for range 100 {
			callers.Go(func() { release(t, s, v) })
		}
		callers.Wait()
		require.Equal(t, before+1, in.indexes.Load())
		require.Same(t, changed.Release, release(t, s, v))

		in.set(fails, nil)
		time.Sleep(time.Minute)
		require.Same(t, changed.Release, release(t, s, v))
		n.troubled(t, s, errDisk)
		in.set(nil, nil)
		time.Sleep(time.Minute)
		require.Same(t, changed.Release, release(t, s, v))
		n.well(t, s)
	})
}

// TestNothingToServe: without a last good copy the error reaches the caller, and
// the release is not read again at once. New content is not delayed.
func TestNothingToServe(t *testing.T) {
	beta, changed, _ := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, beta)
		in.set(fails, nil)
		for range 3 {
			_, err := s.Index(t.Context())
			require.ErrorIs(t, err, errDisk)
			_, err = s.Release(t.Context(), v)
			require.ErrorIs(t, err, errDisk)
		}
		n.troubled(t, s, errDisk)
		in.set(nil, fails)
		for range 3 {
			_, err := s.Release(t.Context(), v)
			require.ErrorIs(t, err, errDisk)
		}
		require.EqualValues(t, 1, in.read.Load())
		reports, recovered := n.take()
		require.Len(t, reports, 1)
		require.Equal(t, 1, recovered, "between the two problems")

		in.set(nil, nil)
		in.hold(t, changed)
		require.Same(t, changed.Release, release(t, s, v), "the new content is not delayed")
		n.well(t, s)
	})
}

// TestSlowFailure: what takes long to fail is tried less often.
func TestSlowFailure(t *testing.T) {
	beta, _, _ := publications(t)
	synctest.Test(t, func(t *testing.T) {
		s, in, _ := open(t, laststore.Options{}, beta)
		in.set(nil, func(context.Context) error {
			time.Sleep(3 * time.Second)
			return errDisk
		})
		for range 60 {
			_, err := s.Release(t.Context(), beta.Release.Version())
			require.ErrorIs(t, err, errDisk)
			time.Sleep(time.Second)
		}
		require.LessOrEqual(t, in.read.Load(), int64(3))

		in.set(func(context.Context) error {
			time.Sleep(10 * time.Millisecond)
			return errDisk
		}, nil)
		asked := in.indexes.Load()
		for range 100 {
			index(t, s)
			time.Sleep(10 * time.Millisecond)
		}
		require.LessOrEqual(t, in.indexes.Load()-asked, int64(2+10))
		in.set(nil, nil)
		require.Eventually(t, func() bool {
			index(t, s)
			return s.Err() == nil
		}, time.Minute, 10*time.Millisecond)
	})
}

// TestHang: a store that does not answer costs a caller half of its time, and the
// next ones nothing.
func TestHang(t *testing.T) {
	beta, changed, _ := publications(t)
	v := beta.Release.Version()
	for name, c := range map[string]struct{ index, release fault }{
		"index": {index: hangs}, "release": {release: hangs}, "both": {hangs, hangs},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, in, n := open(t, laststore.Options{}, beta)
				release(t, s, v)
				in.hold(t, changed)
				in.set(c.index, c.release)
				for _, want := range []time.Duration{time.Second, 0, 0} {
					ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
					started := time.Now()
					r, err := s.Release(ctx, v)
					require.NoError(t, err)
					require.Same(t, beta.Release, r)
					require.Equal(t, want, time.Since(started))
					cancel()
				}
				n.troubled(t, s, context.DeadlineExceeded)
				require.ErrorContains(t, s.Err(), "did not answer in time")
				in.set(nil, nil)
				time.Sleep(retryAfter)
				require.Same(t, changed.Release, release(t, s, v))
				n.well(t, s)
			})
		})
	}
}

// TestHangFromTheStart: a caller with little time does not decide for one that
// has more.
func TestHangFromTheStart(t *testing.T) {
	beta, _, _ := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, beta)
		slow := func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
				return nil
			}
		}
		in.set(slow, slow)
		for _, patience := range []time.Duration{100 * time.Millisecond, 1500 * time.Millisecond, time.Minute} {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			_, err := s.Release(ctx, v)
			cancel()
			if patience < 2*time.Second {
				require.ErrorIs(t, err, context.DeadlineExceeded)
			} else {
				require.NoError(t, err)
			}
		}
		n.take()
		require.NoError(t, s.Err())
	})
}

// TestCanceled: a caller that leaves gets its own error, and is not a problem of
// the store.
func TestCanceled(t *testing.T) {
	beta, changed, _ := publications(t)
	v := beta.Release.Version()
	synctest.Test(t, func(t *testing.T) {
		s, in, n := open(t, laststore.Options{}, beta)
		release(t, s, v)
		in.hold(t, changed)
		for _, c := range []struct{ index, release fault }{{index: hangs}, {release: hangs}} {
			in.set(c.index, c.release)
			ctx, cancel := context.WithCancel(t.Context())
			result := make(chan error)
			go func() {
				_, err := s.Release(ctx, v)
				result <- err
			}()
			synctest.Wait()
			cancel()
			require.ErrorIs(t, <-result, context.Canceled)
		}
		n.quiet(t)
		in.set(nil, nil)
		require.Same(t, changed.Release, release(t, s, v), "nothing is paused")
	})
}

// TestOneTries: of many callers one at a time finds out whether the store works
// again.
func TestOneTries(t *testing.T) {
	beta, _, _ := publications(t)
	synctest.Test(t, func(t *testing.T) {
		s, in, _ := open(t, laststore.Options{}, beta)
		index(t, s)
		in.set(fails, nil)
		index(t, s)
		asked := in.indexes.Load()
		time.Sleep(retryAfter)
		in.set(hangs, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				_, err := s.Index(ctx)
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		require.Equal(t, asked+1, in.indexes.Load())
	})
}

// TestEveryCall: a negative RetryAfter has every call try again.
func TestEveryCall(t *testing.T) {
	beta, _, _ := publications(t)
	v := beta.Release.Version()
	s, in, n := open(t, laststore.Options{RetryAfter: -1}, beta)
	in.set(fails, nil)
	for range 3 {
		_, err := s.Index(t.Context())
		require.ErrorIs(t, err, errDisk)
	}
	require.EqualValues(t, 3, in.indexes.Load())
	in.set(nil, fails)
	for i := range int64(3) {
		_, err := s.Release(t.Context(), v)
		require.ErrorIs(t, err, errDisk)
		require.Greater(t, in.read.Load(), i)
	}
	in.set(nil, nil)
	require.Same(t, beta.Release, release(t, s, v))
	_, recovered := n.take()
	require.Positive(t, recovered)
	require.NoError(t, s.Err())
}

// TestRetired: a version that the store no longer has is not found, whether the
// index says so or the release, and is forgotten.
func TestRetired(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	s, in, n := open(t, laststore.Options{}, beta, stable)
	release(t, s, v)
	in.hold(t, changed, stable)
	in.set(nil, func(context.Context) error { return taxonomy.ErrNotFound })
	_, err := s.Release(t.Context(), v)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	in.hold(t, stable)
	in.set(nil, nil)
	_, err = s.Release(t.Context(), v)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	n.quiet(t)

	in.hold(t, beta, stable)
	in.set(nil, fails)
	_, err = s.Release(t.Context(), v)
	require.ErrorIs(t, err, errDisk, "what was retired is forgotten")
}

// TestFlapping: a store that fails at random while its content changes gives no
// caller an error or a partial release, and the trouble ends.
func TestFlapping(t *testing.T) {
	beta, changed, stable := publications(t)
	v := beta.Release.Version()
	s, in, _ := open(t, laststore.Options{RetryAfter: time.Microsecond}, beta, stable)
	release(t, s, v)
	release(t, s, stable.Release.Version())
	var mu sync.Mutex
	calls := 0
	fault := func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls%3 == 0 {
			return errors.New(time.Now().String())
		}
		return nil
	}
	in.set(fault, fault)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := s.Release(t.Context(), v)
				if !assert.True(t, err == nil && (r == beta.Release || r == changed.Release), "%v", err) {
					return
				}
			}
		})
	}
	for i := range 500 {
		in.hold(t, []listing.Publication{beta, changed}[i%2], stable)
	}
	close(stop)
	wg.Wait()
	in.set(nil, nil)
	require.Eventually(t, func() bool {
		r, err := s.Release(t.Context(), v)
		return err == nil && r == changed.Release && s.Err() == nil
	}, time.Minute, time.Millisecond)
}

// full is a store that has everything a store can have.
type full struct{ *memstore.Store }

func (full) Icon(_ context.Context, _ *taxonomy.Release, elementID, _ string) ([]byte, error) {
	return []byte(elementID), nil
}

// TestOptional: what the inner store can do besides is passed on.
func TestOptional(t *testing.T) {
	beta, changed, _ := publications(t)
	inner, err := memstore.New(beta)
	require.NoError(t, err)
	s := must(laststore.New(full{inner}, nil))
	svg, err := s.Icon(t.Context(), beta.Release, "purpose_2", "dark")
	require.NoError(t, err)
	require.Equal(t, "purpose_2", string(svg))
	changes := s.Changes(t.Context())
	require.NoError(t, inner.Put(changed))
	<-changes
}
