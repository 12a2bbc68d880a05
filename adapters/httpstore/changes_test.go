package httpstore_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestChanges shows that listeners hear of what is new, that the server is
// asked for them alone, and that they hear when it is back.
func TestChanges(t *testing.T) {
	pubs := layouttest.Publications()
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		s := open(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}, Interval: time.Second})
		time.Sleep(time.Hour)
		require.Empty(t, server.took(), "there are no listeners")

		ctx, stop := context.WithCancel(t.Context())
		first, second := s.Changes(ctx), s.Changes(ctx)
		other, leave := context.WithCancel(t.Context())
		s.Changes(other)
		leave() // the others stay
		<-first // there is an index
		select {
		case <-second: // it came in time for that, too
		default:
		}
		time.Sleep(10*time.Second + 1)
		require.Len(t, server.took(), 11, "once a second, for both")
		require.Empty(t, first)

		server.fail(func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		})
		<-first // it fails
		<-second
		_, err := s.Index(t.Context())
		require.ErrorContains(t, err, "500")
		time.Sleep(time.Minute)
		require.Less(t, len(server.took()), 10, "a failing server is asked less often")
		server.hold(t, pubs[:3])
		server.fail(nil)
		<-first
		<-second
		require.NoError(t, holds(t, s, pubs[:3]))

		stop()
		for range first { // ends when the channel is closed
		}
		server.took()
		time.Sleep(time.Hour)
		require.Empty(t, server.took(), "there are no listeners left")

		// There is a listener again.
		again, stop := context.WithCancel(t.Context())
		defer stop()
		third := s.Changes(again)
		server.hold(t, pubs)
		<-third
	})
}

// TestMissedRelease: a release that could not be read when its index entry was
// reported is reported when it can.
func TestMissedRelease(t *testing.T) {
	pubs := layouttest.Publications()
	beta := pubs[5].Release
	synctest.Test(t, func(t *testing.T) {
		server := newServer(t, pubs)
		s := openLast(t, "http://server.example", &httpstore.Options{HTTPClient: &http.Client{Transport: direct{server}}})
		changes := s.Changes(t.Context())
		<-changes // there is an index
		require.NoError(t, holds(t, s, pubs))
		server.fail(func(w http.ResponseWriter, r *http.Request) bool {
			return r.URL.Path != "/api/v2/schemas" && status(500)(w, r)
		})
		changed := slices.Concat(pubs[:5], []listing.Publication{edited(t, beta, "Changed")})
		server.hold(t, changed)
		<-changes
		r, err := s.Release(t.Context(), beta.Version())
		require.NoError(t, err)
		require.Equal(t, beta.ContentHash(), r.ContentHash(), "the last good one")
		time.Sleep(10 * time.Minute)
		require.Empty(t, changes)
		server.fail(nil)
		<-changes
		server.took()
		require.NoError(t, holds(t, s, changed))
		require.NotContains(t, server.took(), "release "+beta.Version().String()+" 200", "it is here already")
		time.Sleep(10 * time.Minute)
		require.Empty(t, changes)
	})
}
