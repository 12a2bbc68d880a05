package fsstore_test

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/taxonomy"
)

// A store follows a directory that datachain schema publish writes.
func Example() {
	ctx := context.Background()
	store, err := fsstore.OpenDir("testdata/schemas", nil)
	if err != nil {
		log.Panic(err)
	}
	defer store.Close()
	ref, err := taxonomy.ParseRef("sensor@latest")
	if err != nil {
		log.Panic(err)
	}
	release, err := taxonomy.Open(ctx, store, ref)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(release.Version())
	// Output: sensor@2026-02-28-stable
}

// The directory was published with datachain schema publish --store testdata/schemas.
// The prefix all: also embeds files whose names begin with _, as ids can.
//
//go:embed all:testdata/schemas
var schemas embed.FS

// A program can carry its schemas: embed a published directory, and open it as a store.
func ExampleOpen() {
	dir, err := fs.Sub(schemas, "testdata/schemas")
	if err != nil {
		log.Panic(err)
	}
	store, err := fsstore.Open(dir, nil)
	if err != nil {
		log.Panic(err)
	}
	index, err := store.Index(context.Background())
	if err != nil {
		log.Panic(err)
	}
	release, err := store.Release(context.Background(), index.Entries()[0].ID)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(release.Version(), "has", len(release.Elements()), "elements")
	// Output: sensor@2026-02-28-stable has 2 elements
}
