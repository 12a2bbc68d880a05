package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/internal/merkle"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// Prover proves documents by the log of a store. It is safe for concurrent use.
type Prover struct {
	read signedlog.ReadFunc

	mu    sync.Mutex
	log   *signedlog.Log
	state *signedlog.State
	slugs map[string]signedlog.Document
	keys  []int64 // entries that introduce keys
	known map[int64]entryProof
}

// entryProof proves one entry.
type entryProof struct {
	Inclusion
	path taxonomy.ProofPath
}

// errNoLog is the failure of a store without a log.
var errNoLog = fmt.Errorf("trust: the store has no log, so it can't prove documents: %w", taxonomy.ErrNotFound)

// NewProver returns a prover for the log of a store. The function reads a file of the log by its
// name below log/, and wraps [fs.ErrNotExist] if there is none. For a store of adapters/fsstore or
// adapters/s3store that is
//
//	func(ctx context.Context, name string) ([]byte, error) {
//		text, _, err := store.ReadFile(ctx, watch.LogDir+name, "", watch.MaxLogFile)
//		return text, err
//	}
//
// The prover verifies no signatures: readers do.
func NewProver(read func(ctx context.Context, name string) ([]byte, error)) *Prover {
	if read == nil {
		panic("trust: the function that reads the log is nil")
	}
	return &Prover{read: read}
}

// Prove proves a resolved document of the release. With a slug, it also proves that the
// register published the document there. The error wraps [taxonomy.ErrNotFound] if the log
// does not have the release or the edition, or if there is no log, as for a nil prover.
func (p *Prover) Prove(ctx context.Context, r *taxonomy.Release, doc *document.Document, slug string) (*Proof, error) {
	if p == nil {
		return nil, errNoLog
	}
	parts, err := partsOf(doc)
	if err != nil {
		return nil, err
	}
	if parts.version != r.Version().String() {
		return nil, fmt.Errorf("trust: the document pins %s, not %s", wording.Quote(parts.version), r.Version())
	}
	proven, err := r.Prove(slices.Collect(maps.Keys(parts.bodies())))
	if err != nil {
		return nil, err
	}
	proof := &Proof{Format: proofFormat, Leaves: proven.Indexes, Path: proven.Path}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.refresh(ctx); err != nil {
		return nil, err
	}
	proof.Checkpoint = string(p.log.Checkpoint().Note)
	at, ok := p.state.Find(r.Version(), r.ContentHash())
	if !ok {
		return nil, fmt.Errorf("trust: the log has no entry for %s with the content %s: %w", r.Version(), r.ContentHash(), taxonomy.ErrNotFound)
	}
	var entries []entryProof
	include := func(at int64, less ...string) (Inclusion, error) {
		one, err := p.include(ctx, at, less)
		entries = append(entries, one)
		return one.Inclusion, err
	}
	if proof.Release, err = include(at, keyVersion, keyContentHash); err != nil {
		return nil, err
	}
	for _, at := range p.keys {
		key, err := include(at)
		if err != nil {
			return nil, err
		}
		proof.Keys = append(proof.Keys, key)
	}
	if slug != "" {
		d := p.slugs[slug]
		edition := d.Edition(EditionHash(doc))
		if edition == nil {
			return nil, fmt.Errorf("trust: the log has no entry for this edition of the document %s: %w", wording.Quote(slug), taxonomy.ErrNotFound)
		}
		found, err := include(edition.Index, keyDocument, keyEdition)
		if err != nil {
			return nil, err
		}
		proof.Edition = &found
	}
	proof.LogPath = joined(entries, p.log.Checkpoint().Size)
	return proof, nil
}

// joined returns one path for entries of a log of a size.
func joined(entries []entryProof, size int64) taxonomy.ProofPath {
	type node struct {
		level int
		at    int64
	}
	nodes := make(map[node]taxonomy.Hash)
	indexes := make([]int64, len(entries))
	for i, e := range entries {
		indexes[i] = e.Index
		path, at := e.path, e.Index
		for level, n := 0, size; n > 1; level, at, n = level+1, at>>1, (n+1)/2 {
			if sibling := at ^ 1; sibling < n {
				nodes[node{level, sibling}], path = path[0], path[1:]
			}
		}
	}
	slices.Sort(indexes)
	return merkle.Path(indexes, size, func(level int, at int64) taxonomy.Hash { return nodes[node{level, at}] })
}

// refresh reads the checkpoint, and the entries that are new.
func (p *Prover) refresh(ctx context.Context) error {
	signed, err := p.read(ctx, signedlog.CheckpointFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, taxonomy.ErrNotFound):
		return errNoLog
	case err != nil:
		return err
	case p.log != nil && bytes.Equal(signed, p.log.Checkpoint().Note):
		return nil
	}
	c, err := signedlog.ParseCheckpoint(signed)
	if err != nil {
		return err
	}
	next := signedlog.NewLog(c, p.read)
	state, keys := new(signedlog.State), []int64(nil)
	if p.log != nil && next.Consistent(ctx, p.log.Checkpoint()) == nil {
		state, keys = p.state.Clone(), slices.Clone(p.keys)
	}
	begin := state.Size()
	entries, err := next.Entries(ctx, begin, c.Size)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := state.Apply(e); err != nil {
			return fmt.Errorf("entry %d: %w", begin+int64(i), err)
		}
		if e.Op == signedlog.OpKey && e.Note != "" {
			keys = append(keys, begin+int64(i))
		}
	}
	slugs := make(map[string]signedlog.Document)
	for _, d := range state.Documents() {
		for _, slug := range append(d.Slugs, d.Slug) {
			slugs[slug] = d
		}
	}
	p.log, p.state, p.keys, p.slugs, p.known = next, state, keys, slugs, make(map[int64]entryProof)
	return nil
}

// maxKnown is how many inclusions of entries a prover keeps.
const maxKnown = 10_000

// include proves an entry.
func (p *Prover) include(ctx context.Context, index int64, less []string) (entryProof, error) {
	if known, ok := p.known[index]; ok {
		return known, nil
	}
	text, path, err := p.log.Prove(ctx, index)
	if err != nil {
		return entryProof{}, err
	}
	if text, err = without(text, less); err != nil {
		return entryProof{}, err
	}
	if len(p.known) >= maxKnown {
		clear(p.known)
	}
	p.known[index] = entryProof{Inclusion{Index: index, Entry: text}, path}
	return p.known[index], nil
}
