package s3target_test

import (
	"context"
	"fmt"
	"log"

	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
)

// Releases are published into a bucket. The access may be nil if the machine is set up for AWS.
func ExampleOpen() {
	ctx := context.Background()
	at := access(s3test.NewS3("releases")) // in place of a real one
	target, err := s3target.Open(ctx, "s3://releases/public", &at)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := publish.Publish(ctx, target, layouttest.Publications()[:1], nil); err != nil {
		log.Fatal(err)
	}

	// A client of the bucket reads any file.
	bucket, err := s3bucket.Connect(ctx, "s3://releases/public", &at, s3bucket.Retries{Attempts: 3})
	if err != nil {
		log.Fatal(err)
	}
	defer bucket.Close()
	object, err := bucket.Get(ctx, layout.IndexFile, "", layout.MaxIndex)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(len(object.Data) > 0)
	// Output: true
}
