package search

import "github.com/datachain-go/datachain/taxonomy"

// The two fields that are weighed. Keywords are part of the description.
const (
	title = iota
	description
)

// Words are counted in halves: a keyword is half a word of the description. It
// says what an element is about, and not that it is about nothing else.
const (
	whole = 2
	half  = 1
)

// collector reads elements that follow one another.
type collector struct {
	begin  int // the place of the first element
	tokens *tokenizer
	words  wordTable
	terms  []collected // by the number of the word in words
	// entries are in the order of elements, those of one element together.
	entries  []entry
	elements []elementStat
	length   [2]int // of all titles, and of all descriptions, in halves

	// numbers are those that all collectors share, by the number here, and
	// next, by these, where the next entry of a term goes.
	numbers, next []uint32
}

// collected is how many elements have a term, in either field and in each.
type collected struct {
	elements uint32
	n        [2]int32
	// last is the place of the last entry of the term, plus one.
	last uint32
}

// entry is a term in an element, with how often each field has it, in halves.
type entry struct {
	term uint32
	tf   [2]uint16
}

// elementStat is how many terms the fields of an element have, in halves, and where its
// entries end; they begin where those of the one before end.
type elementStat struct {
	length [2]int32
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
	room := min(occurrences/4, 1<<12) + 1 // words occur again, the more the longer a text is
	c.tokens, c.words, c.terms = newTokenizer(), newWordTable(room), make([]collected, 0, room)
	for _, e := range elements {
		c.add(e, locale)
	}
}

func (c *collector) add(e *taxonomy.Element, locale string) {
	begun := uint32(len(c.entries))
	c.elements = append(c.elements, elementStat{})
	c.text(title, e.Title, locale, begun, whole)
	c.text(description, e.Description, locale, begun, whole)
	c.text(description, e.Keywords, locale, begun, half)
	stat := &c.elements[len(c.elements)-1]
	stat.end = uint32(len(c.entries))
	for f, n := range stat.length {
		c.length[f] += int(n)
	}
}

// text adds the terms of a text to the element whose entries begin at begun. Each
// counts as much as is said.
func (c *collector) text(field int, l taxonomy.Localized, locale string, begun uint32, count uint16) {
	text, _ := l.Get(locale)
	length := &c.elements[len(c.elements)-1].length[field]
	c.tokens.template(text, func(term []byte, _, _ int) {
		id := c.words.number(term)
		if int(id) == len(c.terms) {
			c.terms = append(c.terms, collected{})
		}
		t := &c.terms[id]
		if t.last <= begun {
			c.entries = append(c.entries, entry{term: id})
			t.last = uint32(len(c.entries))
			t.elements++
		}
		tf := &c.entries[t.last-1].tf[field]
		if *tf == 0 {
			t.n[field]++
		}
		*tf = min(*tf+count, 1<<15) // enough: more would change nothing
		*length += int32(count)
	})
}

// place puts the entries where those of their terms belong. It goes through them
// as they lie, and so those of a term stay in the order of elements.
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
			sorted[c.next[id]] = scoredOf(uint32(c.begin+i), rounded, rest)
			c.next[id]++
		}
		start = stat.end
	}
}
