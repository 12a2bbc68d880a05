package fsstore_test

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// A publisher writes releases into a directory, and readers follow.
func Example() {
	ctx := context.Background()
	parent, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "schemas")

	target, err := fsstore.CreateTarget(ctx, dir)
	if err != nil {
		log.Panic(err)
	}
	report, err := publish.Publish(ctx, target, storetest.Publications(), nil)
	if err := errors.Join(err, target.Close()); err != nil {
		log.Panic(err)
	}
	fmt.Println(len(report.Written), "releases written")

	store, err := fsstore.OpenDir(dir, nil)
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
	// Output:
	// 6 releases written
	// sensor@2026-02-28-stable
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
