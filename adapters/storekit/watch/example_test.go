package watch_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"os"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/cache"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/adapters/storekit/watch"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// remote is a store of releases that were published somewhere, such as into a database: only
// read knows where. It keeps copies in a directory.
type remote struct {
	read     taxonomy.ReadFunc
	copies   *cache.Cache
	guard    watch.Guard
	releases *reader.Loader
	index    *watch.Follower
}

// newRemote returns a store with copies below dir. What verify makes proves its index, if it is not nil.
func newRemote(name, dir string, verify func(taxonomy.ReadFunc) taxonomy.Verifier, read taxonomy.ReadFunc) (*remote, error) {
	s := &remote{read: read}
	s.guard.Store = name
	s.guard.Verify(verify, read)
	copies, err := cache.Open(dir, name, &cache.Options{Scope: s.guard.Scope()})
	if err != nil {
		return nil, err
	}
	s.copies = copies
	wrap := func(err error) error { return fmt.Errorf("%s: %w", name, err) }
	s.releases = reader.NewLoader(reader.Source{Read: s.load, Wrap: wrap})
	s.index = watch.NewFollower(watch.Remote{
		Get: func(ctx context.Context, tag string) ([]byte, string, error) {
			return read(ctx, layout.IndexFile, tag, layout.MaxIndex)
		},
		Evolution: func(ctx context.Context, typ string, h taxonomy.Hash) ([]byte, error) {
			text, _, err := read(ctx, layout.Evolution(typ, h), "", layout.MaxEvolution)
			return text, err
		},
		Copies: copies, Wrap: wrap, Guard: &s.guard, Releases: s.releases,
		Timeout: 10 * time.Second, Refresh: 5 * time.Second,
	})
	return s, nil
}

// load reads a release, unless there is a copy.
func (s *remote) load(ctx context.Context, e taxonomy.Entry) (*reader.Archive, error) {
	if archive := s.copies.Release(e); archive != nil {
		return archive, nil
	}
	data, _, err := s.read(ctx, layout.ArchiveFile(e), "", 64<<20)
	if err != nil {
		return nil, err
	}
	archive, err := reader.Open(e, data)
	if err == nil {
		s.copies.Put(e, data)
	}
	return archive, err
}

func (s *remote) Index(ctx context.Context) (*taxonomy.Index, error) {
	return s.index.Current(ctx, false)
}

func (s *remote) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	return s.releases.Release(ctx, x, v)
}

// Err returns what is wrong although calls succeed, such as an index that was rolled back.
func (s *remote) Err() error { return s.guard.Err() }

func (s *remote) Close() error {
	s.index.Close()
	return s.copies.Close()
}

// A store of a program's own, for releases that are kept where no adapter reads: package watch
// follows the index and refuses one that goes back, package reader loads each release once and
// verifies it, and package cache keeps copies. Package storetest checks such a store.
func Example() {
	ctx := context.Background()
	database := published.FS() // what the releases were published into
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary

	reads := 0
	read := func(ctx context.Context, name, tag string, limit int64) ([]byte, string, error) {
		text, err := fs.ReadFile(database, name)
		revision := fmt.Sprintf("%x", sha256.Sum256(text))
		switch {
		case err != nil:
			return nil, "", err
		case revision == tag:
			return nil, tag, nil
		case int64(len(text)) > limit:
			return nil, "", fmt.Errorf("%s is larger than %d bytes", name, limit)
		}
		reads++
		return text, revision, nil
	}
	for range 2 { // the second one has copies
		store, err := newRemote("the database", dir, nil, read)
		if err != nil {
			log.Panic(err)
		}
		ref, err := taxonomy.ParseRef("ai@latest")
		if err != nil {
			log.Panic(err)
		}
		release, err := taxonomy.Open(ctx, store, ref)
		if err != nil {
			log.Panic(err)
		}
		fmt.Println(release.Version(), "files read:", reads, store.Err())
		if err := store.Close(); err != nil {
			log.Panic(err)
		}
	}
	// Output:
	// ai@2026-11-15-stable files read: 2 <nil>
	// ai@2026-11-15-stable files read: 2 <nil>
}
