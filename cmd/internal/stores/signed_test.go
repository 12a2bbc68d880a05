package stores_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// place is a store that publishers and readers open again and again.
type place struct {
	store  string
	bucket s3bucket.Access
	// open opens it for a publisher with a life, which may be nil.
	open func(ctx context.Context, m *mortal) (publish.Target, error)
	// files returns all files, put writes one at once, and drop deletes one.
	files func() map[string]string
	put   func(name, text string)
	drop  func(name string)
}

// save returns what makes the store again what it is now. Only files that differ are written, so
// that readers miss none of the others meanwhile.
func (p *place) save() (restore func()) {
	saved := p.files()
	return func() {
		now := p.files()
		for name := range now {
			if _, ok := saved[name]; !ok {
				p.drop(name)
			}
		}
		for name, text := range saved {
			if old, ok := now[name]; !ok || old != text {
				p.put(name, text)
			}
		}
	}
}

// places are what stores are published into.
func places() map[string]func(t *testing.T) *place {
	return map[string]func(t *testing.T) *place{"directory": inDirectory, "bucket": inBucket}
}

func inDirectory(t *testing.T) *place {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.Mkdir(dir, 0o755))
	return &place{
		store: dir,
		open: func(ctx context.Context, m *mortal) (publish.Target, error) {
			target, err := dirtarget.Create(ctx, dir)
			return mortalDirectory{target, m}, err
		},
		files: func() map[string]string {
			files := make(map[string]string)
			require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				text, err := os.ReadFile(filepath.Join(dir, name))
				files[name] = string(text)
				return err
			}))
			return files
		},
		put: func(name, text string) {
			require.NoError(t, os.WriteFile(dir+".new", []byte(text), 0o600))
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			require.NoError(t, os.Rename(dir+".new", filepath.Join(dir, name)))
		},
		drop: func(name string) { require.NoError(t, os.Remove(filepath.Join(dir, name))) },
	}
}

func inBucket(t *testing.T) *place {
	t.Helper()
	const bucket = "releases"
	engine := s3test.NewS3(bucket)
	access := func(m *mortal) s3bucket.Access {
		return s3bucket.Access{Endpoint: "http://storage.example", Config: &aws.Config{
			Region: "eu-central-1", Retryer: func() aws.Retryer { return aws.NopRetryer{} }, HTTPClient: &http.Client{Transport: mortalTransport{m, engine}},
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
			}),
		}}
	}
	return &place{
		store: s3bucket.Scheme + bucket + "/public", bucket: access(nil),
		open: func(ctx context.Context, m *mortal) (publish.Target, error) {
			at := access(m)
			return s3target.Open(ctx, s3bucket.Scheme+bucket+"/public", &at)
		},
		files: func() map[string]string {
			files := make(map[string]string)
			for key, text := range engine.Objects(bucket) {
				files[strings.TrimPrefix(key, "public/")] = text
			}
			return files
		},
		put:  func(name, text string) { engine.Put(bucket, "public/"+name, text) },
		drop: func(name string) { engine.Delete(bucket, "public/"+name) },
	}
}

// change opens the store with a key, which may be nil, and changes it.
func (p *place) change(ctx context.Context, m *mortal, key *publish.Key, do func(publish.Target) error) error {
	files, err := p.open(ctx, m)
	if err != nil {
		return err
	}
	target := files
	if key != nil {
		target = publish.Sign(files, key)
	}
	return errors.Join(do(target), files.(io.Closer).Close())
}

func (p *place) publish(t *testing.T, key *publish.Key, pubs ...listing.Publication) {
	t.Helper()
	require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error {
		_, err := publish.Publish(t.Context(), target, pubs, nil)
		return err
	}))
}

// read opens the store for readers.
func (p *place) read(t *testing.T, o stores.Options) (*stores.Opened, error) {
	t.Helper()
	o.Buckets = cloud.Buckets{Access: p.bucket}
	opened, err := stores.Open(t.Context(), stores.Location{Store: p.store}, &o)
	if err == nil {
		t.Cleanup(opened.Close)
	}
	return opened, err
}

// errKilled is what a publisher gets that was killed.
var errKilled = errors.New("killed")

// mortal is the life of a publisher, which is killed before one of its writes. A nil one does
// not end.
type mortal struct {
	at int // from 1

	mu     sync.Mutex
	writes int
	dead   bool
	last   string // what it was about to do
}

// do does something, unless the publisher is dead.
func (m *mortal) do(write bool, op string, work func() error) error {
	if m == nil {
		return work()
	}
	m.mu.Lock()
	if write && !m.dead {
		m.writes++
		m.dead, m.last = m.writes == m.at, op
	}
	dead := m.dead
	m.mu.Unlock()
	if dead {
		return errKilled
	}
	return work()
}

// mortalTransport passes the requests of a publisher to a server, without a network.
type mortalTransport struct {
	*mortal
	server http.Handler
}

func (m mortalTransport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	write := r.Method != http.MethodGet && r.Method != http.MethodHead
	err = m.do(write, r.Method+" "+r.URL.Path, func() error {
		w := httptest.NewRecorder()
		m.server.ServeHTTP(w, r)
		res = w.Result()
		res.Request, res.ContentLength = r, int64(w.Body.Len())
		return r.Context().Err()
	})
	if err != nil && res != nil {
		return nil, errors.Join(err, res.Body.Close())
	}
	return res, err
}

// mortalDirectory is a directory that a publisher changes.
type mortalDirectory struct {
	*dirtarget.Target
	*mortal
}

func (m mortalDirectory) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	return m.do(true, "replace "+name, func() error { return m.Target.Replace(ctx, name, text, rev) })
}

func (m mortalDirectory) Create(ctx context.Context, name string, text []byte) error {
	return m.do(true, "create "+name, func() error { return m.Target.Create(ctx, name, text) })
}

func (m mortalDirectory) Delete(ctx context.Context, name string) error {
	return m.do(true, "delete "+name, func() error { return m.Target.Delete(ctx, name) })
}

func (m mortalDirectory) Put(ctx context.Context, name string, data []byte) error {
	return m.do(true, "put "+name, func() error { return m.Target.Put(ctx, name, data) })
}

// logged checks that the log of a store has only grown since checkpoints that were seen, and
// that the indexes of releases and documents follow from all of it.
func (p *place) logged(t *testing.T, trust *trust.Trust, seen ...*signedlog.Checkpoint) *signedlog.Checkpoint {
	t.Helper()
	files, err := p.open(t.Context(), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, files.(io.Closer).Close()) }()
	log, err := signedlog.Follow(t.Context(), (*signedlog.Trust)(trust), func(ctx context.Context, name string) ([]byte, error) {
		text, rev, err := files.Read(ctx, "log/"+name)
		if err == nil && rev == "" {
			err = fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		return text, err
	}, nil, time.Now())
	require.NoError(t, err)
	for _, c := range seen {
		require.NoError(t, log.Consistent(t.Context(), c))
	}
	entries, err := log.Entries(t.Context(), 0, log.Checkpoint().Size)
	require.NoError(t, err)
	state := new(signedlog.State)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	text, _, err := files.Read(t.Context(), layout.IndexFile)
	require.NoError(t, err)
	index, err := taxonomy.DecodeIndex(text)
	require.NoError(t, err)
	fold, err := state.Index()
	require.NoError(t, err)
	require.True(t, fold.Equal(index), "%s\n%s", fold, index)

	list, err := register.ListStored(t.Context(), publishing.TargetFiles(files), nil)
	require.NoError(t, err)
	require.Len(t, state.Documents(), len(list))
	bySlug := make(map[string]signedlog.Document)
	for _, d := range state.Documents() {
		bySlug[d.Slug] = d
	}
	for _, d := range list {
		logged := bySlug[d.Slug]
		require.Equal(t, signedlog.DocumentHash(d.ID), logged.ID)
		require.Equal(t, logged.Current, d.Current)
		require.Equal(t, logged.Withdrawn, d.Withdrawn != nil)
		require.Len(t, logged.Editions, len(d.Editions))
		for i, e := range logged.Editions {
			edition := d.Editions[len(d.Editions)-1-i] // the newest is the first
			require.Equal(t, e.Hash, edition.Hash)
			require.Equal(t, e.Erased, edition.Erased != nil)
		}
	}
	return log.Checkpoint()
}

// registerOf returns a register with samples, and with settings.
func registerOf(t *testing.T, names ...string) *register.Register {
	t.Helper()
	texts := t.TempDir()
	for _, name := range names {
		copySample(t, name, texts)
	}
	return registerIn(t, texts)
}

func registerIn(t *testing.T, texts string) *register.Register {
	t.Helper()
	put(t, texts, "register.yaml", "title: {en: Systems of Lindenau}\npublisher: {name: {en: City of Lindenau}}\n")
	origin, err := openDocuments(texts, new(stores.Options))
	require.NoError(t, err)
	return openRegister(t, origin)
}

// TestKilled kills a signed publisher of releases, and one of documents, before each of its
// writes, and after the last. What it leaves is trusted, and the next publisher completes it:
// log, indexes, releases and documents agree.
func TestKilled(t *testing.T) {
	pubs := layouttest.Publications()
	key := newKey(t)
	trust := trusting(t, key, nil)
	service := sampleService(t)
	from := registerOf(t, "air-station.json")
	works := map[string]func(ctx context.Context, target publish.Target) error{
		"releases": func(ctx context.Context, target publish.Target) error {
			_, err := publish.Publish(ctx, target, pubs[1:3], nil)
			return err
		},
		"documents": func(ctx context.Context, target publish.Target) error {
			_, err := publishing.Documents(ctx, target, from, nil)
			if err == nil {
				_, err = publishing.Withdraw(ctx, target, "market-square-air", "It was removed")
			}
			if err == nil {
				_, err = publishing.Erase(ctx, target, "market-square-air", taxonomy.Hash{}, "A name")
			}
			return err
		},
	}
	for name, create := range places() {
		for what, work := range works {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				p := create(t)
				p.publish(t, key, pubs[0])
				restore := p.save()
				var err error
				for at := 1; at == 1 || err != nil; at++ {
					restore()
					m := &mortal{at: at}
					if err = p.change(t.Context(), m, key, func(target publish.Target) error { return work(t.Context(), target) }); err != nil {
						require.ErrorIs(t, err, errKilled)
					} else {
						require.Greater(t, at, 8)
					}
					killed := fmt.Sprintf("killed at write %d: %s", at, m.last)
					seen := p.trusted(t, trust, service, killed)
					// Another change comes first, then the same again.
					require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error {
						_, err := publish.Deprecate(t.Context(), target, pubs[0].Release.Version(), taxonomy.State{Deprecated: "2026-11-01"})
						return err
					}), killed)
					seen = p.logged(t, trust, seen)
					require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error { return work(t.Context(), target) }), killed)
					p.logged(t, trust, seen)
					p.trusted(t, trust, service, killed)
				}
			})
		}
	}
}

// trusted reads all releases and documents of the store with a trust file, and returns the
// checkpoint.
func (p *place) trusted(t *testing.T, trust *trust.Trust, service *datachain.Service, when string) *signedlog.Checkpoint {
	t.Helper()
	opened, err := p.read(t, stores.Options{Trust: trust})
	require.NoError(t, err, when)
	x, err := opened.Index(t.Context())
	require.NoError(t, err, when)
	for _, e := range x.Entries() {
		_, err := opened.Release(t.Context(), e.ID)
		require.NoError(t, err, when)
	}
	r, err := register.New(service, []register.Origin{opened.Documents("the store")}, nil)
	require.NoError(t, err, when)
	defer func() { assert.NoError(t, r.Close()) }()
	for _, d := range r.State().Documents() {
		if d.Removed() {
			continue
		}
		for _, form := range []register.TextKind{register.Thin, register.Resolved} {
			_, err := r.Text(t.Context(), d, d.Current, form)
			require.NoError(t, err, when)
		}
	}
	text, err := stores.LogOf(opened.Store, opened.Log)(t.Context(), signedlog.CheckpointFile)
	require.NoError(t, err, when)
	c, err := signedlog.Open((*signedlog.Trust)(trust), text, time.Now())
	require.NoError(t, err, when)
	return c
}

// TestSignersRace lets publishers of releases and of documents, with the same key, publish at
// the same time: everything arrives, and the log never forks.
func TestSignersRace(t *testing.T) {
	pubs := layouttest.Publications()
	key := newKey(t)
	trust := trusting(t, key, nil)
	var works []func(ctx context.Context, target publish.Target) error
	for _, pub := range pubs[1:] {
		works = append(works, func(ctx context.Context, target publish.Target) error {
			_, err := publish.Publish(ctx, target, []listing.Publication{pub}, nil)
			return err
		})
	}
	air, _ := samples.Find("air-station.json")
	edited := t.TempDir()
	put(t, edited, "air.json", strings.Replace(string(air.Text), `"created_at"`, `"updated_at": "2026-07-01T12:00:00Z", "created_at"`, 1))
	for _, from := range []*register.Register{registerOf(t, "air-station.json"), registerIn(t, edited), registerOf(t, "wifi-counter.json")} {
		works = append(works, func(ctx context.Context, target publish.Target) error {
			_, err := publishing.Documents(ctx, target, from, nil)
			return err
		})
	}
	for name, create := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			p.publish(t, key, pubs[0])
			var publishers sync.WaitGroup
			for _, work := range works {
				publishers.Go(func() {
					assert.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error { return work(t.Context(), target) }))
				})
			}
			done := make(chan struct{})
			go func() { publishers.Wait(); close(done) }()
			reader, err := p.read(t, stores.Options{})
			require.NoError(t, err)
			var seen []*signedlog.Checkpoint
			for running := true; running; {
				select {
				case <-done:
					running = false
				case <-time.After(time.Millisecond): // leave the CPU to the publishers
				}
				text, err := stores.LogOf(reader.Store, reader.Log)(t.Context(), signedlog.CheckpointFile)
				require.NoError(t, err)
				c, err := signedlog.Open((*signedlog.Trust)(trust), text, time.Now())
				require.NoError(t, err)
				seen = append(seen, c)
			}
			p.logged(t, trust, seen...)
			opened, err := p.read(t, stores.Options{Trust: trust})
			require.NoError(t, err)
			x, err := opened.Index(t.Context())
			require.NoError(t, err)
			require.Equal(t, len(pubs), x.Len())
			documents := openRegister(t, opened.Documents("the store")).State().Documents()
			require.Len(t, documents, 2)
			require.Equal(t, 3, len(documents[0].Editions)+len(documents[1].Editions))
		})
	}
}
