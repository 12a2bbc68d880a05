package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/taxonomy"
)

func Example() {
	e := taxonomy.Entry{ID: taxonomy.MustVersion("sensor@2026-02-28-stable"), ContentHash: taxonomy.Hash{0xab}, Archive: taxonomy.Hash{0xcd}}
	name := layout.ArchiveFile(e)
	fmt.Println(strings.ReplaceAll(name, "00", ""))
	again, ok := layout.ParseArchiveFile(name)
	fmt.Println(again.ID, ok)
	// A stable version has a file that is never replaced, and binds it to its content.
	bound, err := layout.ParseBound(layout.BoundTo(e.ContentHash))
	fmt.Println(layout.Bound(e.ID), bound == e.ContentHash, err)
	// Output:
	// sensor/2026-02-28-stable/sha256-ab/cd.zip
	// sensor@2026-02-28-stable true
	// sensor/2026-02-28-stable/bound true <nil>
}

func TestParseArchiveFile(t *testing.T) {
	e := taxonomy.Entry{ID: taxonomy.MustVersion("Draft_1-x@2026-05-05-beta"), ContentHash: taxonomy.Hash{1, 2, 3}, Archive: taxonomy.Hash{4}}
	name := layout.ArchiveFile(e)
	got, ok := layout.ParseArchiveFile(name)
	require.True(t, ok)
	require.Equal(t, e, got)
	dir, file, _ := strings.Cut(name, "/sha256-")
	for _, name := range []string{
		"", ".", "..", "index.json", dir, name + "/x", "/" + name, "./" + name, dir + "/bound",
		dir + "/sha256-" + strings.ToUpper(file), strings.Replace(name, ".zip", ".pack", 1), strings.Replace(name, ".zip", "", 1),
		strings.Replace(name, "beta", "draft", 1), strings.Replace(name, "Draft_1-x", "a.i", 1), strings.Replace(name, "04", "4", 1),
	} {
		_, ok := layout.ParseArchiveFile(name)
		require.False(t, ok, name)
	}
}
