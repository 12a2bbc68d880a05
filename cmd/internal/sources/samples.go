package sources

import (
	"context"
	_ "embed"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// samplesIndex is the index of the sample taxonomies. It has their content hashes, so that
// a command compiles only the versions that it reads.
//
//go:embed samples.json
var samplesIndex []byte

// samples is a store of the sample taxonomies. Each is compiled when it is first read.
type samples struct {
	index    *taxonomy.Index
	releases map[taxonomy.Version]func() (*taxonomy.Release, error)
}

// Samples returns the one store of the samples, which never change.
var Samples = sync.OnceValues(func() (taxonomy.Store, error) {
	x, err := taxonomy.DecodeIndex(samplesIndex)
	if err != nil {
		return nil, fmt.Errorf("samples: %w", err)
	}
	s := &samples{x, make(map[taxonomy.Version]func() (*taxonomy.Release, error))}
	for _, e := range x.Entries() {
		s.releases[e.ID] = sync.OnceValues(func() (*taxonomy.Release, error) {
			c, err := source.Compile(taxonomies.FS(), e.ID, nil)
			switch {
			case err != nil:
				return nil, fmt.Errorf("samples: %w", err)
			case c.Release == nil:
				return nil, fmt.Errorf("samples: %v", c.Issues[0])
			case c.Release.ContentHash() != e.ContentHash:
				return nil, fmt.Errorf("samples: schema version %s: %w", e.ID, taxonomy.ErrHashMismatch)
			}
			return c.Release, nil
		})
	}
	return s, nil
})

// SampleSource returns the source of the samples, which can't be changed.
func SampleSource() *Source {
	return &Source{samples: taxonomies.FS(), name: "samples", compiled: make(map[taxonomy.Version]*source.Compiled)}
}

// Index returns the index of all samples.
func (s *samples) Index(ctx context.Context) (*taxonomy.Index, error) { return s.index, ctx.Err() }

// Release returns a release, or wraps [taxonomy.ErrNotFound].
func (s *samples) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compile, ok := s.releases[v]
	if !ok {
		return nil, fmt.Errorf("samples: schema version %s: %w", v, taxonomy.ErrNotFound)
	}
	return compile()
}
