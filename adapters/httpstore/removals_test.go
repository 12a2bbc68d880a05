package httpstore_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// TestRemovals shows which losses of a server are refused: the last good index is
// served, in memory and over a restart, until the server lists what it has removed
// as retired, or lists it again.
func TestRemovals(t *testing.T) {
	pubs := layouttest.Publications()
	stable := func(p listing.Publication) bool { return p.Release.Version().Status() == taxonomy.Stable }
	betas := slices.DeleteFunc(slices.Clone(pubs), stable)
	for _, c := range []struct {
		name       string
		held, left []listing.Publication
		lost       []string // versions that the error names; none if accepted
	}{
		{"a stable version", pubs, slices.Delete(slices.Clone(pubs), 2, 3), []string{"ai@2026-03-01-stable"}},
		{"a stable version in exchange", pubs[:4], slices.Delete(slices.Clone(pubs), 2, 3), []string{"ai@2026-03-01-stable"}},
		{"all versions", pubs, nil, []string{"ai@2026-09-01-stable", "Draft_1-x@2026-05-05-beta", "and 1 more"}},
		{"all beta versions", betas, nil, []string{"ai@2026-09-01-beta", "Draft_1-x@2026-05-05-beta"}},
		{"a beta version", pubs, slices.Delete(slices.Clone(pubs), 1, 2), nil},
		{"all beta versions but one", betas, betas[1:], nil},
		{"nothing of nothing", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			server := newServer(t, c.held)
			var n news
			s := n.last(open(t, address, over(direct{server}, dir)))
			require.NoError(t, holds(t, s, c.held))

			server.drop(t, c.left)
			if len(c.lost) == 0 {
				require.NoError(t, holds(t, s, c.left))
				require.NoError(t, s.Err())
				return
			}
			for range 2 {
				require.NoError(t, holds(t, s, c.held))
			}
			reports, _ := n.take()
			require.Len(t, reports, 1)
			require.ErrorIs(t, reports[0], taxonomy.ErrRollback)
			for _, part := range append(c.lost, "last good index", "--accept-removals") {
				require.ErrorContains(t, reports[0], part)
			}

			// A restart does not forget, unless it is told to.
			require.NoError(t, holds(t, openLast(t, address, over(direct{server}, dir)), c.held))
			server.hold(t, c.held)
			require.NoError(t, holds(t, s, c.held))
			require.NoError(t, s.Err(), "the server lists them again")
			server.hold(t, c.left)
			require.NoError(t, holds(t, s, c.left), "the server lists them as retired")
			_, recovered := n.take()
			require.Equal(t, 1, recovered)
		})
	}
}

// TestAcceptRemovals shows that a removal that was accepted once stays accepted.
func TestAcceptRemovals(t *testing.T) {
	pubs := layouttest.Publications()
	dir := t.TempDir()
	server := newServer(t, pubs)
	require.NoError(t, holds(t, open(t, address, over(direct{server}, dir)), pubs))
	server.drop(t, nil)
	refusing := open(t, address, over(direct{server}, dir))
	require.NoError(t, holds(t, refusing, pubs))
	require.ErrorIs(t, refusing.Err(), taxonomy.ErrRollback)

	o := over(direct{server}, dir)
	o.AcceptRemovals = true
	s := open(t, address, o)
	require.NoError(t, holds(t, s, nil))
	require.ErrorIs(t, s.Err(), watch.ErrAccepted)
	require.ErrorContains(t, s.Err(), "it drops versions")
	// Only the first index is accepted.
	server.hold(t, pubs)
	require.NoError(t, holds(t, s, pubs))
	server.drop(t, nil)
	require.NoError(t, holds(t, s, pubs))
	require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)

	s = open(t, address, o)
	require.NoError(t, holds(t, s, nil))
	s = open(t, address, over(direct{server}, dir))
	require.NoError(t, holds(t, s, nil))
	require.NoError(t, s.Err())
}

// tagless is a transport to a server that ignores If-None-Match.
type tagless struct{ direct }

func (t tagless) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("If-None-Match")
	return t.direct.RoundTrip(r)
}

// TestRemovalUndone shows that the trouble ends when the server lists the same again,
// whether it says so or sends the index once more.
func TestRemovalUndone(t *testing.T) {
	pubs := layouttest.Publications()
	server := newServer(t, pubs)
	for name, transport := range map[string]http.RoundTripper{"not modified": direct{server}, "sent again": tagless{direct{server}}} {
		t.Run(name, func(t *testing.T) {
			server.drop(t, pubs)
			s := open(t, address, over(transport, ""))
			require.NoError(t, holds(t, s, pubs))
			server.drop(t, pubs[:1])
			require.NoError(t, holds(t, s, pubs))
			require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)
			server.drop(t, pubs)
			require.NoError(t, holds(t, s, pubs))
			require.NoError(t, s.Err())
		})
	}
}

// TestRemovedUnread shows that a version that the server dropped before it was read
// is a failure of the server, not an unknown version.
func TestRemovedUnread(t *testing.T) {
	pubs := layouttest.Publications()
	server := newServer(t, pubs)
	s := open(t, address, over(direct{server}, ""))
	_, err := s.Index(t.Context())
	require.NoError(t, err)
	server.drop(t, pubs[:1])
	_, err = s.Release(t.Context(), pubs[2].Release.Version())
	require.Error(t, err)
	require.NotErrorIs(t, err, taxonomy.ErrNotFound)
	require.ErrorIs(t, s.Err(), taxonomy.ErrRollback)
}
