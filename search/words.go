package search

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// wordTable numbers words in the order in which they occur. It is a hash table over a
// dictionary, so it needs no allocation per word as a map of strings does.
type wordTable struct {
	words dictionary // by number, unsorted
	seed  maphash.Seed
	slots []wordSlot // a power of two, at most half of them used
}

// wordSlot is a word and a part of its hash, to avoid most comparisons.
type wordSlot struct {
	hash uint32
	word uint32 // its number plus one, or 0
}

// newWordTable returns a table with initial room for some words.
func newWordTable(room int) wordTable {
	return wordTable{
		words: dictionary{text: make([]byte, 0, 8*room), ends: make([]uint32, 0, room)},
		seed:  maphash.MakeSeed(),
		slots: make([]wordSlot, 1<<bits.Len(uint(2*room))),
	}
}

// number returns the number of a word, which is added if necessary.
func (t *wordTable) number(word []byte) uint32 {
	hash := maphash.Bytes(t.seed, word)
	slot := t.slot(hash, word)
	if slot.word > 0 {
		return slot.word - 1
	}
	t.words.add(word)
	n := uint32(t.words.len())
	*slot = wordSlot{uint32(hash >> 32), n}
	if 2*int(n) > len(t.slots) {
		t.slots = make([]wordSlot, 2*len(t.slots))
		for i := range t.words.len() {
			word := t.words.term(i)
			hash := maphash.Bytes(t.seed, word)
			*t.slot(hash, word) = wordSlot{uint32(hash >> 32), uint32(i) + 1}
		}
	}
	return n - 1
}

// slot returns the slot of a word, or the free slot for it.
func (t *wordTable) slot(hash uint64, word []byte) *wordSlot {
	mask, part := uint64(len(t.slots)-1), uint32(hash>>32)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.word == 0 || s.hash == part && bytes.Equal(t.words.term(int(s.word-1)), word) {
			return s
		}
	}
}
