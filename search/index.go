package search

import (
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// An element is identified by its position in the release. Positions are grouped into
// windows, so that a posting needs few bits for the position, the scores of a window fit
// into the CPU cache, and a window without a top hit can be skipped.
const (
	windowBits = 9
	windowSize = 1 << windowBits
	impactBits = 32 - windowBits
	impactMask = 1<<impactBits - 1
)

// MaxElements is the maximum number of elements of a release that can be searched.
const MaxElements = 2 << 20

// Index finds the elements of one release by words of one locale. It is immutable and
// safe for concurrent use. The zero Index finds nothing.
type Index struct {
	release *taxonomy.Release
	locale  string

	terms    dictionary
	overlaps func() []uint8 // those of terms, computed when a word is misspelt
	postings
	rests rests // of postings.packed
	// first[i] is where the postings of term i begin, first[i+1] where they end.
	first []span
	// floors[i] is the floor of term i.
	floors []uint32
	stored *stored // instead of postings and floors; nil unless opened with [Open]

	function map[string]bool // the terms that are function words
	english  bool            // the language of the locale is English
	// thesaurus returns the synonyms, prepared by the first query; nil if there are none.
	thesaurus func() *thesaurus

	standard weights    // the weights, unless a query changes them
	scratch  *sync.Pool // of *scratch
}

// postings are lists of elements with the contribution of a term to the score of each,
// grouped by window into blocks. A block belongs to one term.
type postings struct {
	// packed has the position in the window in its upper bits and the impact in its
	// lower bits.
	packed []uint32
	blocks []block
}

// block describes the postings of one term in one window: from the highest bits down, the
// window, the number of postings minus one, and the largest impact, rounded up to the
// remaining bits. Most blocks are of rare terms and have one or two postings, so the size
// of a block matters.
type block uint32

const (
	countBits   = windowBits
	maxBits     = 32 - 12 - countBits // MaxElements need 1<<12 windows
	maxMask     = 1<<maxBits - 1
	maxRounding = impactBits - maxBits
)

func newBlock(window, impact uint32) block {
	return block(window<<(countBits+maxBits) | (impact-1)>>maxRounding)
}

func (b block) window() uint32 { return uint32(b >> (countBits + maxBits)) }
func (b block) count() uint32  { return uint32(b>>maxBits)&(windowSize-1) + 1 }

// max is an upper bound of the largest impact.
func (b block) max() uint32 { return (uint32(b)&maxMask + 1) << maxRounding }

// add appends a posting. Elements are in ascending order; isNew starts a new list.
func (p *postings) add(element, impact uint32, isNew bool) {
	window := element >> windowBits
	p.packed = append(p.packed, element<<impactBits|impact)
	if n := len(p.blocks); !isNew && p.blocks[n-1].window() == window {
		b := &p.blocks[n-1]
		largest := max(uint32(*b)&maxMask, (impact-1)>>maxRounding)
		*b = *b&^maxMask + 1<<maxBits | block(largest)
		return
	}
	p.blocks = append(p.blocks, newBlock(window, impact))
}

// span is a boundary between the postings of two terms.
type span struct{ block, posting uint32 }

// end returns where the next postings begin.
func (p *postings) end() span { return span{uint32(len(p.blocks)), uint32(len(p.packed))} }

// between returns the postings from one boundary to another.
func (p *postings) between(begin, end span) list {
	return list{blocks: p.blocks[begin.block:end.block], packed: p.packed[begin.posting:end.posting]}
}

// Locale returns the locale of the indexed texts.
func (x *Index) Locale() string { return x.locale }

// Release returns the indexed release.
func (x *Index) Release() *taxonomy.Release { return x.release }

// elements returns the number of elements of the release.
func (x *Index) elements() int { return len(x.release.ElementIDs()) }

// newIndex returns an index without terms.
func newIndex(r *taxonomy.Release, locale string) (*Index, error) {
	if n := len(r.ElementIDs()); n > MaxElements {
		return nil, fmt.Errorf("search: %s has %d elements; at most %d can be searched", r.Version(), n, MaxElements)
	}
	x := &Index{release: r, locale: locale, function: functionTerms(locale), english: isEnglish(locale), standard: standard, scratch: new(sync.Pool)}
	x.overlaps = sync.OnceValue(x.terms.overlaps)
	if groups := synonymsOf(r, locale); len(groups) > 0 {
		x.thesaurus = sync.OnceValue(func() *thesaurus { return newThesaurus(x, groups) })
	}
	return x, nil
}

// setFloors computes the floors of all terms.
func (x *Index) setFloors() {
	x.floors = make([]uint32, x.terms.len())
	best := top{heap: make([]ranked, 0, DefaultLimit)}
	for i := range x.floors {
		x.floors[i] = best.floor(x.packed[x.first[i].posting:x.first[i+1].posting])
	}
}

// floor returns the DefaultLimit-th best impact of postings, or 0 if there are fewer. At
// least DefaultLimit elements reach that score.
func (t *top) floor(postings []uint32) uint32 {
	if len(postings) < DefaultLimit {
		return 0
	}
	t.reset(DefaultLimit)
	for _, p := range postings {
		if impact := p & impactMask; impact > t.threshold {
			t.push(0, impact)
		}
	}
	return t.threshold
}

// list returns the postings of a term.
func (x *Index) list(term uint32) list {
	if x.stored != nil {
		return *x.stored.list(x, term)
	}
	l := x.between(x.first[term], x.first[term+1])
	l.floor = x.floors[term]
	return l
}
