package stores_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/testengine"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/ledger"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

func TestMain(m *testing.M) {
	testengine.TempInMemory()
	os.Exit(m.Run())
}

func newKey(t *testing.T) *publish.Key {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "example.org/log")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	return &publish.Key{Signer: signer, Public: public}
}

// trusting returns what a reader with a key trusts, and more fields of its trust file.
func trusting(t *testing.T, key *publish.Key, more map[string]any) *ledger.Trust {
	t.Helper()
	file := map[string]any{"origin": "example.org/log", "keys": []any{map[string]string{"key": key.Public}}}
	maps.Copy(file, more)
	text, err := json.Marshal(file)
	require.NoError(t, err)
	trust, err := ledger.ParseTrust(text)
	require.NoError(t, err)
	return trust
}

// change publishes into a directory with a key.
func change(t *testing.T, dir string, key *publish.Key, do func(publish.Target) error) {
	t.Helper()
	target, err := fsstore.CreateTarget(t.Context(), dir)
	require.NoError(t, err)
	signed, err := publish.Sign(target, key)
	require.NoError(t, err)
	require.NoError(t, do(signed))
	require.NoError(t, target.Close())
}

func published(t *testing.T, dir string, key *publish.Key, pubs ...taxonomy.Publication) {
	t.Helper()
	change(t, dir, key, func(target publish.Target) error {
		_, err := publish.Publish(t.Context(), target, pubs, nil)
		return err
	})
}

// replaceDir makes a directory a copy of another.
func replaceDir(t *testing.T, dir, with string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.CopyFS(dir, os.DirFS(with)))
}

// serveDir serves a directory as a server does that verifies nothing.
func serveDir(t *testing.T, dir string) string {
	t.Helper()
	opened, err := stores.Open(t.Context(), stores.Location{Store: dir}, &stores.Options{Follow: true, Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(opened.Close)
	service, err := datachain.New(opened.Store, nil)
	require.NoError(t, err)
	api, err := httpapi.New(service, &httpapi.Options{Log: opened.Log})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server.URL
}

// TestTrust reads a directory, and a server that lies, with a trust file: what the log does not
// prove is refused, and the last good index stays.
func TestTrust(t *testing.T) {
	pubs := storetest.Publications()
	key := newKey(t)
	trust := trusting(t, key, nil)
	for name, c := range map[string]struct {
		lie  func(t *testing.T, dir, old string)
		want error
	}{
		"index": {func(t *testing.T, dir, _ string) {
			text, err := os.ReadFile(filepath.Join(dir, "index.json"))
			require.NoError(t, err)
			x, err := taxonomy.DecodeIndex(text)
			require.NoError(t, err)
			next, err := x.Without(taxonomy.Retired{ID: pubs[1].Release.Version()})
			require.NoError(t, err)
			text, err = taxonomy.EncodeIndex(next.WithSequence(x.Sequence() + 1))
			require.NoError(t, err)
			put(t, dir, "index.json", string(text))
		}, ledger.ErrEntry},
		"signature": {func(t *testing.T, dir, _ string) {
			text, err := os.ReadFile(filepath.Join(dir, "log", "checkpoint"))
			require.NoError(t, err)
			put(t, dir, "log/checkpoint", strings.Replace(string(text), "\n4\n", "\n5\n", 1))
		}, ledger.ErrSignature},
		"another key": {func(t *testing.T, dir, _ string) {
			require.NoError(t, os.RemoveAll(dir))
			published(t, dir, newKey(t), pubs[:3]...)
		}, ledger.ErrUnknownKey},
		"an old mirror": {func(t *testing.T, dir, old string) { replaceDir(t, dir, old) }, ledger.ErrRollback},
		"a fork": {func(t *testing.T, dir, old string) {
			replaceDir(t, dir, old)
			published(t, dir, key, pubs[2])
			published(t, dir, key, pubs[1])
			published(t, dir, key, pubs[3])
		}, ledger.ErrFork},
		"no log": {func(t *testing.T, dir, _ string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "log"))) }, ledger.ErrCheckpoint},
		"a tile": {func(t *testing.T, dir, _ string) {
			published(t, dir, key, pubs[3])
			put(t, dir, "log/tile/entries/000.p/5", "")
		}, ledger.ErrTile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, old, seen := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "old"), t.TempDir()
			published(t, dir, key, pubs[0])
			replaceDir(t, old, dir)
			published(t, dir, key, pubs[1])
			published(t, dir, key, pubs[2])

			stored, err := fsstore.OpenDir(dir, &fsstore.Options{Trust: trust, SeenDir: seen})
			require.NoError(t, err)
			defer func() { assert.NoError(t, stored.Close()) }()
			url := serveDir(t, dir)
			followed, err := httpstore.Open(url, &httpstore.Options{Trust: trust, MaxAge: -1, RetryAfter: -1})
			require.NoError(t, err)
			defer func() { assert.NoError(t, followed.Close()) }()
			readers := []interface {
				taxonomy.Store
				Err() error
				Checkpoint() []byte
			}{stored, followed}
			for _, r := range readers {
				x, err := r.Index(t.Context())
				require.NoError(t, err)
				require.Equal(t, 3, x.Len())
				require.NoError(t, r.Err())
				_, err = r.Release(t.Context(), pubs[0].Release.Version())
				require.NoError(t, err)
			}
			good := string(stored.Checkpoint())

			c.lie(t, dir, old)
			for _, r := range readers {
				require.Eventually(t, func() bool { _, _ = r.Index(t.Context()); return r.Err() != nil }, time.Minute, 10*time.Millisecond)
				require.ErrorIs(t, r.Err(), c.want)
				x, err := r.Index(t.Context())
				require.NoError(t, err)
				require.Equal(t, 3, x.Len(), "the last good one")
				require.Equal(t, good, string(r.Checkpoint()))
			}
			// A program that starts now has what was seen on disk.
			_, err = stores.Open(t.Context(), stores.Location{Store: dir}, &stores.Options{Trust: trust, SeenDir: seen, CacheDir: t.TempDir()})
			require.ErrorIs(t, err, c.want)
		})
	}
}

// TestTrustRecovers shows that readers follow a log that grows, also with another key, and
// read only what is new.
func TestTrustRecovers(t *testing.T) {
	pubs := storetest.Publications()
	key, next := newKey(t), newKey(t)
	dir := t.TempDir()
	published(t, dir, key, pubs[0])
	var mu sync.Mutex
	var requests []string
	server, err := http.NewRequestWithContext(t.Context(), http.MethodGet, serveDir(t, dir), http.NoBody)
	require.NoError(t, err)
	client := &http.Client{Transport: counting(func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, strings.TrimPrefix(r.URL.Path, "/api/v2/"))
	})}
	s, err := httpstore.Open(server.URL.String(), &httpstore.Options{Trust: trusting(t, key, nil), MaxAge: -1, HTTPClient: client})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	has := func(n int) func() bool {
		return func() bool { x, err := s.Index(t.Context()); return err == nil && s.Err() == nil && x.Len() == n }
	}
	require.True(t, has(1)())
	change(t, dir, key, func(target publish.Target) error { return publish.Rotate(t.Context(), target, next) })
	published(t, dir, next, pubs[1])
	require.Eventually(t, has(2), time.Minute, 10*time.Millisecond)

	mu.Lock()
	requests = nil
	mu.Unlock()
	require.True(t, has(2)())
	require.Equal(t, []string{"schemas", "log/checkpoint"}, requests, "nothing has changed")

	without, err := httpstore.Open(server.URL.String(), &httpstore.Options{MaxAge: -1, HTTPClient: client})
	require.NoError(t, err)
	defer func() { assert.NoError(t, without.Close()) }()
	requests = nil
	_, err = without.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"schemas"}, requests, "without a trust file the log is not read")
}

// TestTrustLag reads a server whose index is older than its log: its checkpoint is read after
// the index, and more may have been published between.
func TestTrustLag(t *testing.T) {
	t.Parallel()
	first := storetest.Publications()[0]
	key := newKey(t)
	dir, old := filepath.Join(t.TempDir(), "store"), filepath.Join(t.TempDir(), "old")
	published(t, dir, key, first)
	replaceDir(t, old, dir)
	index, log := proxy(t, serveDir(t, old)), proxy(t, serveDir(t, dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/v2/log/") {
			log.ServeHTTP(w, r)
		} else {
			index.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		more int // publications
		want error
	}{{1, nil}, {255, nil}, {1, ledger.ErrEntry}} {
		var pubs []taxonomy.Publication
		for range c.more {
			day = day.AddDate(0, 0, 1)
			v, err := taxonomy.NewVersion(first.Release.Version().Type(), day.Format(time.DateOnly), taxonomy.Stable)
			require.NoError(t, err)
			r, err := first.Release.WithVersion(v)
			require.NoError(t, err)
			pubs = append(pubs, taxonomy.Publication{Release: r})
		}
		published(t, dir, key, pubs...)
		s, err := httpstore.Open(server.URL, &httpstore.Options{Trust: trusting(t, key, nil), MaxAge: -1, RetryAfter: -1})
		require.NoError(t, err)
		x, err := s.Index(t.Context())
		require.ErrorIs(t, err, c.want)
		if c.want == nil {
			require.Equal(t, 1, x.Len())
			require.NoError(t, s.Err())
		} else {
			require.ErrorContains(t, err, "the index does not follow from the log")
		}
		require.NoError(t, s.Close())
	}
}

// proxy passes requests to a server.
func proxy(t *testing.T, server string) http.Handler {
	t.Helper()
	at, err := url.Parse(server)
	require.NoError(t, err)
	return httputil.NewSingleHostReverseProxy(at)
}

type counting func(*http.Request)

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c(r)
	return http.DefaultTransport.RoundTrip(r)
}

// TestTrustTime reads a checkpoint that was cosigned years ago, or will be.
func TestTrustTime(t *testing.T) {
	key := newKey(t)
	private, public, err := ledger.NewCosignerKey(rand.Reader, "example.org/clock")
	require.NoError(t, err)
	trust := trusting(t, key, map[string]any{"cosigners": []any{map[string]string{"key": public}}, "cosignatures": 1, "max_age": "2h"})
	dir := t.TempDir()
	published(t, dir, key, storetest.Publications()[0])
	read := func() error {
		s, err := fsstore.OpenDir(dir, &fsstore.Options{Trust: trust})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	require.ErrorIs(t, read(), ledger.ErrCosignature)
	for _, c := range []struct {
		years int
		want  error
	}{{-5, ledger.ErrStale}, {5, ledger.ErrStale}, {0, nil}} {
		cosigner, err := ledger.NewCosigner(private, time.Now().AddDate(c.years, 0, 0))
		require.NoError(t, err)
		change(t, dir, key, func(target publish.Target) error {
			_, err := publish.Cosign(t.Context(), target, trusting(t, key, nil), nil, cosigner)
			return err
		})
		require.ErrorIs(t, read(), c.want)
	}
}

// TestTrustDocuments shows that documents are in the log, and that an index of documents that
// the log does not prove is refused.
func TestTrustDocuments(t *testing.T) {
	key, dir, texts := newKey(t), t.TempDir(), t.TempDir()
	published(t, dir, key, storetest.Publications()[0])
	copySample(t, "air-station.json", texts)
	copySample(t, "wifi-counter.json", texts)
	origin, err := stores.OpenDocuments(texts, new(stores.Options))
	require.NoError(t, err)
	from := openRegister(t, origin)
	change(t, dir, key, func(target publish.Target) error {
		_, err := documents.Publish(t.Context(), target, from, nil)
		return err
	})
	change(t, dir, key, func(target publish.Target) error {
		_, err := documents.Withdraw(t.Context(), target, "market-square-air", "It was removed")
		return err
	})
	s, err := fsstore.OpenDir(dir, &fsstore.Options{Trust: trusting(t, key, nil)})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	r := openRegister(t, documents.Stored("the store", s))
	require.Len(t, r.State().Documents(), 2)
	require.NoError(t, s.Err())

	// Someone without the key publishes the document again.
	name := filepath.Join(dir, "documents", "index.json")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var x map[string]any
	require.NoError(t, json.Unmarshal(text, &x))
	for _, d := range x["documents"].([]any) {
		delete(d.(map[string]any), "withdrawn")
	}
	x["sequence"] = x["sequence"].(float64) + 1
	text, err = json.Marshal(x)
	require.NoError(t, err)
	put(t, dir, "documents/index.json", string(text))
	_, err = documents.New(sampleService(t), []documents.Origin{documents.Stored("the store", s)}, nil)
	require.ErrorIs(t, err, ledger.ErrEntry)
}

// openedFiles counts the files of a log that are opened.
type openedFiles struct {
	fs.FS
	log *int
}

func (o openedFiles) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "log/") {
		*o.log++
	}
	return o.FS.Open(name)
}

// TestNoTrust shows that a reader without a trust file does not read the log of a store.
func TestNoTrust(t *testing.T) {
	dir, key, n := t.TempDir(), newKey(t), 0
	published(t, dir, key, storetest.Publications()...)
	for _, trust := range []*ledger.Trust{nil, trusting(t, key, nil)} {
		s, err := fsstore.Open(openedFiles{os.DirFS(dir), &n}, &fsstore.Options{Trust: trust})
		require.NoError(t, err)
		_, err = s.Index(context.Background())
		require.NoError(t, err)
		require.Equal(t, trust != nil, n > 0)
	}
}
