package httpstore_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

const address = "http://server.example"

// over returns options for a store without a network.
func over(transport http.RoundTripper, dir string) *httpstore.Options {
	return &httpstore.Options{Refresh: -1, RetryAfter: -1, CacheDir: dir, HTTPClient: &http.Client{Transport: transport}}
}

// filled returns a folder with copies of publications.
func filled(t testing.TB, pubs []listing.Publication) string {
	t.Helper()
	dir := t.TempDir()
	s := open(t, address, over(direct{newServer(t, pubs)}, dir))
	require.NoError(t, holds(t, s, pubs))
	return dir
}

// copies returns the files with a part in their names.
func copies(t testing.TB, dir, part string) []string {
	t.Helper()
	var names []string
	for name := range files(t, dir) {
		if strings.Contains(name, part) {
			names = append(names, filepath.Join(dir, name))
		}
	}
	slices.Sort(names)
	return names
}

// TestExactBytes shows what is kept: the bytes of the server, and no more.
func TestExactBytes(t *testing.T) {
	pubs := layouttest.Publications()
	dir := filled(t, pubs)
	all := files(t, dir)
	require.Len(t, all, len(pubs)+1)
	for _, p := range pubs {
		name := copies(t, dir, p.Release.Version().String()+".")
		require.Len(t, name, 1)
		data, err := os.ReadFile(name[0])
		require.NoError(t, err)
		require.Equal(t, string(wire(p.Release)), string(data))
		require.Contains(t, name[0], p.Release.ContentHash().String())
	}
	// The index is asked for again with its tag, and nothing else is.
	server := newServer(t, pubs)
	require.NoError(t, holds(t, open(t, address, &httpstore.Options{CacheDir: dir, HTTPClient: &http.Client{Transport: direct{server}}}), pubs))
	require.Equal(t, []string{"index 304"}, server.took())
	require.Equal(t, all, files(t, dir))
	// A password makes no other server, and another server is another.
	withPassword := openLast(t, "http://user:secret@server.example", over(offline{}, dir))
	require.NoError(t, holds(t, withPassword, pubs))
	_, err := open(t, "http://other.example", over(offline{}, dir)).Index(t.Context())
	require.ErrorIs(t, err, errOffline)
}

// TestOfflineIsReported: a program learns that it is offline.
func TestOfflineIsReported(t *testing.T) {
	pubs := layouttest.Publications()
	var n news
	s := n.last(open(t, address, over(offline{}, filled(t, pubs))))
	require.NoError(t, s.Err(), "nothing was asked yet")
	require.NoError(t, holds(t, s, pubs))
	reports, _ := n.take()
	require.Len(t, reports, 1)
	require.ErrorIs(t, reports[0], errOffline)
	require.ErrorIs(t, s.Err(), errOffline)
}

// TestNewestCopy shows that a version whose listed content was never read
// serves the content that was.
func TestNewestCopy(t *testing.T) {
	pubs := layouttest.Publications()
	beta := pubs[5].Release
	dir := filled(t, pubs)
	server := newServer(t, append(pubs[:5:5], edited(t, beta, "Changed")))
	s := open(t, address, over(direct{server}, dir))
	_, err := s.Index(t.Context())
	require.NoError(t, err)
	last := openLast(t, address, over(offline{}, dir)) // it knows the new index alone
	r, err := last.Release(t.Context(), beta.Version())
	require.NoError(t, err)
	require.Equal(t, string(wire(beta)), string(wire(r)))
	require.ErrorIs(t, last.Err(), errOffline)
}

// TestDamagedCopies changes, cuts and replaces each file: what is served is
// right all the same, and the copy is repaired.
func TestDamagedCopies(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	dir := filled(t, pubs)
	good := files(t, dir)
	server := newServer(t, pubs)
	elsewhere := t.TempDir()
	require.NoError(t, holds(t, open(t, "http://other.example", over(direct{newServer(t, nil)}, elsewhere)), nil))
	foreign, err := os.ReadFile(copies(t, elsewhere, "index")[0])
	require.NoError(t, err)
	for name, text := range good {
		damages := map[string]string{"empty": "", "cut": text[:len(text)-1], "longer": text + "x", "another": good[other(good, name)]}
		if filepath.Base(name) == "index" {
			damages["foreign"] = string(foreign)
		}
		for _, p := range pubs {
			if strings.Contains(name, p.Release.Version().String()) {
				damages["changed"] = string(wire(edited(t, p.Release, "Changed").Release))
			}
		}
		for i := 0; i < len(text); i += max(1, len(text)/20) {
			flipped := []byte(text)
			flipped[i] ^= 1 << (i % 8)
			damages[fmt.Sprint("flipped at ", i)] = string(flipped)
		}
		for kind, damage := range damages {
			write(t, filepath.Join(dir, name), damage)
			var n news
			o := over(direct{server}, dir)
			o.Report = n.report
			s := open(t, address, o)
			require.NoError(t, holds(t, s, pubs), "%s %s", name, kind)
			require.NoError(t, s.Err())
			reports, _ := n.take()
			require.Len(t, reports, 1, "%s %s", name, kind)
			require.ErrorContains(t, reports[0], "can't be used", "%s %s", name, kind)
			require.ErrorContains(t, reports[0], dir)
			require.NoError(t, holds(t, openLast(t, address, over(offline{}, dir)), pubs), "%s %s is repaired", name, kind)
			write(t, filepath.Join(dir, name), damage)
			last := openLast(t, address, over(offline{}, dir))
			for _, p := range pubs {
				if r, err := last.Release(t.Context(), p.Release.Version()); err == nil {
					require.Equal(t, string(wire(p.Release)), string(wire(r)), "%s %s", name, kind)
				}
			}
			write(t, filepath.Join(dir, name), text)
		}
	}
}

// other returns another copy of a release.
func other(all map[string]string, name string) string {
	for n := range all {
		if n != name && strings.HasSuffix(n, ".json") {
			return n
		}
	}
	return ""
}

func write(t testing.TB, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// TestStrangeFiles: files that are not copies do no harm.
func TestStrangeFiles(t *testing.T) {
	pubs := layouttest.Publications()[:1]
	dir := filled(t, pubs)
	file := copies(t, dir, ".json")[0]
	folder := filepath.Dir(file)
	write(t, filepath.Join(folder, "notes.txt"), "mine")
	write(t, filepath.Join(folder, "a@b.json"), "mine")
	// A link out of the directory in place of a release.
	outside := filepath.Join(t.TempDir(), "outside.json")
	require.NoError(t, os.Rename(file, outside))
	require.NoError(t, os.Symlink(outside, file))
	server := newServer(t, pubs)
	require.NoError(t, holds(t, open(t, address, over(direct{server}, dir)), pubs))
	require.Contains(t, server.took(), "release "+pubs[0].Release.Version().String()+" 200", "the link was not followed")
	require.FileExists(t, outside)
	// A directory in its place.
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.MkdirAll(filepath.Join(file, "sub"), 0o700))
	require.NoError(t, holds(t, open(t, address, over(direct{server}, dir)), pubs))
	require.FileExists(t, file)
	require.FileExists(t, filepath.Join(folder, "notes.txt"))
	require.FileExists(t, filepath.Join(folder, "a@b.json"))
}

// TestCacheRemoved: a directory that can't be written to is reported once, but not as a
// failure of the store.
func TestCacheRemoved(t *testing.T) {
	pubs := layouttest.Publications()
	dir := t.TempDir()
	var n, cache news
	o := over(direct{newServer(t, pubs)}, dir)
	o.Report = cache.report
	s := n.last(open(t, address, o))
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	require.NoError(t, os.Remove(names[0]))
	require.NoError(t, holds(t, s, pubs))
	require.NoError(t, s.Err())
	reports, _ := n.take()
	require.Empty(t, reports)
	reports, _ = cache.take()
	require.NotEmpty(t, reports)
	for _, err := range reports {
		require.ErrorContains(t, err, "can't be stored")
	}
	require.NoError(t, holds(t, s, pubs))
	again, _ := cache.take()
	require.Empty(t, again)
}

// TestCollect shows what leaves the folder, and when.
func TestCollect(t *testing.T) {
	pubs := layouttest.Publications()
	beta, retired := pubs[5].Release, pubs[0].Release
	dir := filled(t, pubs)
	server := newServer(t, pubs)
	s := open(t, address, over(direct{server}, dir))
	age := func(name string, by time.Duration) {
		old := time.Now().Add(-by)
		require.NoError(t, os.Chtimes(name, old, old))
	}
	for _, name := range copies(t, dir, "") {
		age(name, 1000*time.Hour)
	}
	require.NoError(t, holds(t, s, pubs))

	// The older content of a version goes when the newer one is there.
	changed := slices.Concat(pubs[:5], []listing.Publication{edited(t, beta, "Changed")})
	server.hold(t, changed)
	_, err := s.Index(t.Context())
	require.NoError(t, err)
	require.Len(t, copies(t, dir, beta.ContentHash().String()), 1)
	require.NoError(t, holds(t, s, changed))
	require.Empty(t, copies(t, dir, beta.ContentHash().String()))
	require.Len(t, copies(t, dir, ".json"), len(pubs))

	// A retired version goes a week after that, as do files left behind.
	folder := filepath.Dir(copies(t, dir, "index")[0])
	half := filepath.Join(folder, ".datachain-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	write(t, half, "half")
	age(half, 2*time.Hour)
	server.hold(t, changed[1:])
	require.NoError(t, holds(t, s, changed[1:]))
	server.hold(t, changed[2:])
	require.NoError(t, holds(t, s, changed[2:]))
	left := copies(t, dir, retired.Version().String())
	require.Len(t, left, 1, "a server may list too little by mistake")
	require.NoFileExists(t, half)
	server.hold(t, changed)
	require.NoError(t, holds(t, s, changed))
	server.hold(t, changed[1:])
	require.NoError(t, holds(t, s, changed[1:]))
	age(left[0], 6*24*time.Hour)
	server.hold(t, changed[2:])
	require.NoError(t, holds(t, s, changed[2:]))
	require.FileExists(t, left[0])
	age(left[0], 8*24*time.Hour)
	server.hold(t, changed[1:])
	require.NoError(t, holds(t, s, changed[1:]))
	require.NoFileExists(t, left[0])
	require.Len(t, copies(t, dir, ".json"), len(changed)-1)
}

// TestSharedFolder has many stores at work in one folder, as programs would.
func TestSharedFolder(t *testing.T) {
	pubs := layouttest.Publications()
	changed := slices.Concat(pubs[:5], []listing.Publication{edited(t, pubs[5].Release, "Changed")})
	dir := t.TempDir()
	server := newServer(t, pubs)
	at := server.listen(t)
	var wg sync.WaitGroup
	errs := make([]error, 5)
	for i := range errs {
		wg.Go(func() {
			for round := range 6 {
				s, err := httpstore.Open(at, &httpstore.Options{CacheDir: dir, Refresh: -1})
				if err != nil {
					errs[i] = err
					return
				}
				for _, p := range pubs {
					r, err := s.Release(t.Context(), p.Release.Version())
					errs[i] = errors.Join(errs[i], err)
					if err == nil && r.Version() != p.Release.Version() {
						t.Errorf("%s is %s", p.Release.Version(), r.Version())
					}
				}
				errs[i] = errors.Join(errs[i], s.Err(), s.Close())
				if i == 0 {
					server.hold(t, [][]listing.Publication{changed, pubs}[round%2])
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	require.NoError(t, holds(t, open(t, at, &httpstore.Options{CacheDir: dir}), pubs))
	require.NoError(t, holds(t, openLast(t, at, &httpstore.Options{CacheDir: dir, HTTPClient: &http.Client{Transport: offline{}}}), pubs))
}

// TestStableChanged shows that an index with other content for a stable release is
// refused, in memory and over a restart, until the server lists the release again.
func TestStableChanged(t *testing.T) {
	pubs := layouttest.Publications()
	stable := pubs[2].Release
	other := edited(t, stable, "Other")
	other.Aliases, other.Released = pubs[2].Aliases, pubs[2].Released
	changed := slices.Clone(pubs)
	changed[2] = other
	for _, kind := range []string{"memory", "folder"} {
		t.Run(kind, func(t *testing.T) {
			dir := ""
			if kind == "folder" {
				dir = t.TempDir()
			}
			server := newServer(t, pubs)
			var n news
			s := n.last(open(t, address, over(direct{server}, dir)))
			require.NoError(t, holds(t, s, pubs))

			server.hold(t, changed)
			for range 2 {
				require.NoError(t, holds(t, s, pubs))
			}
			reports, _ := n.take()
			require.Len(t, reports, 1)
			require.ErrorIs(t, reports[0], taxonomy.ErrStableChanged)
			require.ErrorIs(t, reports[0], taxonomy.ErrRollback)
			for _, part := range []string{stable.Version().String(), stable.ContentHash().String(), other.Release.ContentHash().String(), "--accept-removals"} {
				require.ErrorContains(t, reports[0], part)
			}
			if kind == "folder" {
				for _, transport := range []http.RoundTripper{direct{server}, offline{}} {
					require.NoError(t, holds(t, new(news).last(open(t, address, over(transport, dir))), pubs))
				}
			}
			server.hold(t, pubs)
			server.hold(t, pubs[:2]) // the stable release is retired
			require.NoError(t, holds(t, s, pubs[:2]))
			server.hold(t, changed[:3]) // and not free for other content
			require.NoError(t, holds(t, s, pubs[:2]))
			require.ErrorIs(t, s.Err(), taxonomy.ErrStableChanged)
			server.hold(t, pubs)
			require.NoError(t, holds(t, s, pubs))
			require.NoError(t, s.Err())
			_, recovered := n.take()
			require.Equal(t, 2, recovered)
		})
	}
}

// TestEvolution reads what became of the ids of a type, once for each content, also from
// the copies of a store whose server is away.
func TestEvolution(t *testing.T) {
	pubs := layouttest.Publications()
	server := newServer(t, pubs)
	evolve := func(to string) {
		server.mu.Lock()
		defer server.mu.Unlock()
		server.index = server.index.WithEvolution("sensor", []byte(to))
	}
	evolve("one")
	dir := t.TempDir()
	options := &httpstore.Options{CacheDir: dir, Refresh: -1, RetryAfter: -1}
	s := open(t, server.listen(t), options)
	known := func(s taxonomy.Store) string {
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		return string(x.EvolutionJSON("sensor"))
	}
	require.Equal(t, "one", known(s))
	require.Equal(t, "one", known(s))
	evolve("two")
	require.Equal(t, "two", known(s))
	require.Equal(t, 2, strings.Count(strings.Join(server.took(), "\n"), "evolution 200"), "each was read once")
	require.Equal(t, "two", known(s.Cached()), "a copy")
}
