package s3store_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	openOn := func(t *testing.T, c storetest.Content) taxonomy.Store {
		t.Helper()
		server := s3test.NewS3(bucket)
		set(t, server, c)
		return open(t, server, nil)
	}
	storetest.Run(t, openOn)
	storetest.RunUnknownFields(t, openOn)
	storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		t.Helper()
		server := s3test.NewS3(bucket)
		set(t, server, c)
		return open(t, server, nil), func(t *testing.T, c storetest.Content) {
			t.Helper()
			set(t, server, c)
		}
	})
}

// An index that has not changed is not sent again, and a release is read once.
func TestRequests(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	server := s3test.NewS3(bucket)
	fill(t, server, pubs)
	s := open(t, server, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { holds(t, s, pubs) })
	}
	wg.Wait()
	fetched := 0
	for _, request := range server.Took() {
		if strings.HasSuffix(request, " 200") {
			fetched++
		}
	}
	require.Equal(t, 2, fetched, "the index and an archive")
	_, err := s.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"GET /" + bucket + "/" + prefix + "index.json 304"}, server.Took())
}

// Within Refresh nothing is requested, and with Interval calls never wait.
func TestAge(t *testing.T) {
	pubs := layouttest.Publications()
	server := s3test.NewS3(bucket)
	fill(t, server, pubs[:1])
	s := open(t, server, func(o *s3store.Options) { o.Refresh = time.Hour })
	holds(t, s, pubs[:1])
	server.Took()
	holds(t, s, pubs[:1])
	require.Empty(t, server.Took())

	polled := open(t, server, func(o *s3store.Options) { o.Refresh, o.Interval = time.Hour, time.Millisecond })
	holds(t, polled, pubs[:1])
	fill(t, server, pubs[:2])
	require.Eventually(t, func() bool {
		index, err := polled.Index(t.Context())
		return err == nil && index.Len() == 2
	}, time.Minute, time.Millisecond)
	holds(t, polled, pubs[:2])
}

// Copies replace requests for releases, are verified, and serve without a network.
func TestCopies(t *testing.T) {
	pubs := layouttest.Publications()[:3]
	server := s3test.NewS3(bucket)
	fill(t, server, pubs)
	dir := t.TempDir()
	cache := func(o *s3store.Options) { o.CacheDir = dir }
	holds(t, open(t, server, cache), pubs)
	server.Took()
	holds(t, open(t, server, cache), pubs)
	for _, request := range server.Took() {
		require.Equal(t, "GET /"+bucket+"/"+prefix+"index.json 304", request)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1+len(pubs))
	offline := s3test.NewS3()
	s := open(t, offline, cache)
	last := must(laststore.New(s, &laststore.Options{Fallback: s.Cached()}))
	holds(t, last, pubs)
	require.ErrorContains(t, last.Err(), "NoSuchBucket")

	for _, file := range files {
		good, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, damage := range [][]byte{nil, good[:len(good)/2], append([]byte("x"), good[1:]...)} {
			require.NoError(t, os.WriteFile(file, damage, 0o600))
			var reports []error
			holds(t, open(t, server, func(o *s3store.Options) {
				o.CacheDir, o.Report = dir, func(err error) { reports = append(reports, err) }
			}), pubs)
			require.Len(t, reports, 1)
			require.ErrorContains(t, reports[0], "can't be used")
			repaired, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, good, repaired, file)
		}
	}
	o := reading(server)
	o.CacheDir = files[0]
	_, err = s3store.Open(t.Context(), address, o)
	require.ErrorContains(t, err, "the cache directory can't be used")
}

// Whatever is in a bucket, a store returns the release of the index or an error.
func TestHostileBucket(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	server := s3test.NewS3(bucket)
	fill(t, server, pubs)
	good := server.Objects(bucket)
	for key, data := range good {
		for name, damage := range map[string]string{
			"empty": "", "cut": data[:len(data)-1], "longer": data + " x", "flipped": flip(data), "zeros": string(make([]byte, len(data))),
		} {
			server.Put(bucket, key, damage)
			s := open(t, server, nil)
			for _, p := range pubs {
				r, err := s.Release(t.Context(), p.Release.Version())
				if err == nil {
					require.Equal(t, text(t, p.Release), text(t, r), "%s %s", key, name)
					continue
				}
				if !strings.HasSuffix(key, layout.IndexFile) {
					require.ErrorIs(t, err, taxonomy.ErrHashMismatch, "%s %s", key, name)
				}
				require.ErrorContains(t, err, address)
			}
		}
		server.Delete(bucket, key)
		_, err := open(t, server, nil).Release(t.Context(), pubs[0].Release.Version())
		if strings.HasSuffix(key, layout.IndexFile) {
			require.ErrorIs(t, err, s3store.ErrNoIndex)
			require.ErrorContains(t, err, "datachain schema publish DIR --store "+address)
		}
		server.Put(bucket, key, data)
	}
	small := open(t, server, func(o *s3store.Options) { o.MaxRelease = 100 })
	_, err := small.Release(t.Context(), pubs[0].Release.Version())
	require.ErrorContains(t, err, "more than the limit of 100")
	holds(t, open(t, server, func(o *s3store.Options) { o.MaxRelease, o.Timeout, o.ReleaseTimeout = -1, -1, -1 }), pubs)
}

func flip(data string) string {
	b := []byte(data)
	b[len(b)/2] ^= 1
	return string(b)
}

// A closed store ends requests that are in progress, and fails.
func TestClosed(t *testing.T) {
	var began sync.WaitGroup
	began.Add(1)
	var once atomic.Bool
	s, err := s3store.Open(t.Context(), address, through(roundTrip(func(r *http.Request) (*http.Response, error) {
		if once.CompareAndSwap(false, true) {
			began.Done()
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	})))
	require.NoError(t, err)
	failed := make(chan error)
	go func() {
		_, err := s.Index(t.Context())
		failed <- err
	}()
	began.Wait()
	require.NoError(t, s.Close())
	require.ErrorContains(t, <-failed, "closed")
	_, err = s.Index(t.Context())
	require.ErrorContains(t, err, "closed")
	_, err = new(s3store.Store).Index(t.Context())
	require.ErrorContains(t, err, "not made with Open")
}

type roundTrip func(r *http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A server that hangs is reported soon, long before requests time out, and used again
// when it answers.
func TestHangs(t *testing.T) {
	t.Parallel()
	pubs := layouttest.Publications()[:1]
	server := s3test.NewS3(bucket)
	fill(t, server, pubs)
	var hangs atomic.Bool
	answers := make(chan struct{})
	s := open(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs.Load() {
			select {
			case <-answers:
			case <-r.Context().Done():
				return
			}
		}
		server.ServeHTTP(w, r)
	}), func(o *s3store.Options) { o.Timeout, o.Interval = time.Hour, 10*time.Millisecond })
	holds(t, s, pubs)
	hangs.Store(true)
	require.Eventually(t, func() bool {
		_, err := s.Index(t.Context())
		return errors.Is(err, context.DeadlineExceeded) && strings.Contains(err.Error(), "there was no complete answer in time")
	}, time.Minute, 10*time.Millisecond)
	hangs.Store(false)
	close(answers)
	require.Eventually(t, func() bool {
		_, err := s.Index(t.Context())
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	holds(t, s, pubs)

	// At first there is nothing to serve, and nothing to wait for.
	_, err := open(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}), func(o *s3store.Options) { o.Timeout = time.Hour }).Index(t.Context())
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestRolledBack shows that an index that goes back is not served, also after a
// restart, unless it is accepted.
func TestRolledBack(t *testing.T) {
	pubs := layouttest.Publications()
	server := s3test.NewS3(bucket)
	fill(t, server, pubs[:3])
	key := prefix + layout.IndexFile
	old := server.Objects(bucket)[key]
	fill(t, server, pubs)
	now := server.Objects(bucket)[key]
	dir := t.TempDir()
	cached := func(o *s3store.Options) { o.CacheDir = dir }
	s := open(t, server, cached)
	holds(t, s, pubs)
	for _, back := range []string{old, `{"format":2,"versions":[]}`, `{"format":2,"sequence":9,"versions":[]}`} {
		server.Put(bucket, key, back)
		holds(t, s, pubs)
		holds(t, open(t, server, cached), pubs)
		server.Put(bucket, key, now)
		holds(t, s, pubs)
		require.NoError(t, s.Err())
	}
	server.Put(bucket, key, `{"format":2,"versions":[]}`)
	holds(t, s, pubs)
	require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)

	accepting := open(t, server, func(o *s3store.Options) { o.CacheDir, o.AcceptRemovals = dir, true })
	holds(t, accepting, nil)
	require.ErrorContains(t, accepting.Err(), "--accept-removals")
	once := open(t, server, cached)
	holds(t, once, nil)
	require.NoError(t, once.Err())
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
