package s3target_test

import (
	"context"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// publisher opens a target.
func publisher(t testing.TB, handler http.Handler) *s3target.Target {
	t.Helper()
	at := access(handler)
	opened, err := s3target.Open(t.Context(), address, &at)
	require.NoError(t, err)
	return opened
}

func publishes(t testing.TB, target publish.Target, pubs ...listing.Publication) *publish.Report {
	t.Helper()
	report, err := publish.Publish(t.Context(), target, pubs, nil)
	require.NoError(t, err)
	return report
}

// changed returns a beta with other content.
func changed(t testing.TB) (before, after listing.Publication) {
	t.Helper()
	pubs := layouttest.Publications()
	r, err := pubs[2].Release.WithVersion(pubs[1].Release.Version())
	require.NoError(t, err)
	return pubs[1], listing.Publication{Release: r}
}

// The layout of a bucket is what the documentation says.
func TestBucketLayout(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	server := s3test.NewS3(bucket)
	report := publishes(t, publisher(t, server), pubs...)
	e := report.Index.Entries()[0]
	want := []string{
		prefix + ".probe", prefix + "index.json", prefix + layout.Bound(pubs[0].Release.Version()), prefix + layout.ArchiveFile(e),
	}
	slices.Sort(want)
	require.Equal(t, want, slices.Sorted(maps.Keys(server.Objects(bucket))))
	holds(t, open(t, server), pubs)
	// Publishing the same again writes nothing but the probe.
	server.Took()
	require.Empty(t, publishes(t, publisher(t, server), pubs...).Written)
	for _, request := range server.Took() {
		require.True(t, !strings.HasPrefix(request, "PUT") || strings.Contains(request, "probe"), request)
	}
}

// A server that ignores conditions is refused before anything is written.
func TestNoConditions(t *testing.T) {
	server := s3test.NewS3(bucket)
	server.IgnoreConditions = true
	_, err := publish.Publish(t.Context(), publisher(t, server), layouttest.Publications(), nil)
	require.ErrorIs(t, err, s3target.ErrNoConditions)
	require.ErrorContains(t, err, address)
	require.Equal(t, []string{prefix + ".probe"}, slices.Sorted(maps.Keys(server.Objects(bucket))))
}

// Answers that mean that another publisher was there lead to another attempt.
func TestConflicts(t *testing.T) {
	pubs := layouttest.Publications()
	for _, c := range []struct {
		name   string
		status int
		code   string
		before func(*s3test.S3)
		left   int
	}{
		{"409", 409, "ConditionalRequestConflict", nil, 2},
		{"412", 412, "PreconditionFailed", nil, 2},
		{"index removed", 0, "", func(s *s3test.S3) { s.Delete(bucket, prefix+layout.IndexFile) }, 1},
		{"index replaced", 0, "", func(s *s3test.S3) {
			other := s3test.NewS3(bucket)
			publishes(t, publisher(t, other), pubs[2:4]...)
			for key, text := range other.Objects(bucket) {
				s.Put(bucket, key, text)
			}
		}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := s3test.NewS3(bucket)
			publishes(t, publisher(t, server), pubs[0])
			var once sync.Once
			server.Before = func(r *http.Request) (status int, code string) {
				if r.Method == http.MethodPut && path.Base(r.URL.Path) == layout.IndexFile {
					once.Do(func() {
						status, code = c.status, c.code
						if c.before != nil {
							c.before(server)
						}
					})
				}
				return status, code
			}
			report := publishes(t, publisher(t, server), pubs[1])
			require.Equal(t, c.left, report.Index.Len())
		})
	}
}

// What leaves the index is removed by the second of two runs, a day after the first.
func TestCollect(t *testing.T) {
	before, after := changed(t)
	server := s3test.NewS3(bucket)
	old := layout.ArchiveFile(publishes(t, publisher(t, server), before).Index.Entries()[0])
	publishes(t, publisher(t, server), after)
	collect := func(wait time.Duration) *publish.Report {
		t.Helper()
		report, err := publish.Collect(t.Context(), publisher(t, server), wait)
		require.NoError(t, err)
		return report
	}
	for range 2 {
		report := collect(24 * time.Hour)
		require.Empty(t, report.Collected)
		require.Equal(t, []string{old}, report.Unused)
	}
	require.Equal(t, []string{old}, collect(-time.Hour).Collected)
	holds(t, open(t, server), []listing.Publication{after})
	require.NotContains(t, server.Objects(bucket), prefix+old)
}

// An archive that a collector removes just before a publisher names it is written again.
func TestRemovedBeforeIndex(t *testing.T) {
	gone, left := changed(t)
	server := s3test.NewS3(bucket)
	publishes(t, publisher(t, server), gone)
	publishes(t, publisher(t, server), left)
	var removed error
	var once sync.Once
	server.Before = func(r *http.Request) (int, string) {
		if r.Method == http.MethodPut && path.Base(r.URL.Path) == layout.IndexFile {
			once.Do(func() {
				_, removed = publish.Collect(context.WithoutCancel(t.Context()), publisher(t, server), -time.Hour)
			})
		}
		return 0, ""
	}
	require.Empty(t, publishes(t, publisher(t, server), gone).Written)
	require.NoError(t, removed)
	holds(t, open(t, server), []listing.Publication{gone})
}

// Errors say which permission is missing.
func TestPermissions(t *testing.T) {
	for method, want := range map[string]string{
		http.MethodPut:    "allow s3:PutObject on arn:aws:s3:::releases/public/v1/*",
		http.MethodGet:    "allow s3:GetObject on arn:aws:s3:::releases/public/v1/*",
		http.MethodDelete: "allow s3:DeleteObject on arn:aws:s3:::releases/public/v1/*",
		"LIST":            "allow s3:ListBucket on arn:aws:s3:::releases",
	} {
		gone, left := changed(t)
		server := s3test.NewS3(bucket)
		publishes(t, publisher(t, server), gone)
		publishes(t, publisher(t, server), left)
		server.Before = func(r *http.Request) (int, string) {
			isList := r.URL.Query().Has("list-type")
			if r.Method == method && !isList || isList && method == "LIST" {
				return http.StatusForbidden, "AccessDenied"
			}
			return 0, ""
		}
		_, err := publish.Publish(t.Context(), publisher(t, server), layouttest.Publications()[3:4], nil)
		if err == nil {
			_, err = publish.Collect(t.Context(), publisher(t, server), -time.Hour)
		}
		require.ErrorContains(t, err, want)
	}
}

// What became of the ids of a type, and the state of a version, are read from a bucket as
// they were published last, also by a store that is open.
func TestBucketEvolution(t *testing.T) {
	server := s3test.NewS3(bucket)
	target := publisher(t, server)
	pubs := layouttest.Publications()
	v := taxonomy.MustVersion("sensor@2026-02-28-stable")
	evolution := "one"
	evolves := func() {
		_, err := publish.Publish(t.Context(), target, pubs, &publish.Options{Evolutions: map[string][]byte{"sensor": []byte(evolution)}})
		require.NoError(t, err)
	}
	evolves()
	s := open(t, server)
	check := func(state taxonomy.State) {
		t.Helper()
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Nil(t, x.EvolutionJSON("ai"))
		require.Equal(t, evolution, string(x.EvolutionJSON("sensor")))
		listed, _ := x.Lookup(v.Ref())
		require.Equal(t, state, listed.State)
	}
	check(taxonomy.State{})
	evolution = "two"
	evolves()
	check(taxonomy.State{})
	state := taxonomy.State{Deprecated: "2026-11-17", Sunset: "2027-06-30", Reason: "It is incomplete."}
	_, err := publish.Deprecate(t.Context(), target, v, state)
	require.NoError(t, err)
	check(state)
}
