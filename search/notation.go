package search

import (
	"strings"

	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/taxonomy"
)

// notations are the ids of entries that elements are mapped to, such as Art. 26(2), by their
// words. They are looked up when a query is run.
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
			words := ""
			tokens.cut(e.Mappings[k].ID, 0, func(term []byte, _, _ int) {
				switch {
				case tokens.joined:
					return
				case hasDigit(words):
					add(n.parts, words, i)
				}
				words = withWord(words, string(term))
			})
			add(n.entries, words, i)
		}
	}
	return n
}

// withWord appends a word to those of a notation: Article 26 is the same as Art. 26.
func withWord(words, word string) string {
	if words != "" {
		words += " "
	}
	return words + notation.Word(word)
}

// hasDigit reports whether some words have a digit, as those of most notations do: words
// without one are likely to be meant as words.
func hasDigit(words string) bool { return strings.ContainsAny(words, "0123456789") }

// addNotations adds to the scores of elements that are mapped to entries that the query
// names: from left to right, the longest first. A query that is a notation also names its
// parts. What is mapped to an entry comes before all that only has words of the query, so it
// gets at least as much as the words can contribute, and twice as much for the entry itself.
func (s *searching) addNotations(scores []uint32) {
	n := s.notations()
	most := uint32(0) // that words contribute
	for _, l := range s.lists {
		largest := uint32(0)
		for _, p := range l.postings {
			largest = max(largest, l.counts(p))
		}
		most += largest
	}
	most = max(most, 1)
	named := make(map[uint32]uint32) // what elements get
	name := func(elements []uint32, counts uint32) {
		for _, e := range elements {
			named[e] = max(named[e], counts)
		}
	}
	for i := 0; i < len(s.order); i++ {
		var names []string // of one word, of two, …
		for _, term := range s.order[i:min(len(s.order), i+maxNotation)] {
			if term < 0 {
				break
			}
			before := ""
			if len(names) > 0 {
				before = names[len(names)-1]
			}
			names = append(names, withWord(before, s.terms[term]))
		}
		if len(names) == len(s.order) {
			name(n.parts[names[len(names)-1]], most)
		}
		for words := len(names); words > 0; words-- {
			if words == len(s.order) || words > 1 && hasDigit(names[words-1]) {
				if elements := n.entries[names[words-1]]; len(elements) > 0 {
					name(elements, 2*most)
					i += words - 1
					break
				}
			}
		}
	}
	for e, counts := range named {
		scores[e] += counts
	}
}
