package storetest_test

import (
	"fmt"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// What a store is filled with while it is tested serves other tests, too.
func Example() {
	c := storetest.Sample()
	for i, e := range c.Index.Entries() {
		fmt.Println(c.Releases[i].Version(), e.Aliases)
	}
	// Output:
	// Draft_1-x@2026-05-05-beta [Draft_1-x@latest Draft_1-x@latest-beta]
	// ai@2026-09-01-stable [ai@latest]
	// ai@2026-09-01-beta [ai@latest-beta]
	// ai@2026-03-01-stable [ai@city ai@v1.0]
	// sensor@2026-02-28-stable [sensor@latest sensor@v2]
	// sensor@2025-01-31-stable []
}

// A test of a store is one line and a way to open it. RunUpdates adds what a store must do whose
// releases change, RunWithoutSymbols that it also serves releases without symbols, and RunUnknownFields that
// it keeps what a later program wrote into an index.
func ExampleRun() {
	var t *testing.T // as TestStore gets it
	storetest.Run(t, func(_ *testing.T, c storetest.Content) taxonomy.Store {
		return newModel(c)
	})
	storetest.RunWithoutSymbols(t, func(_ *testing.T, c storetest.Content) taxonomy.Store {
		return newModel(c)
	})
	storetest.RunUnknownFields(t, func(_ *testing.T, c storetest.Content) taxonomy.Store {
		return newModel(c)
	})
	storetest.RunUpdates(t, func(_ *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		m := newModel(c)
		return m, func(_ *testing.T, c storetest.Content) { m.update(c) }
	})
}

// A store of releases that are compiled into a program has no deprecated or retired versions.
func ExampleRunReleases() {
	var t *testing.T // as TestStore gets it
	storetest.RunReleases(t, func(_ *testing.T, c storetest.Content) taxonomy.Store {
		return newModel(c)
	})
	storetest.RunReleaseUpdates(t, func(_ *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		m := newModel(c)
		return m, func(_ *testing.T, c storetest.Content) { m.update(c) }
	})
}
