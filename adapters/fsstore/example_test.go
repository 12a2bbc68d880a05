package fsstore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/authoring/publish"
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

// A program can carry its schemas: with
//
//	//go:embed all:schemas
//	var schemas embed.FS
//
// the file system is fs.Sub(schemas, "schemas").
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	target, err := fsstore.OpenTarget(context.Background(), dir)
	if err != nil {
		log.Panic(err)
	}
	_, err = publish.Publish(context.Background(), target, storetest.Publications(), nil)
	if err := errors.Join(err, target.Close()); err != nil {
		log.Panic(err)
	}

	store, err := fsstore.Open(os.DirFS(dir), nil)
	if err != nil {
		log.Panic(err)
	}
	index, err := store.Index(context.Background())
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(index.Len(), "versions")
	// Output: 6 versions
}
