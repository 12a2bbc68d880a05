package search

import "github.com/datachain-go/datachain/taxonomy"

// The two weighted fields. Keywords are part of the description.
const (
	title = iota
	description
)

// Words are counted in halves: a keyword is half a word of the description, because it
// adds a subject without making the description longer.
const (
	whole = 2
	half  = 1
)

// collector reads consecutive elements.
type collector struct {
	begin  int // the position of the first element
	tokens *tokenizer
	words  wordTable
	terms  []collected // by number in words
	// entries are in the order of elements.
	entries  []entry
	elements []elementStat
	length   [2]int // of all titles and of all descriptions, in halves

	// numbers are the common numbers of the terms, by number in words. next is where
	// the next entry of a term goes, by common number.
	numbers, next []uint32
}

// collected counts the elements that have a term, in any field and in each.
type collected struct {
	elements uint32
	n        fieldCount
	last     uint32 // the position of the last entry of the term, plus one
}

// entry is a term in an element, with its occurrences in each field, in halves.
type entry struct {
	term uint32
	tf   [2]uint16
}

// elementStat is the length of the fields of an element, in halves, and the end of its
// entries, which begin at the end of the previous element.
type elementStat struct {
	length fieldCount
	end    uint32
}

// read collects the terms of elements.
func (c *collector) read(elements []*taxonomy.Element, locale string) {
	c.elements = make([]elementStat, 0, len(elements))
	size := 0
	for _, e := range elements {
		for _, l := range []taxonomy.Localized{e.Title, e.Description, e.Keywords} {
			text, _ := l.Get(locale)
			size += len(text)
		}
	}
	occurrences := size / 6 // a word and a space, in most languages
	c.entries = make([]entry, 0, occurrences)
	room := min(occurrences/4, 1<<12) + 1 // the longer the text, the more words repeat
	c.tokens, c.words, c.terms = newTokenizer(), newWordTable(room), make([]collected, 0, room)
	for _, e := range elements {
		begin := uint32(len(c.entries))
		c.elements = append(c.elements, elementStat{})
		c.text(title, e.Title, locale, begin, whole)
		c.text(description, e.Description, locale, begin, whole)
		c.text(description, e.Keywords, locale, begin, half)
		stat := &c.elements[len(c.elements)-1]
		stat.end = uint32(len(c.entries))
		for f, n := range stat.length {
			c.length[f] += int(n)
		}
	}
}

// text adds the terms of a text to the last element, whose entries begin at begin. Each
// counts as so many halves.
func (c *collector) text(field int, l taxonomy.Localized, locale string, begin uint32, halves uint16) {
	text, _ := l.Get(locale)
	length := &c.elements[len(c.elements)-1].length[field]
	c.tokens.template(text, func(term []byte, _, _ int) {
		id := c.words.number(term)
		if int(id) == len(c.terms) {
			c.terms = append(c.terms, collected{})
		}
		t := &c.terms[id]
		if t.last <= begin {
			c.entries = append(c.entries, entry{term: id})
			t.last = uint32(len(c.entries))
			t.elements++
		}
		tf := &c.entries[t.last-1].tf[field]
		if *tf == 0 {
			t.n[field]++
		}
		*tf = min(*tf+halves, 1<<15) // the score is saturated by then
		*length += int32(halves)
	})
}

// place puts the entries into the ranges of their terms, in the order of elements.
func (c *collector) place(sorted []scored, idfs [][2]float64, average [2]float64) {
	start := uint32(0)
	for i, stat := range c.elements {
		var norms [2]float64
		for f, n := range stat.length {
			norms[f] = lengthNorm(int(n), average[f])
		}
		for _, e := range c.entries[start:stat.end] {
			id := c.numbers[e.term]
			var s [2]float64
			for f, tf := range e.tf {
				s[f] = float64(idfs[id][f] * saturated(int(tf), norms[f]))
			}
			rounded, rest := impact(s[title], s[description])
			sorted[c.next[id]] = scored(uint64(c.begin+i)<<32 | uint64(rest)<<impactBits | uint64(rounded))
			c.next[id]++
		}
		start = stat.end
	}
}
