package s3store_test

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

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/s3bucket"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// publisher opens a target that keeps what it should.
func publisher(t testing.TB, handler http.Handler) *s3bucket.Target {
	t.Helper()
	opened, err := s3bucket.Open(t.Context(), address, &s3bucket.Options{Access: access(handler)})
	require.NoError(t, err)
	return opened
}

func publishes(t testing.TB, target publish.Target, pubs ...taxonomy.Publication) *publish.Report {
	t.Helper()
	report, err := publish.Publish(t.Context(), target, pubs, packs())
	require.NoError(t, err)
	require.NoError(t, report.Uncollected)
	return report
}

// changed returns a beta with other content.
func changed(t testing.TB) (before, after taxonomy.Publication) {
	t.Helper()
	pubs := storetest.Publications()
	r, err := pubs[2].Release.WithVersion(pubs[1].Release.Version())
	require.NoError(t, err)
	return pubs[1], taxonomy.Publication{Release: r}
}

func dirOf(p taxonomy.Publication) string {
	return published.Dir(p.Release.Version(), p.Release.ContentHash())
}

// The layout of a bucket is what the documentation says.
func TestBucketLayout(t *testing.T) {
	pubs := storetest.Publications()[:1]
	server := enginetest.NewS3(bucket)
	report := publishes(t, publisher(t, server), pubs...)
	e := report.Index.Entries()[0]
	dir := prefix + dirOf(pubs[0])
	want := []string{
		prefix + "index.json", prefix + published.Bound(pubs[0].Release.Version()), dir + "/release.json", dir + "/" + e.Pack.String() + ".pack",
		prefix + "unlinked/" + dirOf(pubs[0]), prefix + "unlinked/probe",
	}
	slices.Sort(want)
	require.Equal(t, want, slices.Sorted(maps.Keys(server.Objects(bucket))))
	holds(t, open(t, server, nil), pubs)
	// Publishing the same again writes nothing but the probe.
	server.Took()
	require.Empty(t, publishes(t, publisher(t, server), pubs...).Written)
	for _, request := range server.Took() {
		require.True(t, !strings.HasPrefix(request, "PUT") || strings.Contains(request, "probe"), request)
	}
	_, err := publish.Publish(t.Context(), publisher(t, server), pubs, &publish.Options{Layout: publish.LayoutFiles})
	require.ErrorContains(t, err, `use "pack"`)
}

// A server that ignores conditions is refused before anything is written.
func TestNoConditions(t *testing.T) {
	server := enginetest.NewS3(bucket)
	server.IgnoreConditions = true
	_, err := publish.Publish(t.Context(), publisher(t, server), storetest.Publications(), nil)
	require.ErrorIs(t, err, s3bucket.ErrNoConditions)
	require.ErrorContains(t, err, address)
	require.Equal(t, []string{prefix + "unlinked/probe"}, slices.Sorted(maps.Keys(server.Objects(bucket))))
}

// Answers that mean that another publisher was there lead to another attempt.
func TestConflicts(t *testing.T) {
	pubs := storetest.Publications()
	for _, c := range []struct {
		name   string
		status int
		code   string
		before func(*enginetest.S3)
		left   int
	}{
		{"409", 409, "ConditionalRequestConflict", nil, 2},
		{"412", 412, "PreconditionFailed", nil, 2},
		{"index removed", 0, "", func(s *enginetest.S3) { s.Delete(bucket, prefix+published.IndexFile) }, 1},
		{"index replaced", 0, "", func(s *enginetest.S3) { fill(t, s, pubs[2:4]) }, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := enginetest.NewS3(bucket)
			publishes(t, publisher(t, server), pubs[0])
			var once sync.Once
			server.Before = func(r *http.Request) (status int, code string) {
				if r.Method == http.MethodPut && path.Base(r.URL.Path) == published.IndexFile {
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

// What leaves the index is removed a day later, and not earlier, whatever the options
// say.
func TestKeep(t *testing.T) {
	before, after := changed(t)
	server := enginetest.NewS3(bucket)
	publishes(t, publisher(t, server), before)
	server.AgeAll(bucket, 100*time.Hour) // it was in use for long
	publishes(t, publisher(t, server), after)
	collect := func(keepFor time.Duration) []string {
		report, err := publish.Collect(t.Context(), publisher(t, server), keepFor)
		require.NoError(t, err)
		return report.Collected
	}
	require.Empty(t, collect(-time.Hour))
	server.AgeAll(bucket, 23*time.Hour)
	require.Empty(t, collect(-time.Hour))
	server.AgeAll(bucket, 2*time.Hour)
	require.Equal(t, []string{dirOf(before)}, collect(24*time.Hour))
	holds(t, open(t, server, nil), []taxonomy.Publication{after})
	for key := range server.Objects(bucket) {
		require.NotContains(t, key, before.Release.ContentHash().String())
	}
}

// A pack that another one has replaced is removed later, too.
func TestKeepPacks(t *testing.T) {
	pub := storetest.Publications()[0]
	server := enginetest.NewS3(bucket)
	first := publishes(t, publisher(t, server), pub).Index.Entries()[0].Pack
	server.AgeAll(bucket, 100*time.Hour)
	report, err := publish.Publish(t.Context(), publisher(t, server), []taxonomy.Publication{pub}, &publish.Options{
		SearchIndex: func(*taxonomy.Release, string) ([]byte, error) { return []byte("other"), nil },
	})
	require.NoError(t, err)
	require.Empty(t, report.Collected)
	require.NotEqual(t, first, report.Index.Entries()[0].Pack)
	server.AgeAll(bucket, 25*time.Hour)
	report, err = publish.Collect(t.Context(), publisher(t, server), 0)
	require.NoError(t, err)
	require.Equal(t, []string{dirOf(pub) + "/" + published.PackOf(first)}, report.Collected)
	holds(t, open(t, server, nil), []taxonomy.Publication{pub})
}

// unlinked returns a server with a release that left the index long ago.
func unlinked(t testing.TB) (server *enginetest.S3, gone, left taxonomy.Publication, stored publish.Stored, collector *s3bucket.Target) {
	t.Helper()
	gone, left = changed(t)
	server = enginetest.NewS3(bucket)
	publishes(t, publisher(t, server), gone)
	publishes(t, publisher(t, server), left)
	server.AgeAll(bucket, 48*time.Hour)
	collector = publisher(t, server)
	all, err := collector.Stored(t.Context())
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(s publish.Stored) bool { return s.Dir == dirOf(gone) })
	require.GreaterOrEqual(t, i, 0)
	return server, gone, left, all[i], collector
}

// A publisher that uses a release again comes before one that removes it.
func TestUsedAgain(t *testing.T) {
	server, gone, _, stored, collector := unlinked(t)
	report := publishes(t, publisher(t, server), gone)
	require.Empty(t, report.Written, "it is still there")
	require.ErrorIs(t, collector.Remove(t.Context(), stored), publish.ErrConflict)
	holds(t, open(t, server, nil), []taxonomy.Publication{gone})

	// Even if the note is lost: what the index names stays.
	server.Delete(bucket, prefix+"unlinked/"+dirOf(gone))
	server.AgeAll(bucket, 48*time.Hour)
	all, err := collector.Stored(t.Context())
	require.NoError(t, err)
	for _, s := range all {
		if s.Dir == dirOf(gone) {
			require.ErrorIs(t, collector.Remove(t.Context(), s), publish.ErrConflict)
			require.ErrorIs(t, collector.RemovePacks(t.Context(), s, s.Packs...), publish.ErrConflict)
		}
	}
	holds(t, open(t, server, nil), []taxonomy.Publication{gone})
}

// What a publisher is about to name in the index is not removed, although the index
// does not name it yet.
func TestRemovedBeforeIndex(t *testing.T) {
	server, gone, _, stored, collector := unlinked(t)
	var removed error
	var once sync.Once
	server.Before = func(r *http.Request) (int, string) {
		if r.Method == http.MethodPut && path.Base(r.URL.Path) == published.IndexFile {
			once.Do(func() { removed = collector.Remove(context.WithoutCancel(t.Context()), stored) })
		}
		return 0, ""
	}
	require.Empty(t, publishes(t, publisher(t, server), gone).Written)
	require.ErrorIs(t, removed, publish.ErrConflict)
	holds(t, open(t, server, nil), []taxonomy.Publication{gone})
}

// A publisher that uses a release again waits for one that removes it, and writes it
// again.
func TestUsedWhileRemoved(t *testing.T) {
	server, gone, _, stored, collector := unlinked(t)
	deleting, proceed := make(chan struct{}), make(chan struct{})
	var once sync.Once
	server.Before = func(r *http.Request) (int, string) {
		if r.Method == http.MethodDelete {
			once.Do(func() {
				close(deleting)
				<-proceed
			})
		}
		return 0, ""
	}
	removed := make(chan error)
	go func() { removed <- collector.Remove(context.WithoutCancel(t.Context()), stored) }()
	<-deleting
	waiting := publisher(t, server)
	require.ErrorIs(t, waiting.Touch(t.Context(), dirOf(gone)), publish.ErrConflict)
	require.ErrorIs(t, waiting.Add(t.Context(), dirOf(gone), publish.File{Name: published.ReleaseFile}), publish.ErrConflict)
	close(proceed)
	require.NoError(t, <-removed)
	report := publishes(t, waiting, gone)
	require.Len(t, report.Written, 1)
	holds(t, open(t, server, nil), []taxonomy.Publication{gone})
}

// A publisher that dies while it removes a release keeps others away for a few minutes
// only, and what it left is completed.
func TestDiedWhileRemoving(t *testing.T) {
	server, gone, _, stored, collector := unlinked(t)
	deleted := 0
	server.Before = func(r *http.Request) (int, string) {
		if r.Method == http.MethodDelete {
			deleted++
		}
		if deleted > 1 {
			return http.StatusForbidden, "AccessDenied"
		}
		return 0, ""
	}
	require.ErrorContains(t, collector.Remove(t.Context(), stored), "s3:")
	server.Before = nil
	next := publisher(t, server)
	err := next.Touch(t.Context(), dirOf(gone))
	require.ErrorIs(t, err, publish.ErrConflict)
	require.ErrorContains(t, err, "try again in 5m")
	server.AgeAll(bucket, 6*time.Minute)
	require.Len(t, publishes(t, next, gone).Written, 1)
	holds(t, open(t, server, nil), []taxonomy.Publication{gone})
}

// Errors say which permission is missing.
func TestPermissions(t *testing.T) {
	for method, want := range map[string]string{
		http.MethodPut:    "allow s3:PutObject on arn:aws:s3:::releases/public/v1/*",
		http.MethodGet:    "allow s3:GetObject on arn:aws:s3:::releases/public/v1/*",
		http.MethodDelete: "allow s3:DeleteObject on arn:aws:s3:::releases/public/v1/*",
		"LIST":            "allow s3:ListBucket on arn:aws:s3:::releases",
	} {
		server, _, _, _, _ := unlinked(t)
		server.Before = func(r *http.Request) (int, string) {
			isList := r.URL.Query().Has("list-type")
			if r.Method == method && !isList || isList && method == "LIST" {
				return http.StatusForbidden, "AccessDenied"
			}
			return 0, ""
		}
		report, err := publish.Publish(t.Context(), publisher(t, server), storetest.Publications()[3:4], nil)
		if err == nil {
			err = report.Uncollected
		}
		require.ErrorContains(t, err, want)
	}
}

// What became of the ids of a type, and the state of a version, are read from a bucket as
// they were published last, also by a store that is open.
func TestBucketEvolution(t *testing.T) {
	server := enginetest.NewS3(bucket)
	target := publisher(t, server)
	pubs := storetest.Publications()
	v := taxonomy.MustVersion("sensor@2026-02-28-stable")
	e := &taxonomy.Evolution{Renamed: []taxonomy.Rename{{Kind: codes.IDElement, From: "old", To: "purpose.safety", Since: v}}}
	evolves := func() {
		o := packs()
		o.Evolutions = map[string]*taxonomy.Evolution{"sensor": e}
		_, err := publish.Publish(t.Context(), target, pubs, o)
		require.NoError(t, err)
	}
	evolves()
	s := open(t, server, nil)
	check := func(state taxonomy.State) {
		t.Helper()
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		require.Nil(t, x.Evolution("ai"))
		require.Equal(t, e, x.Evolution("sensor"))
		listed, _ := x.Lookup(v.Ref())
		require.Equal(t, state, listed.State)
	}
	check(taxonomy.State{})
	e.Renamed[0].To = "purpose_2"
	evolves()
	check(taxonomy.State{})
	state := taxonomy.State{Deprecated: "2026-11-17", Sunset: "2027-06-30", Reason: "It is incomplete."}
	_, err := publish.Deprecate(t.Context(), target, v, state)
	require.NoError(t, err)
	check(state)
}
