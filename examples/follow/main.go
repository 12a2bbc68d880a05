// Command follow keeps a copy of everything that a server publishes and prints
// what changes. It keeps working when the server is down, and can be started
// while it is.
//
//	go run ./cmd/datachain serve
//	go run ./examples/follow -server http://localhost:8080 -cache copies
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/taxonomy"
)

func main() {
	server := flag.String("server", "http://localhost:8080", "URL of the server")
	dir := flag.String("cache", "copies", "directory for copies")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	remote, err := httpstore.Open(*server, &httpstore.Options{CacheDir: *dir, Interval: 2 * time.Second})
	if err != nil {
		log.Print(err)
		return
	}
	defer func() { _ = remote.Close() }()
	store := laststore.New(remote, &laststore.Options{
		Fallback:  remote.Cached(),
		Report:    func(err error) { log.Print("read failed, serving last good data: ", err) },
		Recovered: func() { log.Print("server recovered") },
	})
	follow(ctx, store, os.Stdout)
}

// follow prints the versions of a store and then each change, until ctx is
// done.
func follow(ctx context.Context, store taxonomy.Notifier, w io.Writer) {
	known := make(map[taxonomy.Version]taxonomy.Hash)
	changes := store.Changes(ctx)
	for {
		if err := update(ctx, store, known, w); err != nil && ctx.Err() == nil {
			log.Print(err) // the next change tries again
		}
		if _, open := <-changes; !open {
			return
		}
	}
}

// update reads what is new, so that the store keeps a copy.
func update(ctx context.Context, store taxonomy.Store, known map[taxonomy.Version]taxonomy.Hash, w io.Writer) error {
	index, err := store.Index(ctx)
	if err != nil {
		return err
	}
	listed := make(map[taxonomy.Version]bool)
	for _, e := range index.Entries() {
		listed[e.ID] = true
		if known[e.ID] == e.ContentHash {
			continue
		}
		release, err := store.Release(ctx, e.ID)
		if err != nil {
			return err
		}
		known[e.ID] = release.ContentHash()
		_, _ = fmt.Fprintf(w, "%s has %d elements.\n", e.ID, len(release.ElementIDs()))
	}
	for v := range known {
		if !listed[v] {
			delete(known, v)
			_, _ = fmt.Fprintf(w, "%s was retired.\n", v)
		}
	}
	return nil
}
