package search

import (
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// notations are the ids of entries that elements are mapped to, such as Art. 26(2), by their
// words. They are looked up when a query is run, so a stored index does not contain them.
type notations struct {
	// entries has what is mapped to an entry, and parts what is mapped to a part of it:
	// art 26 has the part art 26 2. Both are positions of elements, ascending, by the
	// words of the entry with spaces between them.
	entries, parts map[string][]uint32
}

// maxNotation is the number of words of the longest notation that is found.
const maxNotation = 16

// newNotations reads the mappings of a release.
func newNotations(r *taxonomy.Release) *notations {
	n := &notations{entries: make(map[string][]uint32), parts: make(map[string][]uint32)}
	tokens := newTokenizer()
	add := func(to map[string][]uint32, words string, element int) {
		if list := to[words]; len(list) == 0 || list[len(list)-1] != uint32(element) {
			to[words] = append(list, uint32(element))
		}
	}
	for i, e := range r.Elements() {
		for k := range e.Mappings {
			var words []byte
			tokens.cut(e.Mappings[k].ID, 0, func(term []byte, _, _ int) {
				switch {
				case tokens.joined:
					return
				case hasDigit(words):
					add(n.parts, string(words), i)
				}
				words = appendWord(words, term)
			})
			add(n.entries, string(words), i)
		}
	}
	return n
}

// appendWord appends a word to those of a notation: Article 26 is the same as Art. 26.
func appendWord(words, word []byte) []byte {
	if len(words) > 0 {
		words = append(words, ' ')
	}
	return append(words, prose.NotationWord(string(word))...)
}

// hasDigit reports whether some words have a digit, as those of most notations do: words
// without one are likely to be meant as words.
func hasDigit(words []byte) bool {
	return slices.ContainsFunc(words, func(c byte) bool { return '0' <= c && c <= '9' })
}

// addNotations adds a list of the elements that are mapped to entries that the query names:
// from left to right, the longest first. A query that is a notation also names its parts.
// What is mapped to an entry comes before all that only has words of the query, so the list
// contributes at least as much as the words can, and twice as much for the entry itself.
func (x *Index) addNotations(s *scratch) {
	n := x.notations()
	most := uint32(0) // that words contribute
	for i := range s.lists {
		largest := uint32(0)
		for _, b := range s.lists[i].blocks {
			largest = max(largest, s.lists[i].counts(b.max()))
		}
		most = min(most+largest, impactMask/2)
	}
	most = max(most, 1)
	found := false
	mark := func(elements []uint32, impact uint32) {
		if x.elements > len(s.best) {
			s.best, s.seen = make([]uint32, x.elements), make([]uint64, (x.elements+63)/64)
		}
		for _, e := range elements {
			s.seen[e/64] |= 1 << (e % 64)
			s.best[e] = max(s.best[e], impact)
			found = true
		}
	}
	for i := 0; i < len(s.order); i++ {
		var ends [maxNotation]int // of the words in s.form
		words := 0
		s.form = s.form[:0]
		for _, term := range s.order[i:min(len(s.order), i+maxNotation)] {
			if term < 0 {
				break
			}
			s.form = appendWord(s.form, s.terms.term(int(term)))
			ends[words] = len(s.form)
			words++
		}
		if words == len(s.order) {
			mark(n.parts[string(s.form)], most)
		}
		for ; words > 0; words-- {
			name := s.form[:ends[words-1]]
			if words == len(s.order) || words > 1 && hasDigit(name) {
				if elements := n.entries[string(name)]; len(elements) > 0 {
					mark(elements, 2*most)
					i += words - 1
					break
				}
			}
		}
	}
	if found {
		s.lists = append(s.lists, s.collect())
	}
}
