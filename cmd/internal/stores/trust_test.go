package stores_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/temptest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish"
	releases "github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

func TestMain(m *testing.M) {
	temptest.TempInMemory()
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
func trusting(t *testing.T, key *publish.Key, more map[string]any) *trust.Trust {
	t.Helper()
	file := map[string]any{"origin": "example.org/log", "keys": []any{map[string]string{"key": key.Public}}}
	maps.Copy(file, more)
	text, err := json.Marshal(file)
	require.NoError(t, err)
	trusted, err := trust.ParseTrust(text)
	require.NoError(t, err)
	return trusted
}

// replaceDir makes a directory a copy of another.
func replaceDir(t *testing.T, dir, with string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.CopyFS(dir, os.DirFS(with)))
}

// serve serves the store as a server does that verifies nothing.
func (p *place) serve(t *testing.T) string {
	t.Helper()
	opened, err := p.read(t, stores.Options{Follow: true, Refresh: 10 * time.Millisecond})
	require.NoError(t, err)
	service, err := datachain.New(opened.Store, nil)
	require.NoError(t, err)
	api, err := httpapi.New(service, &httpapi.Options{Routes: releases.Log(stores.LogOf(opened.Store, opened.Log), nil)})
	require.NoError(t, err)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return server.URL
}

// edit changes a file of the store without a key.
func (p *place) edit(t *testing.T, name string, edit func(text string) string) {
	t.Helper()
	require.NoError(t, p.change(t.Context(), nil, nil, func(target publish.Target) error {
		text, rev, err := target.Read(t.Context(), name)
		require.NoError(t, err)
		require.NotEmpty(t, rev, name)
		return target.Replace(t.Context(), name, []byte(edit(string(text))), rev)
	}))
}

// TestTrust reads a directory and a bucket with a trust file, and a server of each: what the
// log does not prove is refused, and the last good index stays.
func TestTrust(t *testing.T) {
	pubs := layouttest.Publications()
	key := newKey(t)
	trusted := trusting(t, key, nil)
	type lie struct {
		tell func(t *testing.T, p *place, old, empty func())
		want error
	}
	// forged replaces the index by one that was not published.
	forged := func(forge func(x *taxonomy.Index) (*taxonomy.Index, error)) func(t *testing.T, p *place, old, empty func()) {
		return func(t *testing.T, p *place, _, _ func()) {
			p.edit(t, "index.json", func(text string) string {
				x, err := taxonomy.DecodeIndex([]byte(text))
				require.NoError(t, err)
				next, err := forge(x)
				require.NoError(t, err)
				record := next.Record()
				record.Sequence++
				forged, err := taxonomy.EncodeIndex(next.WithRecord(record))
				require.NoError(t, err)
				return string(forged)
			})
		}
	}
	for name, c := range map[string]lie{
		"a version removed": {forged(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			return listing.Remove(x, taxonomy.RetiredVersion{ID: pubs[1].Release.Version()})
		}), trust.ErrEntry},
		"a version deprecated": {forged(func(x *taxonomy.Index) (*taxonomy.Index, error) {
			return listing.SetState(x, pubs[1].Release.Version(), taxonomy.State{Deprecated: "2026-11-01"})
		}), trust.ErrEntry},
		"an entry dropped": {func(t *testing.T, p *place, _, _ func()) {
			p.publish(t, key, pubs[3])
			p.edit(t, "log/tile/entries/000.p/5", func(bundle string) string {
				first := 2 + int(bundle[0])<<8 + int(bundle[1])
				return bundle[first:]
			})
		}, trust.ErrTile},
		"an entry altered": {func(t *testing.T, p *place, _, _ func()) {
			p.publish(t, key, pubs[3])
			p.edit(t, "log/tile/entries/000.p/5", func(bundle string) string { return strings.Replace(bundle, "sha256-", "sha257-", 1) })
		}, trust.ErrTile},
		"signature": {func(t *testing.T, p *place, _, _ func()) {
			p.edit(t, "log/checkpoint", func(text string) string { return strings.Replace(text, "\n4\n", "\n5\n", 1) })
		}, trust.ErrSignature},
		"another key": {func(t *testing.T, p *place, _, empty func()) {
			empty()
			p.publish(t, newKey(t), pubs[:3]...)
		}, trust.ErrUnknownKey},
		"an old mirror": {func(_ *testing.T, _ *place, old, _ func()) { old() }, trust.ErrRollback},
		"a fork": {func(t *testing.T, p *place, old, _ func()) {
			old()
			p.publish(t, key, pubs[2])
			p.publish(t, key, pubs[1])
			p.publish(t, key, pubs[3])
		}, trust.ErrFork},
		"no log": {func(t *testing.T, p *place, _, empty func()) {
			empty()
			p.publish(t, nil, pubs[:3]...)
		}, trust.ErrNoLog},
		"a tile": {func(t *testing.T, p *place, _, _ func()) {
			p.publish(t, key, pubs[3])
			p.edit(t, "log/tile/entries/000.p/5", func(string) string { return "" })
		}, trust.ErrTile},
	} {
		for kind, create := range places() {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := create(t)
				empty := p.save()
				p.publish(t, key, pubs[0])
				old := p.save()
				p.publish(t, key, pubs[1])
				p.publish(t, key, pubs[2])
				good := p.save()
				c.tell(t, p, old, empty)
				lie := p.save()
				good() // readers find the good one and the lie, and nothing between
				refuses(t, p, trusted, c.want, lie)
			})
		}
	}
}

// TestOtherContent shows that readers that have seen nothing refuse other content under the id of
// a stable version, and two versions that were swapped: in the store, and from a server that
// believes the store.
func TestOtherContent(t *testing.T) {
	pubs := layouttest.Publications()
	key := newKey(t)
	trusted := trusting(t, key, nil)
	first, second := pubs[0].Release.ContentHash().String(), pubs[1].Release.ContentHash().String()
	for name, forge := range map[string]*strings.Replacer{
		"other content": strings.NewReplacer(first, taxonomy.Hash{1}.String()),
		"swapped":       strings.NewReplacer(first, second, second, first),
	} {
		for kind, create := range places() {
			t.Run(kind+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := create(t)
				p.publish(t, key, pubs[:3]...)
				_, err := p.read(t, stores.Options{Trust: trusted})
				require.NoError(t, err)
				p.edit(t, "index.json", forge.Replace)
				_, err = p.read(t, stores.Options{})
				require.NoError(t, err, "nothing tells without a trust file")
				_, err = p.read(t, stores.Options{Trust: trusted})
				require.ErrorIs(t, err, trust.ErrEntry)
				s, err := httpstore.Open(p.serve(t), &httpstore.Options{Verify: follow.Served(trusted, "").Verify, Refresh: -1, RetryAfter: -1})
				require.NoError(t, err)
				_, err = s.Index(t.Context())
				require.ErrorIs(t, err, trust.ErrEntry)
				require.NoError(t, s.Close())
			})
		}
	}
}

// TestExpires reads a store for hours, whose key expires: that is reported once, and the last good
// index is served.
func TestExpires(t *testing.T) {
	key := newKey(t)
	p := inDirectory(t)
	p.publish(t, key, layouttest.Publications()[:3]...)
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(2 * time.Hour).UTC().Format(time.RFC3339)
		inner, err := fsstore.Open(os.DirFS(p.store), &fsstore.Options{
			Verify: follow.With(trusting(t, key, map[string]any{"keys": []any{map[string]string{"key": key.Public, "until": until}}}), "").Verify,
		})
		require.NoError(t, err)
		var reports []error
		s := must(laststore.New(inner, &laststore.Options{Report: func(err error) { reports = append(reports, err) }}))
		read := func(duration time.Duration) {
			t.Helper()
			for range 60 {
				time.Sleep(duration / 60)
				x, err := s.Index(t.Context())
				require.NoError(t, err)
				require.Equal(t, 3, x.Len())
			}
		}
		read(2 * time.Hour)
		require.NoError(t, s.Err())
		require.Empty(t, reports)
		read(10 * time.Hour)
		require.Equal(t, "expired_key", trust.Reason(s.Err()))
		require.Len(t, reports, 1)
	})
}

// refuses reads a store that has three versions, and checks that readers refuse what becomes
// of it.
func refuses(t *testing.T, p *place, trusted *trust.Trust, want error, lie func()) {
	t.Helper()
	seen := t.TempDir()
	opened, err := p.read(t, stores.Options{Trust: trusted, SeenDir: seen, Follow: true, Refresh: 10 * time.Millisecond})
	require.NoError(t, err)
	log := follow.Served(trusted, "")
	followed, err := httpstore.Open(p.serve(t), &httpstore.Options{Verify: log.Verify, Refresh: -1, RetryAfter: -1})
	require.NoError(t, err)
	defer func() { assert.NoError(t, followed.Close()) }()
	type reader struct {
		checkedStore
		*follow.Log
	}
	readers := []reader{{opened.Store.(checkedStore), opened.Log}, {followed, log}}
	for _, r := range readers {
		x, err := r.Index(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, x.Len())
		require.NoError(t, r.Err())
		for _, e := range x.Entries() {
			_, err = r.Release(t.Context(), e.ID)
			require.NoError(t, err)
		}
	}
	good := string(readers[0].Checkpoint())
	lie()
	for _, r := range readers {
		require.Eventually(t, func() bool { _, _ = r.Index(t.Context()); return errors.Is(r.Err(), want) }, time.Minute, 10*time.Millisecond)
		x, err := r.Index(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, x.Len(), "the last good one")
		if !errors.Is(want, trust.ErrTile) { // its checkpoint is good, and may have been read beside the index from before
			require.Equal(t, good, string(r.Checkpoint()))
		}
	}
	// A program that starts now has what was seen on disk.
	_, err = p.read(t, stores.Options{Trust: trusted, SeenDir: seen, CacheDir: t.TempDir()})
	require.ErrorIs(t, err, want)
}

// TestTrustRecovers shows that readers follow a log that grows, also with another key, and
// read only what is new.
func TestTrustRecovers(t *testing.T) {
	pubs := layouttest.Publications()
	key, next := newKey(t), newKey(t)
	p := inDirectory(t)
	p.publish(t, key, pubs[0])
	var mu sync.Mutex
	var requests []string
	server, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.serve(t), http.NoBody)
	require.NoError(t, err)
	client := &http.Client{Transport: counting(func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, strings.TrimPrefix(r.URL.Path, "/api/v2/"))
	})}
	s, err := httpstore.Open(server.URL.String(), &httpstore.Options{Verify: follow.Served(trusting(t, key, nil), "").Verify, Refresh: -1, HTTPClient: client})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	has := func(n int) func() bool {
		return func() bool { x, err := s.Index(t.Context()); return err == nil && s.Err() == nil && x.Len() == n }
	}
	require.True(t, has(1)())
	require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error { return publish.Rotate(t.Context(), target, next) }))
	p.publish(t, next, pubs[1])
	require.Eventually(t, has(2), time.Minute, 10*time.Millisecond)

	mu.Lock()
	requests = nil
	mu.Unlock()
	require.True(t, has(2)())
	require.Equal(t, []string{"schemas", "log/checkpoint"}, requests, "nothing has changed")

	without, err := httpstore.Open(server.URL.String(), &httpstore.Options{Refresh: -1, HTTPClient: client})
	require.NoError(t, err)
	defer func() { assert.NoError(t, without.Close()) }()
	requests = nil
	_, err = without.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"schemas"}, requests, "without a trust file the log is not read")
}

// TestTilesKept passes on the log of a server: its tiles are requested once for each checkpoint.
func TestTilesKept(t *testing.T) {
	pubs := layouttest.Publications()
	key := newKey(t)
	for name, trusted := range map[string]*trust.Trust{"verified": trusting(t, key, nil), "not verified": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inDirectory(t)
			p.publish(t, key, pubs[0])
			var tiles atomic.Int32
			client := &http.Client{Transport: counting(func(r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/log/tile/entries/000.p/2") {
					tiles.Add(1)
				}
			})}
			log := follow.Served(trusted, "")
			s, err := httpstore.Open(p.serve(t), &httpstore.Options{Verify: log.Verify, Refresh: -1, RetryAfter: -1, HTTPClient: client})
			require.NoError(t, err)
			defer func() { assert.NoError(t, s.Close()) }()
			read := stores.LogOf(s, log)
			wait := func(versions int) {
				t.Helper()
				require.Eventually(t, func() bool {
					x, err := s.Index(t.Context())
					return err == nil && x.Len() == versions
				}, time.Minute, 10*time.Millisecond)
				_, err := read(t.Context(), signedlog.CheckpointFile)
				require.NoError(t, err)
				tiles.Store(0)
				for range 3 {
					text, err := read(t.Context(), "tile/entries/000.p/2")
					require.NoError(t, err)
					require.NotEmpty(t, text)
				}
				require.EqualValues(t, 1, tiles.Load())
			}
			wait(1)
			p.publish(t, key, pubs[1])
			wait(2)
			_, err = read(t.Context(), "tile/entries/000.p/9")
			require.ErrorIs(t, err, fs.ErrNotExist)
		})
	}
}

// TestTrustLag reads a server whose index is older than its log: its checkpoint is read after
// the index, and more may have been published between.
func TestTrustLag(t *testing.T) {
	t.Parallel()
	first := layouttest.Publications()[0]
	key := newKey(t)
	p, old := inDirectory(t), inDirectory(t)
	p.publish(t, key, first)
	replaceDir(t, old.store, p.store)
	index, log := proxy(t, old.serve(t)), proxy(t, p.serve(t))
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
	}{{1, nil}, {255, nil}, {1, trust.ErrEntry}} {
		var pubs []listing.Publication
		for range c.more {
			day = day.AddDate(0, 0, 1)
			v, err := taxonomy.NewVersion(first.Release.Version().Type(), day.Format(time.DateOnly), taxonomy.Stable)
			require.NoError(t, err)
			r, err := first.Release.WithVersion(v)
			require.NoError(t, err)
			pubs = append(pubs, listing.Publication{Release: r})
		}
		p.publish(t, key, pubs...)
		s, err := httpstore.Open(server.URL, &httpstore.Options{Verify: follow.Served(trusting(t, key, nil), "").Verify, Refresh: -1, RetryAfter: -1})
		require.NoError(t, err)
		x, err := s.Index(t.Context())
		require.ErrorIs(t, err, c.want)
		if c.want == nil {
			require.Equal(t, 1, x.Len())
			require.NoError(t, s.Err())
		} else {
			require.ErrorContains(t, err, "the index does not follow from the log: it lacks ")
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

// TestTrustTime reads stores with trust files whose key is valid at a time, which is that of the
// reader, or that which is claimed for an old copy.
func TestTrustTime(t *testing.T) {
	key := newKey(t)
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			p.publish(t, key, layouttest.Publications()[0])
			server := p.serve(t)
			for _, c := range []struct {
				from, until int // years from now
				claimed     int
				want        error
			}{
				{-10, -5, 0, trust.ErrExpired},
				{5, 10, 0, trust.ErrExpired},
				{-5, 5, 0, nil},
				{-10, -5, -7, nil},
				{-10, -5, -4, trust.ErrExpired},
				{-5, 5, -6, trust.ErrExpired},
			} {
				year := func(n int) string { return time.Now().UTC().AddDate(n, 0, 0).Format(time.RFC3339) }
				trusted := trusting(t, key, map[string]any{"keys": []any{map[string]string{"key": key.Public, "from": year(c.from), "until": year(c.until)}}})
				if c.claimed != 0 {
					trusted = trusted.At(time.Now().AddDate(c.claimed, 0, 0))
				}
				_, err := p.read(t, stores.Options{Trust: trusted})
				require.ErrorIs(t, err, c.want, "%v", c)
				s, err := httpstore.Open(server, &httpstore.Options{Verify: follow.Served(trusted, "").Verify, Refresh: -1})
				require.NoError(t, err)
				_, err = s.Index(t.Context())
				require.ErrorIs(t, err, c.want, "%v", c)
				require.NoError(t, s.Close())
			}
		})
	}
}

// TestTrustDocuments shows that documents are in the log, and that an index of documents that
// the log does not prove is refused.
func TestTrustDocuments(t *testing.T) {
	key := newKey(t)
	service, from := sampleService(t), registerOf(t, "air-station.json", "wifi-counter.json")
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			p.publish(t, key, layouttest.Publications()[0])
			require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error {
				_, err := publishing.Documents(t.Context(), target, from, nil)
				if err == nil {
					_, err = publishing.Withdraw(t.Context(), target, "market-square-air", "It was removed")
				}
				return err
			}))
			opened, err := p.read(t, stores.Options{Trust: trusting(t, key, nil)})
			require.NoError(t, err)
			r := openRegister(t, opened.Documents("the store"))
			require.Len(t, r.State().Documents(), 2)
			require.Equal(t, "Systems of Lindenau", r.State().Settings().Title.Pick("en"))

			// Someone without the key publishes the document again, or other settings.
			good := p.save()
			for _, forge := range []func(x map[string]any){
				func(x map[string]any) {
					for _, d := range x["documents"].([]any) {
						delete(d.(map[string]any), "withdrawn")
					}
				},
				func(x map[string]any) { x["register"] = taxonomy.Hash{1}.String() },
				func(x map[string]any) { delete(x, "register") },
				func(x map[string]any) {
					for _, d := range x["documents"].([]any) {
						d.(map[string]any)["editions"].([]any)[0].(map[string]any)["time"] = "2100-01-01T00:00:00Z"
					}
				},
			} {
				p.edit(t, "documents/index.json", func(text string) string {
					var x map[string]any
					require.NoError(t, json.Unmarshal([]byte(text), &x))
					forge(x)
					x["sequence"] = x["sequence"].(float64) + 1
					forged, err := json.Marshal(x)
					require.NoError(t, err)
					return string(forged)
				})
				_, err = register.New(service, []register.Origin{opened.Documents("the store")}, nil)
				require.ErrorIs(t, err, trust.ErrEntry)
				good()
			}
			// A publisher dies after register.json: new readers have the settings of the index.
			copied := ""
			other := func(text string) string { return strings.Replace(text, "City", "Town", 1) }
			p.edit(t, "documents/register.json", func(text string) string {
				copied = fmt.Sprintf("documents/%x.json", sha256.Sum256([]byte(text)))
				return other(text)
			})
			halfway := openRegister(t, opened.Documents("the store"))
			require.Equal(t, "City of Lindenau", halfway.State().Settings().Publisher.Name.Pick("en"))
			require.Empty(t, halfway.State().Refused())

			p.edit(t, copied, other)
			forged := openRegister(t, opened.Documents("the store"))
			require.Empty(t, forged.State().Settings().Title, "settings that the log does not have are not shown")
			require.Len(t, forged.State().Refused(), 1)
		})
	}
}

// TestTrustMirror mirrors a register with a trust file: a state that its log does not prove is
// refused, and the last good one stays until the server is honest again.
func TestTrustMirror(t *testing.T) {
	key := newKey(t)
	first, more := registerOf(t, "air-station.json", "wifi-counter.json"), registerOf(t, "benefits.json")
	sign := func(p *place, do func(target publish.Target) error) {
		require.NoError(t, p.change(t.Context(), nil, key, do))
	}
	published := func(from *register.Register) func(target publish.Target) error {
		return func(target publish.Target) error {
			_, err := publishing.Documents(t.Context(), target, from, nil)
			return err
		}
	}
	// Lies are told about the answers of the server.
	for name, c := range map[string]struct {
		path string
		lie  func(answer string) string
		want error
		why  string
	}{
		"not withdrawn": {"/documents/market-square-air/history", func(answer string) string {
			return strings.Replace(answer, `"withdrawn"`, `"drawn"`, 1)
		}, trust.ErrEntry, "the log lacks"},
		"an edition that was not published": {"/documents/market-square-air/history", func(answer string) string {
			return regexp.MustCompile("sha256-....").ReplaceAllString(answer, "sha256-0000")
		}, trust.ErrEntry, "which the log has, is missing"},
		"a later time": {"/documents/market-square-air/history", func(answer string) string {
			return strings.ReplaceAll(answer, `"time":"20`, `"time":"30`)
		}, trust.ErrEntry, "has a later time than its entry in the log"},
		"a document is withheld": {"/documents/changes", func(answer string) string {
			return strings.ReplaceAll(answer, "housing-benefit-check", "market-square-air")
		}, trust.ErrEntry, "which the log has, is missing"},
		"another signature": {"/log/checkpoint", func(answer string) string {
			return strings.Replace(answer, "example.org/log", "example.org/fog", 1)
		}, trust.ErrSignature, "does not match the checkpoint"},
		"no log": {"/log/checkpoint", func(string) string { return "" }, trust.ErrNoLog, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inDirectory(t)
			p.publish(t, key, layouttest.Publications()[0])
			sign(p, published(first))
			now := p.save()
			sign(p, func(target publish.Target) error {
				_, err := publishing.Withdraw(t.Context(), target, "market-square-air", "It was removed")
				if err == nil {
					err = published(more)(target)
				}
				if err == nil { // so that what the lies leave is not just older
					_, err = publishing.Withdraw(t.Context(), target, "library-wifi-counter", "It was removed")
				}
				return err
			})
			next := p.save()
			now()
			opened, err := p.read(t, stores.Options{Follow: true, Refresh: 10 * time.Millisecond})
			require.NoError(t, err)
			api, err := httpapi.New(sampleService(t), &httpapi.Options{
				Routes: slices.Concat(documents.Routes(openRegister(t, opened.Documents("the store"))), releases.Log(stores.LogOf(opened.Store, opened.Log), nil)),
			})
			require.NoError(t, err)
			var lies atomic.Bool
			var pause sync.RWMutex
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				pause.RLock()
				defer pause.RUnlock()
				if !lies.Load() || !strings.HasSuffix(r.URL.Path, c.path) {
					api.ServeHTTP(w, r)
					return
				}
				answer := httptest.NewRecorder()
				api.ServeHTTP(answer, r)
				if text := c.lie(answer.Body.String()); text != "" {
					_, _ = w.Write([]byte(text))
				} else {
					http.NotFound(w, r)
				}
			}))
			defer server.Close()

			service, seen := sampleService(t), t.TempDir()
			var refused atomic.Bool
			open := func() (*register.Register, error) {
				origin, err := openDocuments(server.URL, &stores.Options{Trust: trusting(t, key, nil), SeenDir: seen})
				require.NoError(t, err)
				return register.New(service, []register.Origin{origin}, &register.Options{
					Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { refused.Store(err != nil) },
				})
			}
			mirror, err := open()
			require.NoError(t, err)
			defer func() { assert.NoError(t, mirror.Close()) }()
			has := func(documents int) func() bool {
				return func() bool {
					d, _ := mirror.State().Document("market-square-air")
					return len(mirror.State().Documents()) == documents && (d.Withdrawn != nil) == (documents == 3)
				}
			}
			require.True(t, has(2)())

			lies.Store(true)
			pause.Lock()
			next()
			pause.Unlock()
			eventually(t, refused.Load)
			require.True(t, has(2)(), "the last good state")
			_, err = open()
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, c.why)
			lies.Store(false)
			eventually(t, has(3))
		})
	}
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
	p, key, n := inDirectory(t), newKey(t), 0
	p.publish(t, key, layouttest.Publications()...)
	for _, trusted := range []*trust.Trust{nil, trusting(t, key, nil)} {
		s, err := fsstore.Open(openedFiles{os.DirFS(p.store), &n}, &fsstore.Options{Verify: follow.With(trusted, "").Verify})
		require.NoError(t, err)
		_, err = s.Index(context.Background())
		require.NoError(t, err)
		require.Equal(t, trusted != nil, n > 0)
	}
}
