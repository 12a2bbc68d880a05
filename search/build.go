package search

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"runtime"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// Build indexes a release in one of its locales. It uses all CPUs for large releases.
// [Match] finds the locale for a user's preference.
func Build(r *taxonomy.Release, locale string) (*Index, error) {
	if r == nil {
		return nil, errors.New("search: the release is nil")
	}
	i := prose.IndexLocale(r.Locales(), locale)
	if i < 0 {
		return nil, fmt.Errorf("search: %s has no locale %q (it has %s)", r.Version(), locale, strings.Join(r.Locales(), ", "))
	}
	x, err := newIndex(r, r.Locales()[i])
	if err != nil {
		return nil, err
	}
	elements := r.Elements()
	var b builder
	b.read(len(elements), func(i int, add adder) {
		e := elements[i]
		for _, field := range []struct {
			text   taxonomy.Localized
			field  int
			halves uint16
		}{{e.Title, title, whole}, {e.Description, description, whole}, {e.Keywords, description, half}} {
			text, _ := field.text.Get(x.locale)
			add(field.field, text, field.halves)
		}
		for k := range e.Mappings { // ids of entries are searched like keywords, in every locale
			add(description, e.Mappings[k].ID, half)
		}
	})
	b.finish(x)
	return x, nil
}

// Text is an entry of an index that [BuildTexts] makes. Words of the title count three
// times, as those of an element do.
type Text struct {
	Title    string
	Body     []string // its other texts
	Keywords []string // each of their words counts half, as those of an element do
}

// BuildTexts indexes texts of any kind in one language, with groups of words or phrases
// that find one another. Texts match and rank as elements with such titles, descriptions
// and keywords do, and [Hit.Position] is the position of a text. The index has no release
// and no categories.
func BuildTexts(texts []Text, locale string, synonyms [][]string) (*Index, error) {
	if len(texts) > maxElements {
		return nil, fmt.Errorf("search: there are %d texts; at most %d can be searched", len(texts), maxElements)
	}
	x := newTextIndex(len(texts), locale, synonyms)
	var b builder
	b.read(len(texts), func(i int, add adder) {
		add(title, texts[i].Title, whole)
		for _, text := range texts[i].Body {
			add(description, text, whole)
		}
		for _, text := range texts[i].Keywords {
			add(description, text, half)
		}
	})
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

// adder is called with a text of an element, its field, and how many halves of a word each
// of its words counts as.
type adder func(field int, text string, halves uint16)

// read reads so many elements and counts their terms. It calls texts concurrently, and
// twice for each element.
func (b *builder) read(elements int, texts func(i int, add adder)) {
	b.elements = elements
	n := min(runtime.GOMAXPROCS(0), elements/chunkSize+1)
	var wg sync.WaitGroup
	for i := range n {
		c := &collector{begin: elements * i / n}
		b.chunks = append(b.chunks, c)
		read := func() { c.read(elements*(i+1)/n, texts) }
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
	b.chunks = nil // which are as large as the index
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

// read collects the terms of elements up to a position.
func (c *collector) read(end int, texts func(i int, add adder)) {
	c.elements = make([]elementStat, 0, end-c.begin)
	size := 0
	for i := c.begin; i < end; i++ {
		texts(i, func(_ int, text string, _ uint16) { size += len(text) })
	}
	occurrences := size / 6 // a word and a space, in most languages
	c.entries = make([]entry, 0, occurrences)
	capacity := min(occurrences/4, 1<<12) + 1 // the longer the text, the more words repeat
	c.tokens, c.words, c.terms = newTokenizer(), newWordTable(capacity), make([]collected, 0, capacity)
	for i := c.begin; i < end; i++ {
		begin := uint32(len(c.entries))
		c.elements = append(c.elements, elementStat{})
		texts(i, func(field int, text string, halves uint16) { c.text(field, text, begin, halves) })
		stat := &c.elements[len(c.elements)-1]
		stat.end = uint32(len(c.entries))
		for f, n := range stat.length {
			c.length[f] += int(n)
		}
	}
}

// text adds the terms of a text to the last element, whose entries begin at begin. Each
// counts as so many halves.
func (c *collector) text(field int, text string, begin uint32, halves uint16) {
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

// newWordTable returns a table with an initial capacity.
func newWordTable(capacity int) wordTable {
	return wordTable{
		words: dictionary{text: make([]byte, 0, 8*capacity), ends: make([]uint32, 0, capacity)},
		seed:  maphash.MakeSeed(),
		slots: make([]wordSlot, 1<<bits.Len(uint(2*capacity))),
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

// The constants of the formula in the package documentation.
const (
	k1         = 1.2
	b          = 0.75
	titleBoost = 3

	// unit is the score 1.0. Scores are multiples of 1/unit, so that sums and
	// rankings are the same on every machine.
	unit = 1 << 16
)

// The explicit conversions of products prevent Go from fusing x*y + z into an instruction
// that rounds once, which not every machine has.

// idf returns the inverse document frequency of a term that n of total elements have.
func idf(total, n int) float64 {
	return ln(1 + (float64(total)-float64(n)+0.5)/(float64(n)+0.5))
}

// lengthNorm returns the weight of a field's length relative to the average.
func lengthNorm(length int, average float64) float64 {
	return 1 - b + float64(b*(float64(length)/average))
}

// saturated returns the part of the score that depends on the occurrences of a term in a
// field, counted in halves.
func saturated(halves int, norm float64) float64 {
	if halves == 0 {
		return 0
	}
	tf := float64(halves) / whole
	return float64(tf*(k1+1)) / (tf + float64(k1*norm))
}

// impact returns the contribution of a term to the score of an element, in units, rounded
// and at least 1, and the rest for weighted.
func impact(title, description float64) (rounded uint32, rest byte) {
	exact := float64((float64(titleBoost*title) + description) * unit)
	rounded = max(1, uint32(math.Round(exact)))
	quarters := int(float64(exact * 4)) // rounded down
	return rounded, byte(max(0, quarters-4*int(rounded)+2))
}

// weighted returns an impact times a weight, rounded and at least 1. It uses the exact
// impact, because rounding twice would change scores. For the weights 2/3, 0.5, 0.4 and
// 0.2 the boundaries of rounding are at multiples of a quarter, so quarters suffice.
func weighted(rounded uint32, rest byte, weight uint32) uint32 {
	quarters := 4*rounded + uint32(rest) - 2
	return max(1, (quarters*weight+2*exactWeight)/(4*exactWeight))
}

// rests has the difference between the exact and the rounded impact of each posting, in
// quarters of a unit, rounded down, plus two. Each takes two bits.
type rests []byte

func (r *rests) add(i int, rest byte) {
	if i%4 == 0 {
		*r = append(*r, 0)
	}
	(*r)[i/4] |= rest << (i % 4 * 2)
}

func (r rests) at(i int) byte { return r[i/4] >> (i % 4 * 2) & 3 }

// ln returns the natural logarithm, computed from operations that IEEE 754 defines to the
// last bit. Package math uses assembly on some machines, which may differ in the last bit.
func ln(x float64) float64 {
	frac, exp := math.Frexp(x) // x = frac * 2^exp, frac in [0.5, 1)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	// ln(frac) = 2 artanh((frac-1)/(frac+1)), whose series converges fast: the
	// argument is below 0.172, its square below 0.03.
	z := (frac - 1) / (frac + 1)
	square := float64(z * z)
	sum, power := 0.0, z
	for k := 1.0; k < 24; k += 2 {
		sum += float64(power / k)
		power = float64(power * square)
	}
	return float64(2*sum) + float64(float64(exp)*math.Ln2)
}
