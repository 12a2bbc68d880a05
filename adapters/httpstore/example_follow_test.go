package httpstore_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/taxonomy"
)

// update prints what is new or retired, and reads what is new, so that the store keeps a copy.
func update(ctx context.Context, store taxonomy.Store, known map[taxonomy.Version]taxonomy.Hash) error {
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
		fmt.Printf("%s has %d elements.\n", e.ID, len(release.ElementIDs()))
	}
	for v := range known {
		if !listed[v] {
			delete(known, v)
			fmt.Printf("%s was retired.\n", v)
		}
	}
	return nil
}

// A program keeps a copy of everything that a server publishes, and prints what changes.
func ExampleStore_Changes() {
	server, samples := sampleServer()
	defer server.Close()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := httpstore.Open(server.URL, &httpstore.Options{CacheDir: dir, Interval: 10 * time.Millisecond})
	if err != nil {
		log.Panic(err)
	}
	defer store.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	known := make(map[taxonomy.Version]taxonomy.Hash)
	changes := store.Changes(ctx)
	if err := update(ctx, store, known); err != nil {
		log.Print(err) // the next change tries again
	}
	beta := taxonomy.MustVersion("ai@2026-11-18-beta")
	if err := samples.Remove(beta); err != nil { // the server retires a version
		log.Panic(err)
	}
	for range changes {
		if err := update(ctx, store, known); err != nil {
			log.Print(err)
		}
		if known[beta] == (taxonomy.Hash{}) {
			stop() // a program would go on
		}
	}
	// Output:
	// ai@2026-11-18-beta has 54 elements.
	// ai@2026-11-15-stable has 54 elements.
	// ai@2026-09-01-stable has 44 elements.
	// sensor@2026-11-15-stable has 41 elements.
	// sensor@2026-06-15-stable has 36 elements.
	// ai@2026-11-18-beta was retired.
}
