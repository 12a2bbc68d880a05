package search

import (
	"bytes"
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
	b := builder{words: newWordTable()}
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
	words  wordTable
	terms  []termStat // by the number of the word in words

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
		c := newCollector(len(elements) * i / n)
		b.chunks = append(b.chunks, c)
		wg.Go(func() { c.read(elements[c.begin:len(elements)*(i+1)/n], locale) })
	}
	wg.Wait()
	for _, c := range b.chunks {
		b.count(c)
	}
}

// count gives the terms of a chunk their numbers among all, and adds up what it
// has counted.
func (b *builder) count(c *collector) {
	for f, n := range c.length {
		b.length[f] += n
	}
	c.numbers = make([]uint32, c.words.words.len())
	for i := range c.numbers {
		id := b.words.number(c.words.words.term(i))
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
	order := make([]uint32, words.len())
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return bytes.Compare(words.term(int(i)), words.term(int(j))) })
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
	idfs := make([][2]float64, len(b.terms))
	for i := range idfs {
		for f, n := range b.terms[i].n {
			idfs[i][f] = idf(b.elements, int(n))
		}
	}
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
	for _, c := range b.chunks {
		wg.Go(func() { c.place(sorted, idfs, average) })
	}
	wg.Wait()
	return sorted, ends
}
