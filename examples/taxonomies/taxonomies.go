// Package taxonomies holds the sample taxonomies: ai, how an AI system is
// described to the people it affects, and sensor, devices that collect data in
// public places. They are embedded in authoring form and compiled at start.
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

// FS returns the authoring source of the samples.
func FS() fs.FS { return files }

// Store compiles the samples and returns a store that holds them.
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
