package search

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// Build indexes a release in one of its locales. It uses all CPUs for large releases.
// [Match] finds the locale for a user's preference.
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

// chunkSize is the number of elements that are worth a goroutine.
const chunkSize = 2048

// builder combines the results of several collectors.
type builder struct {
	chunks []*collector // in the order of elements
	words  wordTable    // that of the first chunk, extended by the others
	terms  []fieldCount // the number of elements with a term, by number in words

	elements int
	length   [2]int // of all titles and of all descriptions
}

// fieldCount is a number for each field.
type fieldCount [2]int32

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
			read() // most releases are one chunk and need no goroutine
		}
	}
	wg.Wait()
	b.words = b.chunks[0].words
	for _, c := range b.chunks {
		b.count(c)
	}
}

// count gives the terms of a chunk their common numbers, which are those of the first
// chunk, and adds up its counts.
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
			b.terms = append(b.terms, fieldCount{})
		}
		c.numbers[i] = id
		for f, n := range c.terms[i].n {
			b.terms[id][f] += n
		}
	}
}

// finish sorts the terms, and the entries by term, and converts them to postings.
func (b *builder) finish(x *Index) {
	words := &b.words.words
	order := words.order()
	x.terms = dictionary{text: make([]byte, 0, len(words.text)), ends: make([]uint32, 0, len(order))}
	for _, id := range order {
		x.terms.add(words.term(int(id)))
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
	x.blocks = append(make([]block, 0, len(x.blocks)), x.blocks...) // without spare capacity
	x.setFloors()
}

// scored is an element with the impact of a term and its rest, from the highest bits down:
// element, rest, impact.
type scored uint64

func (s scored) element() uint32 { return uint32(s >> 32) }
func (s scored) impact() uint32  { return uint32(s) & impactMask }
func (s scored) rest() byte      { return byte(uint32(s) >> impactBits) }

// sorted returns the entries sorted by term, in the given order, and by element, with the
// end of each term.
func (b *builder) sorted(order []uint32) (sorted []scored, ends []uint32) {
	idfs := b.idfs()
	// Each chunk has its own range among the entries of a term.
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

// idfs returns the idf of each term in each field. Most terms occur in few elements, so
// the logarithms of small counts are computed once.
func (b *builder) idfs() [][2]float64 {
	var few [64]float64
	for n := range few {
		few[n] = idf(b.elements, n)
	}
	idfs := make([][2]float64, len(b.terms))
	for i := range idfs {
		for f, n := range b.terms[i] {
			if int(n) < len(few) {
				idfs[i][f] = few[n]
			} else {
				idfs[i][f] = idf(b.elements, int(n))
			}
		}
	}
	return idfs
}
