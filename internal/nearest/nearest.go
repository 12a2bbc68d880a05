// Package nearest finds the known name that somebody probably meant.
package nearest

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// One returns the known name nearest to what was written, or "" where none is
// near, or where two are equally near and so neither is a good guess.
func One(written string, known iter.Seq[string]) string {
	m, near := newMatcher(written)
	if !near {
		return ""
	}
	best, tie := "", false
	for name := range known {
		switch d := m.distance(name); {
		case d > m.limit || name == best:
		case best != "" && d == m.limit:
			tie = true
		default:
			// The next one must be as near at least.
			best, tie, m.limit = name, false, d
		}
	}
	if tie {
		return ""
	}
	return best
}

// All returns the near names, the nearest first, at most limit of them.
func All(written string, known iter.Seq[string], limit int) []string {
	type candidate struct {
		name     string
		distance int
	}
	m, near := newMatcher(written)
	if !near {
		return nil
	}
	var found []candidate
	for name := range known {
		if d := m.distance(name); d <= m.limit {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range slices.Compact(found) {
		if len(names) >= limit {
			break
		}
		names = append(names, c.name)
	}
	return names
}

// maxName keeps a hostile name from costing much: nobody means a longer one.
const maxName = 256

// matcher compares names with what was written. It keeps its memory from one
// name to the next: there may be very many.
type matcher struct {
	written []rune
	// limit is how many edits still look like a slip.
	limit int

	name  []rune
	ascii [utf8.RuneSelf]uint64
}

// newMatcher reports false where nothing can be near.
func newMatcher(written string) (*matcher, bool) {
	n := utf8.RuneCountInString(written)
	if n == 0 || n > maxName {
		return nil, false
	}
	m := &matcher{limit: min(max(n/3, 1), 4)} // a third of the length
	m.written = appendLower(nil, written)
	return m, true
}

func appendLower(dst []rune, s string) []rune {
	for _, r := range s {
		if r < utf8.RuneSelf { // as nearly all are
			dst = append(dst, rune(lower(byte(r))))
		} else {
			dst = append(dst, unicode.ToLower(r))
		}
	}
	return dst
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// distance is the number of insertions, deletions, substitutions and swaps of
// neighbours that turn what was written into a name without regard to case, or
// more than the limit where it is more.
func (m *matcher) distance(name string) int {
	// A character has up to four bytes, so most names fail here.
	if len(name) < len(m.written)-m.limit || len(name) > (len(m.written)+m.limit)*utf8.UTFMax {
		return m.limit + 1
	}
	// What both begin with need not be compared again.
	a := m.written
	for len(a) > 0 && len(name) > 0 && name[0] < utf8.RuneSelf && a[0] == rune(lower(name[0])) {
		a, name = a[1:], name[1:]
	}
	m.name = appendLower(m.name[:0], name)
	b := m.name
	if len(a)-len(b) > m.limit || len(b)-len(a) > m.limit {
		return m.limit + 1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return m.edits(a, b)
}

// edits computes the distance of two names that differ at both ends, for all
// characters of a at once: bit i of a word stands for a[i]. The words say where
// the distance grows or shrinks by one from a[i-1] to a[i], and from one
// character of b to the next (Hyyrö, A bit-vector algorithm for computing
// Levenshtein and Damerau edit distances, 2003).
func (m *matcher) edits(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case len(a) > wordSize: // slips so far apart are none
		return m.limit + 1
	}
	m.note(a)
	defer m.forget(a)
	var (
		grows, shrinks uint64 = ^uint64(0), 0 // along a
		diagonal       uint64                 // where the step along both costs nothing
		before         uint64                 // where a has the last character of b
		last           = uint64(1) << (len(a) - 1)
		distance       = len(a)
	)
	for j, c := range b {
		same := m.places(a, c)
		swapped := ((^diagonal & same) << 1) & before
		diagonal = (((same & grows) + grows) ^ grows) | same | shrinks | swapped
		up, down := shrinks|^(diagonal|grows), diagonal&grows // along b
		switch {
		case up&last != 0:
			distance++
		case down&last != 0:
			distance--
		}
		if distance-(len(b)-1-j) > m.limit { // each of the rest takes back one at most
			return m.limit + 1
		}
		up, down = up<<1|1, down<<1
		grows, shrinks = down|^(diagonal|up), up&diagonal
		before = same
	}
	return distance
}

const wordSize = 64

// note remembers where the characters of a are.
func (m *matcher) note(a []rune) {
	for i, c := range a {
		if c < utf8.RuneSelf {
			m.ascii[c] |= 1 << i
		}
	}
}

func (m *matcher) forget(a []rune) {
	for _, c := range a {
		if c < utf8.RuneSelf {
			m.ascii[c] = 0
		}
	}
}

// places returns where a has a character.
func (m *matcher) places(a []rune, c rune) (places uint64) {
	if c < utf8.RuneSelf {
		return m.ascii[c]
	}
	for i := range a {
		if a[i] == c {
			places |= 1 << i
		}
	}
	return places
}
