package s3store_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// Releases are published into a bucket, and read from it by the same address. Options and access
// may be nil if the machine is set up for AWS.
func ExampleOpen() {
	ctx := context.Background()
	server := s3test.NewS3("releases") // in place of a real one
	at := access(server)
	store, err := s3store.Open(ctx, "s3://releases/public", reading(at))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = store.Close() }() // it was only read
	_, err = store.Index(ctx)
	fmt.Println(err)

	target, err := s3target.Open(ctx, "s3://releases/public", &at)
	if err != nil {
		log.Panic(err)
	}
	if _, err := publish.Publish(ctx, target, storetest.Publications()[:1], nil); err != nil {
		log.Panic(err)
	}
	later, err := s3store.Open(ctx, "s3://releases/public", reading(at)) // the first one asks again after MaxAge
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = later.Close() }() // it was only read
	index, err := later.Index(ctx)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(index.Entries()[0].ID)

	// A client of the bucket reads any file.
	bucket, err := s3target.Connect(ctx, "s3://releases/public", &at, s3target.Retries{Attempts: 3})
	if err != nil {
		log.Panic(err)
	}
	defer bucket.Close()
	object, err := bucket.Get(ctx, layout.IndexFile, "", layout.MaxIndex)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(len(object.Data) > 0)
	// Output:
	// s3store: s3://releases/public: there are no published releases here: create them with 'datachain schema publish DIR --store s3://releases/public'
	// sensor@2025-01-31-stable
	// true
}
