package sources

import (
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// SampleSource returns the source of the samples, which can't be changed.
func SampleSource() *Source {
	return &Source{samples: taxonomies.FS(), name: "samples", compiled: make(map[taxonomy.Version]*source.Compiled)}
}
