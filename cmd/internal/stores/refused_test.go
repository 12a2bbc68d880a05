package stores_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// checkedStore is a store that also says what is wrong although calls succeed.
type checkedStore interface {
	taxonomy.Store
	Err() error
}

// readers open the store in each way in which programs read one, with a trust file or nil, and each
// of them once more behind laststore.
func (p *place) readers(t *testing.T, trusted *trust.Trust) map[string]checkedStore {
	t.Helper()
	opened, err := p.read(t, stores.Options{Trust: trusted, Follow: true, Refresh: 10 * time.Millisecond})
	require.NoError(t, err)
	server, err := httpstore.Open(p.serve(t), &httpstore.Options{Verify: follow.Served(trusted, "").Verify, Refresh: -1, RetryAfter: -1})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, server.Close()) })
	all := map[string]checkedStore{"store": opened.Store.(checkedStore), "server": server}
	if filepath.IsAbs(p.store) {
		all["file system"], err = fsstore.Open(os.DirFS(p.store), &fsstore.Options{AllowDamaged: true, Verify: follow.With(trusted, "").Verify})
		require.NoError(t, err)
	}
	for name, inner := range maps.Clone(all) {
		all["last good of "+name] = must(laststore.New(inner, nil))
	}
	return all
}

// contents returns the content hashes of all releases of a store, which it reads.
func contents(t *testing.T, s taxonomy.Store) map[string]taxonomy.Hash {
	t.Helper()
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	all := make(map[string]taxonomy.Hash)
	for _, e := range x.Entries() {
		r, err := s.Release(t.Context(), e.ID)
		require.NoError(t, err)
		require.Equal(t, e.ContentHash, r.ContentHash())
		all[e.ID.String()] = r.ContentHash()
	}
	return all
}

// forgeArchive gives a beta other content: an archive, and an index that names it.
func forgeArchive(t *testing.T, p *place) {
	t.Helper()
	pubs := layouttest.Publications()
	v := pubs[1].Release.Version()
	other, err := pubs[2].Release.WithVersion(v)
	require.NoError(t, err)
	forger := inDirectory(t)
	forger.publish(t, nil, listing.Publication{Release: other})
	entry := func(p *place) (taxonomy.Entry, int64) {
		x, err := taxonomy.DecodeIndex([]byte(p.text(t, layout.IndexFile)))
		require.NoError(t, err)
		e, ok := x.Lookup(v.Ref())
		require.True(t, ok)
		return e, x.Record().Sequence
	}
	was, sequence := entry(p)
	is, _ := entry(forger)
	p.put(layout.ArchiveFile(is), forger.text(t, layout.ArchiveFile(is)))
	p.edit(t, layout.IndexFile, strings.NewReplacer(was.ContentHash.String(), is.ContentHash.String(), was.Archive.String(), is.Archive.String()).Replace)
	p.setSequence(t, layout.IndexFile, sequence+1)
}

// tampered alters the store, and returns what does so at once: until then it is as it was.
func (p *place) tampered(t *testing.T, tamper func(t *testing.T, p *place)) (alter func()) {
	t.Helper()
	restore := p.save()
	tamper(t, p)
	alter = p.save()
	restore()
	return alter
}

// editJSON changes a JSON file, whose sequence it increments.
func (p *place) editJSON(t *testing.T, name string, edit func(x map[string]any)) {
	t.Helper()
	p.edit(t, name, func(text string) string {
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &x))
		x["sequence"] = x["sequence"].(float64) + 1
		edit(x)
		edited, err := json.Marshal(x)
		require.NoError(t, err)
		return string(edited)
	})
}

// onlyFile returns the name of a file of the store.
func (p *place) onlyFile(t *testing.T, pattern string) (found string) {
	t.Helper()
	for name := range p.files() {
		if regexp.MustCompile(pattern).MatchString(name) {
			require.Empty(t, found)
			found = name
		}
	}
	require.NotEmpty(t, found)
	return found
}

// TestRefused alters a store that has a signed log as someone can who does not have the key. Nothing
// tells without a verifier, so that this fails for a store that does not get its own: with one, a
// reader that begins then fails, and one that runs keeps the last good state and says so.
func TestRefused(t *testing.T) {
	key := newKey(t)
	trusted := trusting(t, key, nil)
	pubs := layouttest.Publications()
	for name, c := range map[string]struct {
		tamper func(t *testing.T, p *place)
		want   error
	}{
		"index": {func(t *testing.T, p *place) {
			p.edit(t, layout.IndexFile, func(text string) string {
				x, err := taxonomy.DecodeIndex([]byte(text))
				require.NoError(t, err)
				x, err = listing.SetState(x, pubs[1].Release.Version(), taxonomy.State{Deprecated: "2026-11-01"})
				require.NoError(t, err)
				record := x.Record()
				record.Sequence++
				altered, err := taxonomy.EncodeIndex(x.WithRecord(record))
				require.NoError(t, err)
				return string(altered)
			})
		}, trust.ErrEntry},
		"archive and index": {forgeArchive, trust.ErrEntry},
		"entries": {func(t *testing.T, p *place) {
			p.publish(t, key, pubs[3]) // so that readers need them
			p.edit(t, p.onlyFile(t, `^log/tile/entries/000\.p/5$`), func(text string) string { return strings.ReplaceAll(text, "sha256-", "sha257-") })
		}, trust.ErrTile},
		"checkpoint": {func(t *testing.T, p *place) {
			p.edit(t, "log/checkpoint", func(text string) string { return strings.Replace(text, "\n4\n", "\n3\n", 1) })
		}, trust.ErrSignature},
		"checkpoint of another key": {func(t *testing.T, p *place) {
			other := inDirectory(t)
			other.publish(t, newKey(t), pubs[:3]...)
			p.put("log/checkpoint", other.text(t, "log/checkpoint"))
		}, trust.ErrUnknownKey},
		"no log": {func(_ *testing.T, p *place) {
			for name := range p.files() {
				if strings.HasPrefix(name, "log/") {
					p.drop(name)
				}
			}
		}, trust.ErrNoLog},
	} {
		for kind, create := range places() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				p := create(t)
				p.publish(t, key, pubs[:3]...)
				alter := p.tampered(t, c.tamper)
				running := p.readers(t, trusted)
				good := make(map[string]map[string]taxonomy.Hash)
				for name, r := range running {
					good[name] = contents(t, r)
					require.NoError(t, r.Err(), name)
				}
				alter()

				for _, r := range p.readers(t, nil) {
					require.NotEmpty(t, contents(t, r))
				}
				late := p.readers(t, trusted)
				command, err := stores.Open(t.Context(), stores.Location{Store: p.serve(t)}, &stores.Options{Trust: trusted, Follow: true})
				require.NoError(t, err)
				t.Cleanup(command.Close)
				late["server, as the command opens it"] = command.Store.(checkedStore)
				for name, r := range late {
					_, err := r.Index(t.Context())
					require.ErrorIs(t, err, c.want, name)
					require.ErrorIs(t, err, taxonomy.ErrRefused, name)
				}
				for name, r := range running {
					require.Eventually(t, func() bool { _, _ = r.Index(t.Context()); return errors.Is(r.Err(), c.want) }, time.Minute, 10*time.Millisecond, name)
					require.ErrorIs(t, r.Err(), taxonomy.ErrRefused, name)
					require.Equal(t, good[name], contents(t, r), name)
				}
			})
		}
	}
}

// TestRefusedArchive alters an archive alone, which its hash tells, with and without a trust file.
func TestRefusedArchive(t *testing.T) {
	key := newKey(t)
	pub := layouttest.Publications()[0]
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			p.publish(t, key, pub)
			running := p.readers(t, trusting(t, key, nil))
			for _, r := range running {
				contents(t, r)
			}
			p.edit(t, p.onlyFile(t, `\.zip$`), func(text string) string { return strings.Replace(text, "Test sensor", "Fake sensor", 1) })
			for _, trusted := range []*trust.Trust{trusting(t, key, nil), nil} {
				for name, r := range p.readers(t, trusted) {
					_, err := r.Release(t.Context(), pub.Release.Version())
					require.Error(t, err, name)
					if !strings.HasSuffix(name, "server") { // which says no more than that it failed
						require.ErrorIs(t, err, taxonomy.ErrHashMismatch, name)
					}
				}
			}
			for name, r := range running {
				require.Len(t, contents(t, r), 1, name)
			}
		})
	}
}

// TestCopiesApart shows that a reader with a trust file does not serve what one without it has copied.
func TestCopiesApart(t *testing.T) {
	key := newKey(t)
	p := inBucket(t)
	p.publish(t, key, layouttest.Publications()[:3]...)
	forgeArchive(t, p)
	server, dir := p.serve(t), t.TempDir()
	for _, trusted := range []*trust.Trust{nil, trusting(t, key, nil)} {
		for _, at := range []string{p.store, server} {
			opened, err := stores.Open(t.Context(), stores.Location{Store: at}, &stores.Options{Buckets: cloud.Buckets{Access: p.bucket}, Trust: trusted, StoreCache: dir, Follow: true})
			require.NoError(t, err)
			_, err = opened.Index(t.Context())
			_, copyErr := opened.Fallback.Index(t.Context())
			if trusted == nil {
				require.NoError(t, err)
				require.NoError(t, copyErr)
			} else {
				require.ErrorIs(t, err, trust.ErrEntry)
				require.ErrorIs(t, copyErr, taxonomy.ErrNotFound)
			}
			opened.Close()
		}
	}
}

// origins are the documents of the store in each way in which programs read them.
func (p *place) origins(t *testing.T, trusted *trust.Trust) map[string]register.Origin {
	t.Helper()
	opened, err := p.read(t, stores.Options{Trust: trusted, Follow: true, Refresh: 10 * time.Millisecond})
	require.NoError(t, err)
	all := map[string]register.Origin{"store": opened.Documents("the store")}
	if filepath.IsAbs(p.store) {
		log := follow.With(trusted, "")
		s, err := fsstore.Open(os.DirFS(p.store), &fsstore.Options{Verify: log.Verify})
		require.NoError(t, err)
		all["file system"] = register.Stored("the store", s, log)
	}
	return all
}

// TestRefusedDocuments is TestRefused for the documents of a register.
func TestRefusedDocuments(t *testing.T) {
	key, service := newKey(t), sampleService(t)
	trusted := trusting(t, key, nil)
	from := registerOf(t, "air-station.json", "wifi-counter.json")
	for name, tamper := range map[string]func(t *testing.T, p *place){
		"index": func(t *testing.T, p *place) {
			p.editJSON(t, "documents/index.json", func(x map[string]any) { delete(x, "register") })
		},
		"document and index": func(t *testing.T, p *place) {
			air, ok := samples.Find("air-station.json")
			require.True(t, ok)
			dir, forger := t.TempDir(), inDirectory(t)
			put(t, dir, "air.json", strings.Replace(string(air.Text), "Town of Lindenau", "Somebody else", 1))
			forger.publish(t, nil, layouttest.Publications()[0])
			forger.register(t, nil, registerIn(t, dir))
			var was struct {
				Sequence float64 `json:"sequence"`
				LogSize  float64 `json:"log_size"`
			}
			require.NoError(t, json.Unmarshal([]byte(p.text(t, "documents/index.json")), &was))
			for name, text := range forger.files() {
				if strings.HasPrefix(name, "documents/") {
					p.put(name, text)
				}
			}
			p.editJSON(t, "documents/index.json", func(x map[string]any) { x["sequence"], x["log_size"] = was.Sequence+1, was.LogSize })
		},
	} {
		for kind, create := range places() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				p := create(t)
				p.publish(t, key, layouttest.Publications()[0])
				p.register(t, key, from)
				alter := p.tampered(t, tamper)
				running, refused := make(map[string]*register.Register), make(map[string]*atomic.Pointer[error])
				for name, origin := range p.origins(t, trusted) {
					told := new(atomic.Pointer[error])
					r, err := register.New(service, []register.Origin{origin}, &register.Options{
						Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { told.Store(&err) },
					})
					require.NoError(t, err)
					t.Cleanup(func() { assert.NoError(t, r.Close()) })
					running[name], refused[name] = r, told
				}
				alter()

				for name, origin := range p.origins(t, nil) {
					r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
					require.NoError(t, err, name)
					require.NotEmpty(t, r.State().Documents())
				}
				for name, origin := range p.origins(t, trusted) {
					_, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
					require.ErrorIs(t, err, trust.ErrEntry, name)
					require.ErrorIs(t, err, taxonomy.ErrRefused, name)
				}
				for name, r := range running {
					eventually(t, func() bool { told := refused[name].Load(); return told != nil && errors.Is(*told, trust.ErrEntry) })
					require.Len(t, r.State().Documents(), 2, name)
					d, ok := r.State().Document("market-square-air")
					require.True(t, ok, name)
					text, err := r.Text(t.Context(), d, d.Current, register.Thin)
					require.NoError(t, err)
					require.Contains(t, string(text), "Town of Lindenau", name)
				}
			})
		}
	}
}

// TestOutgrownDocuments lets the log of a store grow, and keeps the index of documents as it is: readers
// compare it with the log although it has not changed.
func TestOutgrownDocuments(t *testing.T) {
	key, service := newKey(t), sampleService(t)
	trusted := trusting(t, key, nil)
	from := registerOf(t, "air-station.json")
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			var restore func()
			longAgo(t, func(t *testing.T) {
				p.publish(t, key, layouttest.Publications()[0])
				p.register(t, key, from)
				old := p.text(t, "documents/index.json")
				restore = p.save()
				p.register(t, key, from, "market-square-air")
				p.edit(t, "documents/index.json", func(string) string { return old })
			})
			grow := p.save()
			restore()
			for name, origin := range p.origins(t, trusted) {
				var refused atomic.Bool
				r, err := register.New(service, []register.Origin{origin}, &register.Options{
					Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { refused.Store(errors.Is(err, trust.ErrRollback)) },
				})
				require.NoError(t, err)
				grow()
				require.Eventually(t, refused.Load, time.Minute, 5*time.Millisecond, name)
				require.Len(t, r.State().Documents(), 1)
				require.NoError(t, r.Close())
				restore()
			}
		})
	}
}

// TestRefusedDocument alters the text of a document alone, which its hash tells, with and without a
// trust file.
func TestRefusedDocument(t *testing.T) {
	key := newKey(t)
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			p.publish(t, key, layouttest.Publications()[0])
			p.register(t, key, registerOf(t, "air-station.json"))
			for name := range p.files() {
				if strings.HasPrefix(name, "documents/") && name != "documents/index.json" {
					p.edit(t, name, func(text string) string { return strings.ReplaceAll(text, "Town of Lindenau", "Somebody else") })
				}
			}
			for _, trusted := range []*trust.Trust{trusting(t, key, nil), nil} {
				for name, origin := range p.origins(t, trusted) {
					state := openRegister(t, origin).State()
					require.NotEmpty(t, state.Refused(), name)
					d, ok := state.Document("market-square-air")
					require.True(t, ok)
					require.Empty(t, d.Title, name)
				}
			}
		})
	}
}
