// Package layouttest provides the files of stores for tests of what reads them.
//
// # Experimental
//
// This package may change in a minor version.
package layouttest

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/release/reader"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Draw draws the icon of an element in a variant.
type Draw func(e *taxonomy.Element, variant string) ([]byte, error)

// Files returns the files of a store with exactly these publications, as they are published. Its
// index follows before, which may be nil: other versions that are listed there are retired.
// Archives have the icons that draw draws, or none if it is nil.
func Files(t testing.TB, before *taxonomy.Index, draw Draw, pubs ...listing.Publication) fstest.MapFS {
	t.Helper()
	if before == nil {
		before = new(taxonomy.Index)
	}
	published := make(map[taxonomy.Version]bool)
	pubs = slices.Clone(pubs)
	for i := range pubs {
		published[pubs[i].Release.Version()], pubs[i].Again = true, true
	}
	var retired []taxonomy.Retired
	for _, e := range before.Entries() {
		if !published[e.ID] {
			retired = append(retired, taxonomy.Retired{ID: e.ID})
		}
	}
	index, err := listing.Remove(before, retired...)
	check(t, err)
	index, err = listing.Add(index, pubs...)
	check(t, err)
	files := fstest.MapFS{}
	record := taxonomy.Record{Sequence: before.Record().Sequence + 1, Archives: map[taxonomy.Version]taxonomy.Hash{}}
	for _, p := range pubs {
		v, content := p.Release.Version(), p.Release.ContentHash()
		var archive bytes.Buffer
		check(t, reader.WriteArchive(&archive, p.Release, draw))
		sum := taxonomy.Hash(sha256.Sum256(archive.Bytes()))
		record.Archives[v] = sum
		files[layout.ArchiveFile(taxonomy.Entry{ID: v, ContentHash: content, Archive: sum})] = &fstest.MapFile{Data: archive.Bytes()}
		if v.Status() == taxonomy.Stable {
			files[layout.Bound(v)] = &fstest.MapFile{Data: layout.BoundTo(content)}
		}
	}
	text, err := taxonomy.EncodeIndex(index.WithRecord(record))
	check(t, err)
	files[layout.IndexFile] = &fstest.MapFile{Data: text}
	return files
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
