// Package releases decodes releases that a page has fetched, from whatever its store
// has: a release.json with its symbols, a pack, or the answer of the REST API. Each is
// verified against the content hash in the index.
package releases

import (
	"crypto/sha256"
	"fmt"

	"github.com/datachain-go/datachain/internal/layout"
	"github.com/datachain-go/datachain/internal/pack"
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
	return Needed{ID: e.ID, ContentHash: e.ContentHash, Path: layout.Dir(e.ID, e.ContentHash), Packed: !e.Pack.IsZero(), Pack: e.Pack}
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
	symbols := p.Symbols
	if p.Pack != nil {
		var err error
		if symbols, err = unpack(p.Pack, e.Pack); err != nil {
			return nil, err
		}
	}
	r, err := taxonomy.DecodeRelease(p.Release, symbols)
	if err != nil {
		return nil, err
	}
	if r.Version() != e.ID || r.ContentHash() != e.ContentHash {
		return nil, fmt.Errorf("%w: it is %s with the content %s, but the index has %s with %s",
			taxonomy.ErrHashMismatch, r.Version(), r.ContentHash(), e.ID, e.ContentHash)
	}
	return r, nil
}

// unpack returns the symbols of a pack that has the SHA-256 in the index.
func unpack(data []byte, sum taxonomy.Hash) (map[string]string, error) {
	if got := taxonomy.Hash(sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("%w: the SHA-256 of its pack is %s, but the index has %s", taxonomy.ErrHashMismatch, got, sum)
	}
	p, err := pack.Open(data)
	if err != nil {
		return nil, err
	}
	section, _ := p.Section(pack.Symbols)
	table, err := pack.OpenTable(section)
	if err != nil {
		return nil, err
	}
	symbols := make(map[string]string, table.Len())
	for id, svg := range table.All() {
		symbols[id] = string(svg)
	}
	return symbols, nil
}
