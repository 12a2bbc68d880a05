// Package layouttest provides the files of stores, and publications to fill them with, for tests of what
// reads and writes them.
//
// # Experimental
//
// This package may change in a minor version.
package layouttest

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/storetest"
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
	var retired []taxonomy.RetiredVersion
	for _, e := range before.Entries() {
		if !published[e.ID] {
			retired = append(retired, taxonomy.RetiredVersion{ID: e.ID})
		}
	}
	index, err := listing.Remove(before, retired...)
	check(t, err)
	index, err = listing.Add(index, pubs...)
	check(t, err)
	releases := make([]*taxonomy.Release, len(pubs))
	for i, p := range pubs {
		releases[i] = p.Release
	}
	return FilesOf(t, before, draw, storetest.Content{Index: index, Releases: releases})
}

// FilesOf returns the files of a store that holds the content of a clause of package storetest. Its index
// follows before, which may be nil.
func FilesOf(t testing.TB, before *taxonomy.Index, draw Draw, c storetest.Content) fstest.MapFS {
	t.Helper()
	if before == nil {
		before = new(taxonomy.Index)
	}
	files := fstest.MapFS{}
	record := c.Index.Record()
	record.Sequence, record.LogSize, record.Archives = before.Record().Sequence+1, 0, map[taxonomy.Version]taxonomy.Hash{}
	for typ, sum := range record.Evolutions {
		if text := c.Index.EvolutionJSON(typ); text != nil {
			files[layout.Evolution(typ, sum)] = &fstest.MapFile{Data: text}
		}
	}
	for _, r := range c.Releases {
		v, content := r.Version(), r.ContentHash()
		var archive bytes.Buffer
		check(t, reader.WriteArchive(&archive, r, draw))
		sum := taxonomy.Hash(sha256.Sum256(archive.Bytes()))
		record.Archives[v] = sum
		files[layout.ArchiveFile(taxonomy.Entry{ID: v, ContentHash: content, Archive: sum})] = &fstest.MapFile{Data: archive.Bytes()}
		if v.Status() == taxonomy.Stable {
			files[layout.Bound(v)] = &fstest.MapFile{Data: layout.BoundTo(content)}
		}
	}
	text, err := taxonomy.EncodeIndex(c.Index.WithRecord(record))
	check(t, err)
	files[layout.IndexFile] = &fstest.MapFile{Data: text}
	return files
}

// Publications returns what [storetest.Sample] holds as publications, in no order of an index.
func Publications() []listing.Publication {
	c := storetest.Sample()
	var pubs []listing.Publication
	for _, id := range []string{
		"sensor@2025-01-31-stable", "ai@2026-09-01-beta", "ai@2026-03-01-stable", "ai@2026-09-01-stable",
		"sensor@2026-02-28-stable", "Draft_1-x@2026-05-05-beta",
	} {
		v := taxonomy.MustVersion(id)
		e, _ := c.Index.Lookup(v.Ref())
		p := listing.Publication{Release: c.Releases[slices.IndexFunc(c.Releases, func(r *taxonomy.Release) bool { return r.Version() == v })]}
		p.Released = e.Released
		p.Aliases = slices.DeleteFunc(e.Aliases, func(alias string) bool { return strings.Contains(alias, "@latest") })
		pubs = append(pubs, p)
	}
	return pubs
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
