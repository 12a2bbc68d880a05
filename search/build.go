package search

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// Build makes the index of a release in one of its locales, on all processors
// where there is much to do. See [Match] for finding the locale.
func Build(r *taxonomy.Release, locale string) (*Index, error) {
	i := slices.IndexFunc(r.Locales(), func(l string) bool { return strings.EqualFold(l, locale) })
	if i < 0 {
		return nil, fmt.Errorf("search: %s has no locale %q (it has %s)", r.Version(), locale, strings.Join(r.Locales(), ", "))
	}
	x, err := newIndex(r, r.Locales()[i])
	if err != nil {
		return nil, err
	}
	var b builder
	b.read(r.Elements(), x.locale)
	b.finish(x)
	return x, nil
}

// chunkSize is how many elements make it worth while to have a goroutine of
// their own.
const chunkSize = 2048

// builder brings together what several collectors have read.
type builder struct {
	chunks []*collector // in the order of elements
	words  wordTable    // of the first chunk, with what the others add
	terms  []termStat   // by the number of the word in words

	elements int
	length   [2]int // of all titles, and of all descriptions
}

// termStat is how many elements have a term in each field.
type termStat struct{ n [2]int32 }

// read reads all elements and counts their terms.
func (b *builder) read(elements []*taxonomy.Element, locale string) {
	b.elements = len(elements)
	n := min(runtime.GOMAXPROCS(0), len(elements)/chunkSize+1)
	var wg sync.WaitGroup
	for i := range n {
		c := &collector{begin: len(elements) * i / n}
		b.chunks = append(b.chunks, c)
		read := func() { c.read(elements[c.begin:len(elements)*(i+1)/n], locale) }
		if i < n-1 {
			wg.Go(read)
		} else {
			read() // here: most releases are one chunk, and need no goroutine
		}
	}
	wg.Wait()
	b.words = b.chunks[0].words
	for _, c := range b.chunks {
		b.count(c)
	}
}

// count gives the terms of a chunk their numbers among all, which those of the
// first chunk have already, and adds up what it has counted.
func (b *builder) count(c *collector) {
	for f, n := range c.length {
		b.length[f] += n
	}
	c.numbers = make([]uint32, c.words.words.len())
	for i := range c.numbers {
		id := uint32(i)
		if c != b.chunks[0] {
			id = b.words.number(c.words.words.term(i))
		}
		if int(id) == len(b.terms) {
			b.terms = append(b.terms, termStat{})
		}
		c.numbers[i] = id
		for f, n := range c.terms[i].n {
			b.terms[id].n[f] += n
		}
	}
}

// finish sorts the terms, and the entries by term, and turns them into postings.
func (b *builder) finish(x *Index) {
	words := &b.words.words
	order := words.order()
	x.terms = dictionary{text: make([]byte, 0, len(words.text)), ends: make([]uint32, 0, len(order))}
	for _, id := range order {
		x.terms.text = append(x.terms.text, words.term(int(id))...)
		x.terms.ends = append(x.terms.ends, uint32(len(x.terms.text)))
	}
	sorted, ends := b.sorted(order)
	x.packed = make([]uint32, 0, len(sorted))
	x.rests = make(rests, 0, (len(sorted)+3)/4)
	x.first = make([]span, 1, len(order)+1)
	begin := uint32(0)
	for _, end := range ends {
		for i, s := range sorted[begin:end] {
			x.rests.add(len(x.packed), s.rest())
			x.add(s.element(), s.impact(), i == 0)
		}
		begin = end
		x.first = append(x.first, x.end())
	}
	// Without the room that append has left: the index stays for long.
	x.blocks = append(make([]block, 0, len(x.blocks)), x.blocks...)
	x.setFloors()
}

// scored is an element with the impact of a term, and the rest of that.
type scored uint64

func scoredOf(element, impact uint32, rest byte) scored {
	return scored(uint64(element)<<32 | uint64(rest)<<impactBits | uint64(impact))
}

func (s scored) element() uint32 { return uint32(s >> 32) }
func (s scored) impact() uint32  { return uint32(s) & impactMask }
func (s scored) rest() byte      { return byte(uint32(s) >> impactBits) }

// sorted returns the entries by term, terms in the order given, and those of a
// term by element, with where each term ends.
func (b *builder) sorted(order []uint32) (sorted []scored, ends []uint32) {
	idfs := b.idfs()
	// Each chunk has its own places among the entries of a term.
	for _, c := range b.chunks {
		c.next = make([]uint32, len(b.terms))
		for i, id := range c.numbers {
			c.next[id] = c.terms[i].elements
		}
	}
	total := uint32(0)
	ends = make([]uint32, 0, len(order))
	for _, id := range order {
		for _, c := range b.chunks {
			c.next[id], total = total, total+c.next[id]
		}
		ends = append(ends, total)
	}
	sorted = make([]scored, total)
	var average [2]float64
	for f, n := range b.length {
		average[f] = float64(n) / float64(max(1, b.elements))
	}
	var wg sync.WaitGroup
	for _, c := range b.chunks[1:] {
		wg.Go(func() { c.place(sorted, idfs, average) })
	}
	b.chunks[0].place(sorted, idfs, average)
	wg.Wait()
	return sorted, ends
}

// idfs returns that of each term in each field. Most terms are in one element or
// two, and a logarithm takes longer than looking one up.
func (b *builder) idfs() [][2]float64 {
	var few [64]float64 // by how many elements have the term; 0 is not known yet
	idfs := make([][2]float64, len(b.terms))
	for i := range idfs {
		for f, n := range b.terms[i].n {
			if int(n) >= len(few) {
				idfs[i][f] = idf(b.elements, int(n))
				continue
			}
			if few[n] == 0 {
				few[n] = idf(b.elements, int(n))
			}
			idfs[i][f] = few[n]
		}
	}
	return idfs
}
