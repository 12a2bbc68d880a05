package layouttest_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
)

// A test of a store of files begins with the files of all versions of the conformance suite.
func ExampleFiles() {
	var t *testing.T // as TestStore gets it
	store, err := fsstore.Open(layouttest.Files(t, nil, nil, layouttest.Publications()...), nil)
	fmt.Println(store, err)
}
