// Package published provides the sample taxonomies as they were published: what
// `datachain schema publish` writes. Their source is in the folder taxonomies beside this
// one; `make samples` publishes it.
package published

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

//go:embed index.json ai sensor
var files embed.FS

// FS returns the files, for stores such as that of package fsstore.
func FS() fs.FS { return files }

// Store returns a new store in memory that has the sample taxonomies. They are read when it
// is called first.
func Store() (*memstore.Store, error) {
	pubs, err := publications()
	if err != nil {
		return nil, fmt.Errorf("published: %w", err)
	}
	return memstore.New(pubs...)
}

// publications reads all versions. Releases never change, so that stores can share them.
var publications = sync.OnceValues(func() ([]listing.Publication, error) {
	text, err := files.ReadFile(layout.IndexFile)
	if err != nil {
		return nil, err
	}
	index, err := layout.DecodeIndex(text)
	if err != nil {
		return nil, err
	}
	var pubs []listing.Publication
	for _, e := range index.Entries() {
		data, err := files.ReadFile(layout.ArchiveFile(e))
		if err != nil {
			return nil, err
		}
		archive, err := reader.Open(e, data)
		if err != nil {
			return nil, err
		}
		pubs = append(pubs, listing.Publication{Release: archive.Release, Aliases: e.Aliases, Released: e.Released})
	}
	return pubs, nil
})
