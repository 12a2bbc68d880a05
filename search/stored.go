package search

import (
	"fmt"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// stored is the postings of a serialized index, which are decoded by term when a query
// needs them.
type stored struct {
	data           []byte // the serialized index
	blocks, packed []byte // parts of it
	lists          []atomic.Pointer[list]
	// forged is the first error that a query found in postings.
	forged atomic.Pointer[error]
}

// Open opens an index as [Load] does, but takes a fraction of the time and of the memory:
// it uses data in place, which must not change, and checks and decodes the postings of a
// word when a query needs them. A query that comes upon invalid postings ignores them, and
// [Index.Err] reports it.
func Open(r *taxonomy.Release, data []byte) (*Index, error) {
	x, s, err := decode(r, data)
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	s.lists = make([]atomic.Pointer[list], x.terms.len())
	x.stored = s
	return x, nil
}

// Err returns an error that wraps [ErrCorrupt] if a query has come upon invalid postings,
// which only an index that was opened with [Open] and was forged can have. Results may then
// be incomplete: build a new index.
func (x *Index) Err() error {
	if x.stored == nil {
		return nil
	}
	if err := x.stored.forged.Load(); err != nil {
		return *err
	}
	return nil
}

// list returns the postings of a term, decoded once.
func (s *stored) list(x *Index, term uint32) *list {
	if l := s.lists[term].Load(); l != nil {
		return l
	}
	begin, end := x.first[term], x.first[term+1]
	l := &list{
		blocks: numbers[block](s.blocks[4*int(begin.block) : 4*int(end.block)]),
		packed: numbers[uint32](s.packed[4*int(begin.posting) : 4*int(end.posting)]),
	}
	if err := x.checkList(*l); err != nil {
		err = fmt.Errorf("search: index of %s: %w: %w", x.release.Version(), ErrCorrupt, err)
		s.forged.CompareAndSwap(nil, &err)
		l = new(list)
	}
	var best top
	l.floor = best.floor(l.packed)
	s.lists[term].CompareAndSwap(nil, l)
	return s.lists[term].Load()
}
