package s3store_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/examples/published"
)

// A bucket is read by its address. The options may be nil if the machine is set up for AWS.
func ExampleOpen() {
	ctx := context.Background()
	server := s3test.NewS3("releases") // in place of a real one
	store, err := s3store.Open(ctx, "s3://releases/public", reading(server))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = store.Close() }() // it was only read
	_, err = store.Index(ctx)
	fmt.Println(err)

	copySamples(server, "releases", "public/")
	later, err := s3store.Open(ctx, "s3://releases/public", reading(server)) // the first one asks again after Refresh
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = later.Close() }() // it was only read
	index, err := later.Index(ctx)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(index.Entries()[0].ID)
	// Output:
	// s3store: s3://releases/public: there are no published releases here: create them with 'datachain schema publish DIR --store s3://releases/public'
	// ai@2026-11-18-beta
}

// copySamples copies the sample taxonomies, as any program can copy a store.
func copySamples(server *s3test.S3, bucket, prefix string) {
	samples := published.FS()
	err := fs.WalkDir(samples, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(samples, name)
		server.Put(bucket, prefix+name, string(text))
		return err
	})
	if err != nil {
		log.Panic(err)
	}
}
