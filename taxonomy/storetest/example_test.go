package storetest_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// What a store is filled with while it is tested serves other tests, too.
func Example() {
	for _, p := range storetest.Publications() {
		fmt.Println(p.Release.Version(), p.Aliases)
	}
	// Output:
	// sensor@2025-01-31-stable []
	// ai@2026-09-01-beta []
	// ai@2026-03-01-stable [ai@v1.0 ai@city]
	// ai@2026-09-01-stable []
	// sensor@2026-02-28-stable [sensor@v2]
	// Draft_1-x@2026-05-05-beta []
}

// A test of a store is one line and a way to open it. RunUpdates adds what a store must do whose
// releases change, and RunWithoutSymbols that it also serves releases without symbols.
func ExampleRun() {
	var t *testing.T // as TestStore gets it
	storetest.Run(t, func(_ *testing.T, pubs []listing.Publication) taxonomy.Store {
		return newModel(pubs)
	})
	storetest.RunWithoutSymbols(t, func(_ *testing.T, pubs []listing.Publication) taxonomy.Store {
		return newModel(pubs)
	})
	storetest.RunUpdates(t, func(_ *testing.T, pubs []listing.Publication) (taxonomy.Store, func(*testing.T, []listing.Publication)) {
		m := newModel(pubs)
		return m, func(_ *testing.T, pubs []listing.Publication) { m.update(pubs) }
	})
}
