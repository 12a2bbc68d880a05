package search

import (
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// An element is known by its place in the release. Places are grouped into
// windows, so that a posting needs few bits for the place, a window of scores
// fits the fastest memory, and a window that can't hold a good answer is passed
// over.
const (
	windowBits = 9
	windowSize = 1 << windowBits
	impactBits = 32 - windowBits
	impactMask = 1<<impactBits - 1
)

// MaxElements is how many elements a release may have to be searched. The score
// of a term in one element then fits a posting.
const MaxElements = 2 << 20

// Index finds the elements of one release by words of one locale. It never
// changes and is safe for concurrent use.
type Index struct {
	release *taxonomy.Release
	locale  string

	terms dictionary
	postings
	rests rests // of postings.packed
	// first[i] is the first block of the i-th term, first[i+1] the end.
	first []uint32

	standard weights    // what counts, unless a query says otherwise
	scratch  *sync.Pool // of *scratch
}

// postings are lists of elements with what a term adds to the score of each,
// grouped by window into blocks. A block belongs to one term.
type postings struct {
	// packed has the place within the window in its upper bits, the impact
	// in its lower ones.
	packed []uint32
	blocks []block
}

// block is the postings of one term in one window.
type block struct {
	window uint32
	end    uint32 // where its postings end; they begin where those before end
	max    uint32 // the largest impact
}

func (p *postings) start(block uint32) uint32 {
	if block == 0 {
		return 0
	}
	return p.blocks[block-1].end
}

// add appends a posting. Elements come in ascending order, and isNew begins a
// new list.
func (p *postings) add(element, impact uint32, isNew bool) {
	window := element >> windowBits
	p.packed = append(p.packed, element<<impactBits|impact)
	if n := len(p.blocks); !isNew && p.blocks[n-1].window == window {
		last := &p.blocks[n-1]
		last.end++
		last.max = max(last.max, impact)
		return
	}
	p.blocks = append(p.blocks, block{window, uint32(len(p.packed)), impact})
}

// Locale returns the locale of the release whose words the index holds.
func (x *Index) Locale() string { return x.locale }

// Release returns the release that is searched.
func (x *Index) Release() *taxonomy.Release { return x.release }

// Terms returns how many different terms there are.
func (x *Index) Terms() int { return x.terms.len() }

// list returns the postings of the i-th term.
func (x *Index) list(term int) list {
	return list{from: &x.postings, next: x.first[term], end: x.first[term+1]}
}

// newIndex returns an index without terms.
func newIndex(r *taxonomy.Release, locale string) (*Index, error) {
	if n := len(r.Elements()); n > MaxElements {
		return nil, fmt.Errorf("search: %s has %d elements, and at most %d can be searched", r.Version(), n, MaxElements)
	}
	x := &Index{release: r, locale: locale, first: []uint32{0}, standard: standard}
	x.scratch = new(sync.Pool)
	return x, nil
}
