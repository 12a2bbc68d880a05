package dirtarget_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
)

// A program publishes what it compiled into a directory that stores and servers read.
func ExamplePublish() {
	ctx := context.Background()
	tree, err := source.CompileAll(taxonomies.FS(), nil)
	if err != nil {
		log.Panic(err)
	}
	dir, err := os.MkdirTemp("", "schemas")
	if err != nil {
		log.Panic(err)
	}
	defer os.RemoveAll(dir)
	if err := dirtarget.Publish(ctx, dir, tree.Publications()...); err != nil {
		log.Panic(err)
	}
	store, err := fsstore.OpenDir(dir, nil)
	if err != nil {
		log.Panic(err)
	}
	defer store.Close()
	index, err := store.Index(ctx)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(index.Len(), "versions")
	// Output: 5 versions
}
