package search

import "unicode/utf8"

// maxTypoLetters is the longest word in which typos are looked for.
const maxTypoLetters = 64

// walk goes through a dictionary for terms near a word. Terms are sorted, so
// those with a common beginning follow one another: what has been computed for
// the beginning of one serves the next, and where a beginning is too far away
// already, all that have it are left out.
type walk struct {
	word []rune
	term []rune
	ends []int // where each letter of term ends, in bytes
	// rows[d] is the distances between the first d letters of the term and
	// the first 0, 1, 2, … letters of the word.
	rows [][]uint8
}

// near visits the terms at a distance of 1 to limit from the word: how many
// letters have to be added, left out, replaced or swapped with their neighbour.
func (w *walk) near(d *dictionary, word []byte, limit int, visit func(term, distance int)) {
	if len(word) > maxTypoLetters*utf8.UTFMax || letters(word) > maxTypoLetters {
		return
	}
	w.begin(word, limit)
	var previous []byte
	for i := 0; i < d.len(); {
		term := d.term(i)
		if w.follow(previous, term, limit) {
			if distance := w.distance(limit); 0 < distance && distance <= limit {
				visit(i, distance)
			}
			i++
		} else {
			i = d.skip(i, term[:w.end()])
		}
		previous = term
	}
}

// begin prepares for a word.
func (w *walk) begin(word []byte, limit int) {
	w.word, w.term, w.ends = w.word[:0], w.term[:0], w.ends[:0]
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		w.word = append(w.word, r)
		word = word[size:]
	}
	if len(w.rows) == 0 {
		w.rows = append(w.rows, make([]uint8, maxTypoLetters+1))
	}
	for j := range w.rows[0] {
		w.rows[0][j] = uint8(min(j, limit+1))
	}
}

// follow brings the rows to the next term, and reports whether it, or another
// with what has been looked at of it, can be near. If not, w.ends ends there.
func (w *walk) follow(previous, term []byte, limit int) bool {
	common := 0
	for common < len(previous) && common < len(term) && previous[common] == term[common] {
		common++
	}
	depth := len(w.ends)
	for depth > 0 && w.ends[depth-1] > common {
		depth--
	}
	w.term, w.ends = w.term[:depth], w.ends[:depth]
	for at := w.end(); at < len(term); at = w.end() {
		r, size := utf8.DecodeRune(term[at:])
		w.term, w.ends = append(w.term, r), append(w.ends, at+size)
		if !w.row(limit) {
			return false
		}
	}
	return true
}

// distance returns that of the whole term, or more than the limit.
func (w *walk) distance(limit int) int {
	if len(w.term)+limit < len(w.word) {
		return limit + 1 // the last row does not reach that far
	}
	return int(w.rows[len(w.term)][len(w.word)])
}

// end returns where what has been looked at of the term ends, in bytes.
func (w *walk) end() int {
	if len(w.ends) == 0 {
		return 0
	}
	return w.ends[len(w.ends)-1]
}

// row computes the row of the last letter of the term, and reports whether any
// distance in it is within the limit. Columns that are further from the diagonal
// than the limit cannot be.
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
			best := min(above[j], row[j-1]) + 1
			if w.word[j-1] == letter {
				best = min(best, above[j-1])
			} else {
				best = min(best, above[j-1]+1)
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
