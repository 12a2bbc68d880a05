package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
)

// dictionary is a list of terms, which are identified by their position. That of an index
// is sorted by bytes.
type dictionary struct {
	text []byte   // all terms, concatenated
	ends []uint32 // where each ends
}

func (d *dictionary) len() int { return len(d.ends) }

func (d *dictionary) reset() { d.text, d.ends = d.text[:0], d.ends[:0] }

func (d *dictionary) add(term []byte) {
	d.text = append(d.text, term...)
	d.ends = append(d.ends, uint32(len(d.text)))
}

func (d *dictionary) term(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

// index returns the position of a term in an unsorted, short dictionary, or -1.
func (d *dictionary) index(term []byte) int {
	for i := range d.ends {
		if bytes.Equal(d.term(i), term) {
			return i
		}
	}
	return -1
}

// order returns the positions of the terms in sorted order.
func (d *dictionary) order() []uint32 {
	type start struct {
		first    uint64 // the first bytes of the term, which usually decide
		position uint32
	}
	terms := make([]start, d.len())
	for i := range terms {
		var first [8]byte
		copy(first[:], d.term(i))
		terms[i] = start{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(terms, func(a, b start) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(d.term(int(a.position)), d.term(int(b.position)))
	})
	order := make([]uint32, len(terms))
	for i, t := range terms {
		order[i] = t.position
	}
	return order
}

// at returns the position of the term at an offset in the text.
func (d *dictionary) at(offset int) int {
	return sort.Search(d.len(), func(i int) bool { return int(d.ends[i]) > offset })
}

// find returns the position of a term in a sorted dictionary, or where it would be.
func (d *dictionary) find(term []byte) (int, bool) {
	i := sort.Search(d.len(), func(i int) bool { return bytes.Compare(d.term(i), term) >= 0 })
	return i, i < d.len() && bytes.Equal(d.term(i), term)
}

// skip returns the first position after i whose term does not begin with prefix. All
// terms with the prefix, if any, begin at i.
func (d *dictionary) skip(i int, prefix []byte) int {
	// It is often close, so try increasing steps first.
	step := 1
	for i+step < d.len() && bytes.HasPrefix(d.term(i+step), prefix) {
		step *= 2
	}
	limit := min(i+step, d.len())
	return i + sort.Search(limit-i, func(k int) bool { return !bytes.HasPrefix(d.term(i+k), prefix) })
}

// overlaps returns how many bytes at the beginning of each term are those of the term
// before it, up to 255.
func (d *dictionary) overlaps() []uint8 {
	overlaps := make([]uint8, d.len())
	var previous []byte
	for i := range overlaps {
		term := d.term(i)
		overlaps[i] = uint8(min(common(previous, term), math.MaxUint8))
		previous = term
	}
	return overlaps
}
