package layouttest_test

import (
	"testing"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/release/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// A test of a store of files begins with the files of all versions of the conformance suite.
func ExampleFiles() {
	var t *testing.T // as TestStore gets it
	files := layouttest.Files(t, nil, nil, storetest.Publications()...)
	store, err := fsstore.Open(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }() // it was only read
}
