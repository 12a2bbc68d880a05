package remote

import (
	"math"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// Needed is a release to fetch.
type Needed struct {
	ID          taxonomy.Version `json:"id"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	// Path is where a store of published releases has it, Packed whether as a pack,
	// and Pack the SHA-256 of that, which is in its name in a bucket.
	Path   string        `json:"path"`
	Packed bool          `json:"packed,omitzero"`
	Pack   taxonomy.Hash `json:"pack,omitzero"`
}

// Need returns what to fetch for an entry of the index.
func Need(e taxonomy.Entry) Needed {
	return Needed{ID: e.ID, ContentHash: e.ContentHash, Path: published.Dir(e.ID, e.ContentHash), Packed: !e.Pack.IsZero(), Pack: e.Pack}
}

// Parts is a release as a store has it: a release.json with the SVG texts of its symbols
// by id, or with its release.pack, or what GET …/release answers, which has the symbols
// in it.
type Parts struct {
	Release []byte
	Symbols map[string]string
	Pack    []byte
}

// Decode returns the release of an entry of the index.
func (p Parts) Decode(e taxonomy.Entry) (*taxonomy.Release, error) {
	if p.Pack == nil {
		return published.Decode(p.Release, p.Symbols, e)
	}
	o, err := published.Open(e, math.MaxInt64, p.Release, p.Pack)
	if err != nil {
		return nil, err
	}
	return o.Release, nil
}
