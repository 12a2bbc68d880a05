// Package taxonomies provides the sample taxonomies: ai describes an AI system to
// the people it affects, sensor describes devices that collect data in public
// places. They are embedded as authoring source and compiled when they are used.
package taxonomies

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

//go:embed ai sensor
var files embed.FS

// FS returns the authoring source of the sample taxonomies.
func FS() fs.FS { return files }

// Store returns a new store that has the sample taxonomies. They are compiled when
// it is called first.
func Store() (*memstore.Store, error) {
	pubs, err := publications()
	if err != nil {
		return nil, err
	}
	return memstore.New(pubs...)
}

// publications are the compiled taxonomies. Releases never change, so that stores can
// share them.
var publications = sync.OnceValues(func() ([]listing.Publication, error) {
	tree, err := source.CompileAll(files, nil)
	if err != nil {
		return nil, err
	}
	if issues := tree.Issues(); issues.HasErrors() {
		return nil, fmt.Errorf("taxonomies: %v", issues[0])
	}
	return tree.Publications(), nil
})
