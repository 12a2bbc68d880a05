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
	// first[i] is where the i-th term begins, first[i+1] where it ends.
	first []span
	// floors[i] is the DefaultLimit-th best impact of the i-th term, and 0 if
	// it has fewer postings. So many elements have at least that score.
	floors []uint32

	function map[string]bool // the terms that are function words

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

// block is the postings of one term in one window: from the highest bits down, the
// window, how many there are less one, and the largest impact, which is rounded up
// since there are few bits left. Most blocks are of rare terms and hold one
// posting or two, so that they take as much memory as the postings.
type block uint32

const (
	countBits   = windowBits
	maxBits     = 32 - 12 - countBits // MaxElements make 1<<12 windows
	maxRounding = impactBits - maxBits
)

func newBlock(window, impact uint32) block {
	return block(window<<(countBits+maxBits) | (impact-1)>>maxRounding)
}

func (b block) window() uint32 { return uint32(b >> (countBits + maxBits)) }
func (b block) count() uint32  { return uint32(b>>maxBits)&(windowSize-1) + 1 }

// max is no less than the largest impact, and hardly more.
func (b block) max() uint32 { return (uint32(b)&(1<<maxBits-1) + 1) << maxRounding }

// with returns the block with one more posting.
func (b block) with(impact uint32) block {
	largest := max(uint32(b)&(1<<maxBits-1), (impact-1)>>maxRounding)
	return b&^(1<<maxBits-1) + 1<<maxBits | block(largest)
}

// add appends a posting. Elements come in ascending order, and isNew begins a
// new list.
func (p *postings) add(element, impact uint32, isNew bool) {
	window := element >> windowBits
	p.packed = append(p.packed, element<<impactBits|impact)
	if n := len(p.blocks); !isNew && p.blocks[n-1].window() == window {
		p.blocks[n-1] = p.blocks[n-1].with(impact)
		return
	}
	p.blocks = append(p.blocks, newBlock(window, impact))
}

// span is where the postings of a term begin, or those of the one before end.
type span struct{ block, posting uint32 }

// end returns where what is added next begins.
func (p *postings) end() span { return span{uint32(len(p.blocks)), uint32(len(p.packed))} }

// Locale returns the locale of the release whose words the index holds.
func (x *Index) Locale() string { return x.locale }

// Release returns the release that is searched.
func (x *Index) Release() *taxonomy.Release { return x.release }

// Terms returns how many different terms there are.
func (x *Index) Terms() int { return x.terms.len() }

// list returns the postings of the i-th term.
func (x *Index) list(term int) list {
	return x.between(x.first[term], x.first[term+1], x.floors[term])
}

// between returns the postings from one place to another as a list.
func (p *postings) between(begin, end span, floor uint32) list {
	return list{
		blocks: p.blocks[begin.block:end.block], packed: p.packed[begin.posting:end.posting], floor: floor,
	}
}

// newIndex returns an index without terms.
func newIndex(r *taxonomy.Release, locale string) (*Index, error) {
	if n := len(r.Elements()); n > MaxElements {
		return nil, fmt.Errorf("search: %s has %d elements, and at most %d can be searched", r.Version(), n, MaxElements)
	}
	x := &Index{release: r, locale: locale, first: []span{{}}, function: functionTerms(locale), standard: standard}
	x.scratch = new(sync.Pool)
	return x, nil
}
