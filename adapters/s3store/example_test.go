package s3store_test

import (
	"context"
	"fmt"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
)

// A store is opened with the address of a bucket. Nothing else is needed if the
// machine is set up for AWS.
func ExampleOpen() {
	server := s3test.NewS3("releases") // in place of a real one
	store, err := s3store.Open(context.Background(), "s3://releases/public", reading(access(server)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()
	_, err = store.Index(context.Background())
	fmt.Println(err)
	// Output:
	// s3store: s3://releases/public: there are no published releases here: create them with 'datachain schema publish --store s3://releases/public'
}
