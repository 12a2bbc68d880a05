package search

import (
	"math"
	"unicode/utf8"
)

// The minimum number of letters of a word for one and for two typos: a short word is too often
// another word with a typo.
const (
	typoLetters  = 4
	typosLetters = 8
)

// maxMisspelt is the number of words of a query that are checked for typos. Each needs a
// walk through the terms.
const maxMisspelt = 8

// corrections returns the terms that a word may be a misspelling of. Function words are
// excluded on both sides: they are rarely misspelt, and rarely meant by an unknown word.
func (s *searching) corrections(word string) (found []expansion) {
	n, w := utf8.RuneCountInString(word), s.weights
	if w.typo == 0 || n < typoLetters || w.function && s.function[word] || s.misspelt == maxMisspelt {
		return nil
	}
	s.misspelt++
	if n > maxTypoLetters {
		return nil
	}
	limit := 1
	if n >= typosLetters {
		limit = 2
	}
	near(s.Index.terms, s.overlaps(), word, limit, func(term, distance int) {
		switch {
		case w.function && s.function[s.Index.terms[term]]:
		case distance > 1:
			found = append(found, expansion{term, w.typos})
		default:
			found = append(found, expansion{term, w.typo})
		}
	})
	return found
}

// maxTypoLetters is the length of the longest word that is checked for typos.
const maxTypoLetters = 64

// walk finds the terms that are close to a word. Terms are sorted, so terms with a common
// beginning are adjacent: the distances of the beginning are computed once, and if it is
// too far away, all terms with it are skipped. The overlaps say how long the common
// beginnings are, so most terms are not even read. Comparing with each term takes ten times
// as long: several milliseconds if there are 20,000.
type walk struct {
	word []rune
	term []rune
	ends []int // ends[d] is the end of the first d letters of term, in bytes
	// rows[d] are the distances between the first d letters of the term and the first
	// 0, 1, 2, … letters of the word.
	rows [][]uint8
}

// near visits the terms at a distance from 1 to limit: the number of letters that must be
// added, omitted, replaced or swapped with their neighbour.
func near(terms []string, overlaps []uint8, word string, limit int, visit func(term, distance int)) {
	w := walk{word: []rune(word), ends: []int{0}}
	w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	for j := range w.rows[0] {
		w.rows[0][j] = uint8(min(j, limit+1))
	}
	for i := 0; i < len(terms); {
		if w.follow(terms[i], int(overlaps[i]), limit) {
			if distance := w.distance(limit); 0 < distance && distance <= limit {
				visit(i, distance)
			}
			i++
			continue
		}
		far := w.ends[len(w.term)]
		i++
		for i < len(terms) && int(overlaps[i]) >= far {
			i++
		}
	}
}

// follow computes the rows of the next term, and reports whether it can be close. If not,
// it stops after the letters that decide so. The term begins with the first bytes of the
// one before, as many as overlap says.
func (w *walk) follow(term string, overlap, limit int) bool {
	depth := len(w.term)
	for w.ends[depth] > overlap {
		depth--
	}
	w.term, w.ends = w.term[:depth], w.ends[:depth+1]
	for at := w.ends[depth]; at < len(term); {
		r, size := utf8.DecodeRuneInString(term[at:])
		at += size
		w.term, w.ends = append(w.term, r), append(w.ends, at)
		if !w.row(limit) {
			return false
		}
	}
	return true
}

// distance returns the distance of the whole term, or more than the limit.
func (w *walk) distance(limit int) int {
	if len(w.term)+limit < len(w.word) {
		return limit + 1 // the last row is not computed that far
	}
	return int(w.rows[len(w.term)][len(w.word)])
}

// row computes the row of the last letter of the term and reports whether any distance in
// it is within the limit. It omits columns that are further from the diagonal than that.
func (w *walk) row(limit int) bool {
	depth, m := len(w.term), len(w.word)
	if len(w.rows) <= depth {
		w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	}
	above, row := w.rows[depth-1], w.rows[depth]
	far := uint8(limit + 1)
	first, last := max(0, depth-limit), min(m, depth+limit)
	if first > m {
		return false
	}
	if first > 0 {
		row[first-1] = far
	}
	if last < m {
		row[last+1] = far
	}
	letter := w.term[depth-1]
	nearest := far
	for j := first; j <= last; j++ {
		if j == 0 {
			row[0] = uint8(min(depth, int(far)))
		} else {
			best := min(above[j], row[j-1], above[j-1]) + 1
			if w.word[j-1] == letter {
				best = min(best, above[j-1])
			}
			if j > 1 && depth > 1 && w.word[j-2] == letter && w.word[j-1] == w.term[depth-2] {
				best = min(best, w.rows[depth-2][j-2]+1)
			}
			row[j] = min(best, far)
		}
		nearest = min(nearest, row[j])
	}
	return nearest < far
}

// overlaps returns how many bytes at the beginning of each term are those of the term
// before it, up to 255.
func overlaps(terms []string) []uint8 {
	list := make([]uint8, len(terms))
	for i := 1; i < len(terms); i++ {
		list[i] = uint8(min(common(terms[i-1], terms[i]), math.MaxUint8))
	}
	return list
}
