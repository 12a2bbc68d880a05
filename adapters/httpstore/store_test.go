package httpstore_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestStore(t *testing.T) {
	for _, kind := range []string{"memory", "folder"} {
		t.Run(kind, func(t *testing.T) {
			options := func(t *testing.T) *httpstore.Options {
				o := &httpstore.Options{Refresh: -1, Interval: 10 * time.Millisecond}
				if kind == "folder" {
					o.CacheDir = t.TempDir()
				}
				return o
			}
			storetest.Run(t, func(t *testing.T, c storetest.Content) taxonomy.Store {
				server := new(server)
				server.set(c)
				return open(t, server.listen(t), options(t))
			})
			storetest.RunUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
				server := new(server)
				server.set(c)
				return open(t, server.listen(t), options(t)), func(_ *testing.T, c storetest.Content) { server.set(c) }
			})
		})
	}
}

// TestOffline proves the copies of a store after a start without a network.
func TestOffline(t *testing.T) {
	storetest.Run(t, func(t *testing.T, c storetest.Content) taxonomy.Store {
		t.Helper()
		dir := t.TempDir()
		server := new(server)
		server.set(c)
		online := open(t, "http://server.example", &httpstore.Options{CacheDir: dir, HTTPClient: &http.Client{Transport: direct{server}}})
		_, err := online.Index(t.Context())
		require.NoError(t, err)
		for _, r := range c.Releases {
			_, err := online.Release(t.Context(), r.Version())
			require.NoError(t, err)
		}
		return open(t, "http://server.example", &httpstore.Options{CacheDir: dir, HTTPClient: &http.Client{Transport: offline{}}}).Cached()
	})
}

type offline struct{}

var errOffline = errors.New("no network")

func (offline) RoundTrip(*http.Request) (*http.Response, error) { return nil, errOffline }

// TestRefresh shows that the index is asked for when it is due, that an
// unchanged one is not sent again, and that releases are read once.
func TestRefresh(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	stable, beta := pubs[0].Release, pubs[1].Release
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		require.Empty(t, server.took(), "opening asks for nothing")
		for range 3 {
			require.NoError(t, holds(t, s, pubs))
		}
		require.Equal(t, []string{"index 200", "release " + stable.Version().String() + " 200", "release " + beta.Version().String() + " 200"}, server.took())

		changed := []listing.Publication{pubs[0], edited(t, beta, "Changed")}
		server.hold(t, changed)
		time.Sleep(5*time.Second - time.Nanosecond)
		require.NoError(t, holds(t, s, pubs))
		require.Empty(t, server.took())
		time.Sleep(time.Nanosecond)
		require.NoError(t, holds(t, s, changed))
		require.Equal(t, []string{"index 200", "release " + beta.Version().String() + " 200"}, server.took())

		time.Sleep(5 * time.Second)
		require.NoError(t, holds(t, s, changed))
		require.Equal(t, []string{"index 304"}, server.took())
	})
}

// TestReadOnce: concurrent callers share the requests, even if some of them leave.
func TestReadOnce(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	v := pubs[0].Release.Version()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		block := make(chan struct{})
		server.fail(func(http.ResponseWriter, *http.Request) bool {
			<-block
			return false
		})
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		var wg sync.WaitGroup
		got, errs := make([]*taxonomy.Release, 20), make([]error, 20)
		for i := range got {
			wg.Go(func() { got[i], errs[i] = s.Release(t.Context(), v) })
		}
		// While the index is asked for, and while the release is.
		for range 2 {
			impatient, leave := context.WithCancel(t.Context())
			gaveUp := make(chan error)
			go func() {
				_, err := s.Release(impatient, v)
				gaveUp <- err
			}()
			synctest.Wait()
			leave()
			require.ErrorIs(t, <-gaveUp, context.Canceled)
			block <- struct{}{}
			synctest.Wait()
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, r := range got {
			require.Same(t, got[0], r)
		}
		require.Equal(t, []string{"index fault", "release " + v.String() + " fault"}, server.took())
	})
}

// TestFirstCallerLeaves: a request continues when its caller leaves.
func TestFirstCallerLeaves(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		server.fail(func(http.ResponseWriter, *http.Request) bool {
			time.Sleep(time.Second)
			return false
		})
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := s.Index(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = s.Index(t.Context())
		require.NoError(t, err)
		require.Len(t, server.took(), 1)
		require.NoError(t, s.Err())
	})
}

// TestLateCaller: a call after a change gets it, although a request from before the
// change is still in progress.
func TestLateCaller(t *testing.T) {
	pubs := layouttest.Publications()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		server.fail(instead(server, func(old []byte) []byte {
			time.Sleep(time.Second)
			return old
		}))
		s := open(t, "http://server.example", &httpstore.Options{Refresh: -1, HTTPClient: &http.Client{Transport: direct{server}}})
		go func() {
			_, err := s.Index(t.Context())
			assert.NoError(t, err)
		}()
		synctest.Wait() // it has the old answer on its way
		server.hold(t, pubs[:2])
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, x.Len())
	})
}

// TestNoTags shows that a server without tags is followed, too, and that what
// is sent again is not taken for a change.
func TestNoTags(t *testing.T) {
	pubs := layouttest.Publications()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		untagged := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("If-None-Match")
			server.ServeHTTP(w, r)
			w.Header().Del("ETag")
		})
		s := open(t, "http://server.example", &httpstore.Options{Refresh: -1, HTTPClient: &http.Client{Transport: direct{untagged}}})
		changes := s.Changes(t.Context())
		<-changes // there is an index
		first, err := s.Index(t.Context())
		require.NoError(t, err)
		again, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Same(t, first, again)
		require.Empty(t, changes)
		server.hold(t, pubs[:2])
		<-changes
	})
}

// TestMovesWhileRead shows that a version may change or go between the answer
// with the index and that with the release.
func TestMovesWhileRead(t *testing.T) {
	pubs := layouttest.Publications()
	beta := pubs[5].Release
	changed := slices.Concat(pubs[:5], []listing.Publication{edited(t, beta, "Changed")})
	for _, c := range []struct {
		name  string
		after []listing.Publication
	}{
		{"changed", changed},
		{"gone", pubs[:5]},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newServer(t, pubs)
			s := open(t, server.listen(t), &httpstore.Options{Refresh: time.Hour})
			_, err := s.Index(t.Context())
			require.NoError(t, err)
			server.hold(t, c.after)
			server.took()
			r, err := s.Release(t.Context(), beta.Version())
			if c.name == "gone" {
				require.ErrorIs(t, err, taxonomy.ErrNotFound)
			} else {
				require.NoError(t, err)
				require.Equal(t, string(wire(changed[5].Release)), string(wire(r)))
			}
			require.Len(t, server.took(), 2, "the release once, then the index")
			require.NoError(t, holds(t, s, c.after))
			require.NotContains(t, server.took(), "release "+beta.Version().String()+" 200", "it was read already")
			require.NoError(t, s.Err())
		})
	}
}

func TestClose(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		s, err := httpstore.Open("http://server.example", &httpstore.Options{
			Refresh: -1, HTTPClient: &http.Client{Transport: direct{server}}, CacheDir: t.TempDir(),
		})
		require.NoError(t, err)
		changes := s.Changes(t.Context())
		<-changes
		good, err := s.Release(t.Context(), pubs[0].Release.Version())
		require.NoError(t, err)
		server.fail(func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		})
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := s.Index(t.Context())
			assert.ErrorContains(t, err, "the store is closed")
		})
		synctest.Wait()
		require.NoError(t, s.Close())
		wg.Wait()
		_, err = s.Release(t.Context(), good.Version())
		require.ErrorContains(t, err, "the store is closed")

		never, err := httpstore.Open("http://server.example", nil)
		require.NoError(t, err)
		require.NoError(t, never.Close())
		_, err = never.Index(t.Context())
		require.ErrorContains(t, err, "the store is closed")
		never.Changes(t.Context())
	}) // which fails if a goroutine is left behind
}

// TestZero: a Store that was not opened fails instead of panicking.
func TestZero(t *testing.T) {
	var s httpstore.Store
	_, err := s.Index(t.Context())
	require.ErrorContains(t, err, "not made with Open")
	_, err = s.Cached().Index(t.Context())
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	s.Changes(t.Context())
	require.NoError(t, s.Err())
	require.NoError(t, s.Close())
}

func TestOpenErrors(t *testing.T) {
	for _, c := range []struct {
		name, address string
		o             *httpstore.Options
		want          string
	}{
		{"no scheme", "server.example", nil, "must begin with http:// or https://"},
		{"no host", "http:///api", nil, "must begin with http:// or https://"},
		{"file", "file:///etc", nil, "must begin with http:// or https://"},
		{"query", "http://server.example/?a=b", nil, "must not have a query or a fragment"},
		{"fragment", "http://server.example/#a", nil, "must not have a query or a fragment"},
		{"malformed", "http://user:secret@server.example:port", nil, "malformed"},
		{"password", "gopher://user:secret@server.example", nil, "gopher://user:xxxxx@server.example"},
		{"client", "http://server.example", &httpstore.Options{ServiceClient: "my service"}, "ServiceClient"},
		{"folder", "http://server.example", &httpstore.Options{CacheDir: "store_test.go"}, "CacheDir"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := httpstore.Open(c.address, c.o)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "httpstore: ")
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

// TestAddress shows how a server may be named, and what it is sent.
func TestAddress(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	server := newServer(t, pubs)
	address := server.listen(t)
	for _, suffix := range []string{"", "/", "/api/v2", "/api/v2/"} {
		unlimited := &httpstore.Options{ServiceClient: "editor", Timeout: -1, ReleaseTimeout: -1, MaxRelease: -1}
		require.NoError(t, holds(t, open(t, address+suffix, unlimited), pubs), suffix)
		require.Equal(t, "editor", server.header.Get("Service-Client"))
	}
	err := holds(t, open(t, address+"/elsewhere", nil), pubs)
	require.ErrorContains(t, err, address+"/elsewhere/api/v2/schemas")
	require.ErrorContains(t, err, "404")
}
