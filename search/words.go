package search

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// wordTable numbers words in the order in which they come. It is a hash table
// whose words lie together in memory, which a map of strings does not give.
type wordTable struct {
	words dictionary // by number, in no order
	seed  maphash.Seed
	slots []wordSlot // a power of two, at most half of them taken
}

// wordSlot is a word and a part of its hash, by which others are told apart
// without looking at them.
type wordSlot struct {
	hash uint32
	word uint32 // its number plus one; 0 where the slot is free
}

// newWordTable makes a table with room for some words, to begin with.
func newWordTable(room int) wordTable {
	return wordTable{
		words: dictionary{text: make([]byte, 0, 8*room), ends: make([]uint32, 0, room)},
		seed:  maphash.MakeSeed(),
		slots: make([]wordSlot, 1<<bits.Len(uint(2*room))),
	}
}

// number returns the number of a word, a new one if it has none.
func (t *wordTable) number(word []byte) uint32 {
	hash := maphash.Bytes(t.seed, word)
	slot := t.slot(hash, word)
	if slot.word > 0 {
		return slot.word - 1
	}
	t.words.text = append(t.words.text, word...)
	t.words.ends = append(t.words.ends, uint32(len(t.words.text)))
	n := uint32(t.words.len())
	*slot = wordSlot{uint32(hash >> 32), n}
	if 2*int(n) > len(t.slots) {
		t.grow()
	}
	return n - 1
}

// slot returns the slot of a word, or the free one that is its.
func (t *wordTable) slot(hash uint64, word []byte) *wordSlot {
	mask, part := uint64(len(t.slots)-1), uint32(hash>>32)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.word == 0 || s.hash == part && bytes.Equal(t.words.term(int(s.word-1)), word) {
			return s
		}
	}
}

// grow makes the table twice as large.
func (t *wordTable) grow() {
	t.slots = make([]wordSlot, 2*len(t.slots))
	for i := range t.words.len() {
		word := t.words.term(i)
		hash := maphash.Bytes(t.seed, word)
		*t.slot(hash, word) = wordSlot{uint32(hash >> 32), uint32(i) + 1}
	}
}
