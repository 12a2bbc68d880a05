package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Build makes the index of a release in one of its locales. See [Match] for
// finding the locale.
func Build(r *taxonomy.Release, locale string) (*Index, error) {
	i := slices.IndexFunc(r.Locales(), func(l string) bool { return strings.EqualFold(l, locale) })
	if i < 0 {
		return nil, fmt.Errorf("search: %s has no locale %q (it has %s)", r.Version(), locale, strings.Join(r.Locales(), ", "))
	}
	x, err := newIndex(r, r.Locales()[i])
	if err != nil {
		return nil, err
	}
	b := builder{tokens: newTokenizer(), ids: map[string]uint32{}}
	for _, e := range r.Elements() {
		b.add(e, x.locale)
	}
	b.finish(x)
	return x, nil
}

// builder collects the terms of elements, one element after the other.
type builder struct {
	tokens *tokenizer
	ids    map[string]uint32
	terms  []termStat
	// entries are in the order of elements, those of one element together.
	entries  []entry
	elements []elementStat

	length [2]int // of all titles, and of all descriptions
}

// termStat is a term and how many elements have it in each field.
type termStat struct {
	text string
	n    [2]int32
	// last is the place of the last entry of the term, plus one.
	last uint32
}

// entry is a term in an element, with how often each field has it.
type entry struct {
	term    uint32
	element uint32
	tf      [2]uint16
}

// elementStat is how many terms the fields of an element have.
type elementStat struct{ length [2]int32 }

// The two fields that are weighed. Keywords are part of the description.
const (
	title = iota
	description
)

func (b *builder) add(e *taxonomy.Element, locale string) {
	begun := uint32(len(b.entries))
	b.elements = append(b.elements, elementStat{})
	b.text(title, e.Title, locale, begun)
	b.text(description, e.Description, locale, begun)
	b.text(description, e.Keywords, locale, begun)
	for f, n := range b.elements[len(b.elements)-1].length {
		b.length[f] += int(n)
	}
}

// text adds the terms of a text to the element whose entries begin at begun.
func (b *builder) text(field int, l taxonomy.Localized, locale string, begun uint32) {
	text, _ := l.Get(locale)
	element := len(b.elements) - 1
	b.tokens.template(text, func(term []byte, _, _ int) {
		id, ok := b.ids[string(term)]
		if !ok {
			id = uint32(len(b.terms))
			b.terms = append(b.terms, termStat{text: string(term)})
			b.ids[b.terms[id].text] = id
		}
		t := &b.terms[id]
		if t.last <= begun {
			b.entries = append(b.entries, entry{term: id, element: uint32(element)})
			t.last = uint32(len(b.entries))
		}
		tf := &b.entries[t.last-1].tf[field]
		if *tf == 0 {
			t.n[field]++
		}
		if *tf < 1<<16-1 {
			*tf++
		}
		b.elements[element].length[field]++
	})
}

// finish sorts the terms, and the entries by term, and turns them into postings.
func (b *builder) finish(x *Index) {
	order := make([]uint32, len(b.terms))
	size := 0
	for i := range order {
		order[i] = uint32(i)
		size += len(b.terms[i].text)
	}
	slices.SortFunc(order, func(i, j uint32) int { return strings.Compare(b.terms[i].text, b.terms[j].text) })
	x.terms = dictionary{text: make([]byte, 0, size), ends: make([]uint32, 0, len(order))}
	for _, id := range order {
		x.terms.text = append(x.terms.text, b.terms[id].text...)
		x.terms.ends = append(x.terms.ends, uint32(len(x.terms.text)))
	}
	b.invert(x, order)
}

// invert fills the postings: the entries of each term in the order of elements.
func (b *builder) invert(x *Index, order []uint32) {
	// Chain the entries of each term: the last one is known, and each gets the
	// place of the one before it. Going backwards twice gives the order.
	heads := make([]uint32, len(b.terms))
	next := make([]uint32, len(b.entries))
	for i := len(b.entries) - 1; i >= 0; i-- {
		t := b.entries[i].term
		next[i], heads[t] = heads[t], uint32(i)+1
	}
	var average [2]float64
	for f, n := range b.length {
		average[f] = float64(n) / float64(max(1, len(b.elements)))
	}
	x.packed = make([]uint32, 0, len(b.entries))
	x.rests = make(rests, 0, (len(b.entries)+3)/4)
	x.first = make([]uint32, 1, len(order)+1)
	for _, id := range order {
		t := &b.terms[id]
		idfs := [2]float64{idf(len(b.elements), int(t.n[title])), idf(len(b.elements), int(t.n[description]))}
		for at := heads[id]; at != 0; at = next[at-1] {
			e := &b.entries[at-1]
			length := &b.elements[e.element].length
			s := [2]float64{}
			for f := range s {
				s[f] = float64(idfs[f] * saturated(int(e.tf[f]), int(length[f]), average[f]))
			}
			rounded, rest := impact(s[title], s[description])
			x.rests.add(len(x.packed), rest)
			x.add(e.element, rounded, at == heads[id])
		}
		x.first = append(x.first, uint32(len(x.blocks)))
	}
	// Without the room that append has left: the index stays for long.
	x.blocks = append(make([]block, 0, len(x.blocks)), x.blocks...)
}
