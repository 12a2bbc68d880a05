package httpstore_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// server is a datachain server whose content can be changed and which can be
// made to fail.
type server struct {
	mu       sync.Mutex
	index    *taxonomy.Index
	releases map[string]*taxonomy.Release
	fault    fault
	log      []string // "index 200", "release ai@2026-09-01-beta 200"
	header   http.Header
}

// fault answers in place of the server; false leaves it to the server.
type fault func(w http.ResponseWriter, r *http.Request) bool

func newServer(t testing.TB, pubs []listing.Publication) *server {
	t.Helper()
	s := new(server)
	s.hold(t, pubs)
	return s
}

// listen serves on a port of this machine, and returns the address.
func (s *server) listen(t testing.TB) string {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return h.URL
}

// hold makes the server hold just the publications. Others are retired.
func (s *server) hold(t testing.TB, pubs []listing.Publication) {
	t.Helper()
	s.serve(t, pubs, true)
}

// drop makes the server hold just the publications, and forget the others.
func (s *server) drop(t testing.TB, pubs []listing.Publication) {
	t.Helper()
	s.serve(t, pubs, false)
}

func (s *server) serve(t testing.TB, pubs []listing.Publication, retire bool) {
	t.Helper()
	index, err := listing.Add(new(taxonomy.Index), pubs...)
	require.NoError(t, err)
	if retire && s.index != nil {
		retired := s.index.Retired()
		for _, e := range s.index.Entries() {
			retired = append(retired, taxonomy.RetiredVersion{ID: e.ID, ContentHash: e.ContentHash})
		}
		retired = slices.DeleteFunc(retired, func(r taxonomy.RetiredVersion) bool {
			_, listed := index.Lookup(r.ID.Ref())
			return listed
		})
		index, err = taxonomy.NewIndex(index.Entries(), retired...)
		require.NoError(t, err)
	}
	var releases []*taxonomy.Release
	for _, p := range pubs {
		releases = append(releases, p.Release)
	}
	s.set(storetest.Content{Index: index, Releases: releases})
}

// set makes the server hold the content of a clause.
func (s *server) set(c storetest.Content) {
	releases := make(map[string]*taxonomy.Release)
	for _, r := range c.Releases {
		releases["/api/v2/schemas/"+r.Version().String()+"/release"] = r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index, s.releases = c.Index, releases
}

func (s *server) fail(f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// took returns what the server was asked for since the last call.
func (s *server) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	what := strings.TrimPrefix(r.URL.Path, "/api/v2/schemas")
	if what == "" {
		what = "index"
	} else {
		what = "release " + strings.Trim(strings.TrimSuffix(what, "/release"), "/")
	}
	s.mu.Lock()
	f, index, release := s.fault, s.index, s.releases[r.URL.Path]
	s.header = r.Header
	s.mu.Unlock()
	note := func(result any) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.log = append(s.log, fmt.Sprint(what, " ", result))
	}
	if f != nil {
		note("fault")
		if f(w, r) {
			return
		}
	}
	status := http.StatusOK
	switch {
	case what == "index":
		text, _ := index.MarshalJSON()
		text = append([]byte(`{"ok":true,`), text[1:]...)
		sum := sha256.Sum256(text)
		etag := `"` + hex.EncodeToString(sum[:8]) + `"`
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			status = http.StatusNotModified
			w.WriteHeader(status)
		} else {
			sendJSON(w, text)
		}
	case release != nil:
		sendJSON(w, wire(release))
	case strings.HasSuffix(r.URL.Path, "/evolution"):
		sendJSON(w, index.EvolutionJSON(strings.Split(r.URL.Path, "/")[4]))
	default:
		status = http.StatusNotFound
		w.WriteHeader(status)
	}
	if f == nil {
		note(status)
	}
}

func sendJSON(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(text)
}

// direct is a transport without a network: the handler runs where the request
// is made, so a test can have a clock of its own.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// wire returns a release as the server sends it.
func wire(r *taxonomy.Release) []byte {
	text, _ := r.MarshalJSON()
	return text
}

func open(t testing.TB, address string, o *httpstore.Options) *httpstore.Store {
	t.Helper()
	s, err := httpstore.Open(address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// holds says why a store does not hold just the publications.
func holds(t testing.TB, s taxonomy.Store, pubs []listing.Publication) error {
	t.Helper()
	x, err := s.Index(t.Context())
	if err != nil {
		return err
	}
	want, err := listing.Add(new(taxonomy.Index), pubs...)
	require.NoError(t, err)
	if fmt.Sprint(x.Entries()) != fmt.Sprint(want.Entries()) {
		return fmt.Errorf("index: %v, want %v", x.Entries(), want.Entries())
	}
	for _, p := range pubs {
		r, err := s.Release(t.Context(), p.Release.Version())
		if err != nil {
			return err
		}
		if !bytes.Equal(wire(r), wire(p.Release)) {
			return fmt.Errorf("%s: %s, want %s", p.Release.Version(), wire(r), wire(p.Release))
		}
	}
	return nil
}

// edited returns a publication of the release with another title.
func edited(t testing.TB, r *taxonomy.Release, title string) listing.Publication {
	t.Helper()
	c := taxonomy.Content{
		Title: taxonomy.Localized{{Locale: "en", Value: title}}, Locales: r.Locales(), Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	for _, e := range r.Elements() {
		c.Elements = append(c.Elements, *e)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	changed, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return listing.Publication{Release: changed}
}

// news keeps what a store tells.
type news struct {
	mu        sync.Mutex
	reports   []error
	recovered int
}

func (n *news) report(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reports = append(n.reports, err)
}

// last returns a store that serves the last good data of another, asks that at
// every call, and keeps the news.
func (n *news) last(s *httpstore.Store) *laststore.Store {
	return must(laststore.New(s, &laststore.Options{
		RetryAfter: -1,
		Fallback:   s.Cached(),
		Report:     n.report,
		Recovered: func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.recovered++
		},
	}))
}

// openLast opens a store with its last good data.
func openLast(t testing.TB, address string, o *httpstore.Options) *laststore.Store {
	t.Helper()
	return new(news).last(open(t, address, o))
}

// take returns the reports and how many recoveries there were since the last
// call.
func (n *news) take() ([]error, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	reports, recovered := n.reports, n.recovered
	n.reports, n.recovered = nil, 0
	return reports, recovered
}

// files returns the names of all files below a folder, relative to it, with
// what they hold.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		all[strings.TrimPrefix(name, dir+string(filepath.Separator))] = string(data)
	}
	return all
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
