package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
)

// dictionary is the terms of an index, sorted by their bytes but while they are
// collected. A term is known by its place.
type dictionary struct {
	text []byte   // all terms, one after the other
	ends []uint32 // where each ends
}

func (d *dictionary) len() int { return len(d.ends) }

// term returns the i-th term.
func (d *dictionary) term(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

// order returns the places of the terms as they would be sorted.
func (d *dictionary) order() []uint32 {
	type begun struct {
		first uint64 // the first bytes of the term, which mostly decide
		place uint32
	}
	terms := make([]begun, d.len())
	for i := range terms {
		var first [8]byte
		copy(first[:], d.term(i))
		terms[i] = begun{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(terms, func(a, b begun) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(d.term(int(a.place)), d.term(int(b.place)))
	})
	order := make([]uint32, len(terms))
	for i, t := range terms {
		order[i] = t.place
	}
	return order
}

// at returns the place of the term that a byte of the text belongs to.
func (d *dictionary) at(offset int) int {
	return sort.Search(d.len(), func(i int) bool { return int(d.ends[i]) > offset })
}

// find returns the place of a term, or where it would be.
func (d *dictionary) find(term []byte) (int, bool) {
	i := sort.Search(d.len(), func(i int) bool { return bytes.Compare(d.term(i), term) >= 0 })
	return i, i < d.len() && bytes.Equal(d.term(i), term)
}

// skip returns the first place from i on whose term does not begin with prefix.
// All terms that do, if any, begin at i.
func (d *dictionary) skip(i int, prefix []byte) int {
	// The next is often near: look at ever larger steps first.
	step := 1
	for i+step < d.len() && bytes.HasPrefix(d.term(i+step), prefix) {
		step *= 2
	}
	limit := min(i+step, d.len())
	return i + sort.Search(limit-i, func(k int) bool { return !bytes.HasPrefix(d.term(i+k), prefix) })
}
