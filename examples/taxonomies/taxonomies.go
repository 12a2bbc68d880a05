// Package taxonomies provides the sample taxonomies: ai describes an AI system to
// the people it affects, sensor describes devices that collect data in public
// places. They are embedded as authoring source and compiled when they are used.
package taxonomies

import (
	"embed"
	"fmt"
	"io/fs"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy/source"
)

//go:embed ai sensor
var files embed.FS

// FS returns the authoring source of the sample taxonomies.
func FS() fs.FS { return files }

// Store compiles the sample taxonomies and returns a store that has them.
func Store() (*memstore.Store, error) {
	tree, err := source.CompileAll(files, nil)
	if err != nil {
		return nil, err
	}
	if issues := tree.AllIssues(); issues.HasErrors() {
		return nil, fmt.Errorf("taxonomies: %v", issues[0])
	}
	return memstore.New(tree.Publications()...)
}
