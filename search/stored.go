package search

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
)

// stored is the postings of a serialized index, which are read, checked and decoded by
// term when a query needs them.
type stored struct {
	from   io.ReaderAt // the serialized index
	size   int64
	blocks column[block]
	packed column[uint32]
	lists  []atomic.Pointer[list] // by term
	// broken is the first error that a query met.
	broken atomic.Pointer[error]
}

// Open opens an index as [Load] does, but takes a fraction of the time and of the memory:
// it uses data in place, which must not change, and checks and decodes the postings of a
// word when a query needs them. A query that comes upon invalid postings ignores them, and
// [Index.Err] reports it.
func Open(r *taxonomy.Release, data []byte) (*Index, error) {
	x, err := decodeAll(r, data)
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return x, nil
}

// wholeSize is the size up to which [OpenAt] reads an index at once: reading it costs
// less than coming back for parts of it.
const wholeSize = 1 << 20

// headSize is how much of an index is read first.
const headSize = 4 << 10

// OpenAt opens an index of size bytes as [Open] does, but reads the postings of a word
// when a query needs them: of the index of 100,000 elements, a tenth. So the content of
// from must not change while the index is in use, and since OpenAt does not compute the
// checksum of a large index, it must have been verified. If reading fails later, a query
// ignores the postings, and [Index.Err] returns the error.
func OpenAt(r *taxonomy.Release, from io.ReaderAt, size int64) (*Index, error) {
	if size > wholeSize {
		return openParts(r, from, size)
	}
	data := make([]byte, max(0, size))
	if err := readFull(from, data, 0); err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return Open(r, data)
}

// openParts opens an index whose postings are read later.
func openParts(r *taxonomy.Release, from io.ReaderAt, size int64) (*Index, error) {
	head := make([]byte, min(size, headSize))
	err := readFull(from, head, 0)
	var x *Index
	if err == nil {
		x, err = decode(r, &decoder{head: head, from: from, end: size})
	}
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return x, nil
}

// Err returns an error if a query has come upon postings that can't be used, which only an
// index that was opened with [Open] or [OpenAt] can have. The error wraps [ErrCorrupt] if
// they were forged; otherwise it is from reading. Results may then be incomplete: build a
// new index.
func (x *Index) Err() error {
	if x.stored == nil {
		return nil
	}
	if err := x.stored.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// list returns the postings of a term, decoded once.
func (s *stored) list(x *Index, term uint32) *list {
	if l := s.lists[term].Load(); l != nil {
		return l
	}
	l, err := s.read(x, x.first[term], x.first[term+1])
	if err != nil {
		err = fmt.Errorf("search: index of %s: %w", x.release.Version(), err)
		s.broken.CompareAndSwap(nil, &err)
		l = new(list)
	}
	s.lists[term].CompareAndSwap(nil, l)
	return s.lists[term].Load()
}

// read reads and checks the postings between two boundaries.
func (s *stored) read(x *Index, begin, end span) (*list, error) {
	l := new(list)
	var err error
	if l.blocks, err = s.blocks.read(begin.block, end.block); err != nil {
		return nil, err
	}
	if l.packed, err = s.packed.read(begin.posting, end.posting); err != nil {
		return nil, err
	}
	if err := x.checkList(*l); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	var best top
	l.floor = best.floor(l.packed)
	return l, nil
}

// append appends the serialized index.
func (s *stored) append(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, make([]byte, s.size)...)
	if err := readFull(s.from, dst[begin:], 0); err != nil {
		return dst[:begin], fmt.Errorf("search: %w", err)
	}
	return dst, nil
}
