// Package similar finds the known names that a misspelled one probably means.
package similar

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest returns the known name nearest to what was written, or "" if none is near
// or two are equally near.
func Nearest(written string, known iter.Seq[string]) string {
	m := nameMatcher(written)
	if m == nil {
		return ""
	}
	best, tie := "", false
	for name := range known {
		switch d := m.Distance(name); {
		case d > m.limit || name == best:
		case best != "" && d == m.limit:
			tie = true
		default:
			best, tie, m.limit = name, false, d
		}
	}
	if tie {
		return ""
	}
	return best
}

// AllNearest returns at most limit near names, the nearest first.
func AllNearest(written string, known iter.Seq[string], limit int) []string {
	type candidate struct {
		name     string
		distance int
	}
	m := nameMatcher(written)
	if m == nil {
		return nil
	}
	var found []candidate
	for name := range known {
		if d := m.Distance(name); d <= m.limit {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	found = slices.Compact(found)
	var names []string
	for _, c := range found[:min(len(found), max(limit, 0))] {
		names = append(names, c.name)
	}
	return names
}

// maxName bounds the cost of a hostile name. Nothing is near to a longer one.
const maxName = 256

// Matcher compares names with what was written, and reuses its memory. A release can have
// 100,000 names and a document hundreds of misspelled ones, so it computes the edit distance
// with bit vectors: for names of 22 characters that takes a twelfth of the time of a table of
// distances.
type Matcher struct {
	written []rune
	limit   int // the maximum number of edits that counts as a typo

	name  []rune
	ascii [utf8.RuneSelf]uint64
}

// NewMatcher returns a matcher that finds distances up to a limit.
func NewMatcher(written string, limit int) *Matcher {
	return &Matcher{written: appendLower(nil, written), limit: limit}
}

// nameMatcher returns the matcher for a name, or nil if no name can be near.
func nameMatcher(written string) *Matcher {
	n := utf8.RuneCountInString(written)
	if n == 0 || n > maxName {
		return nil
	}
	return NewMatcher(written, min(max(n/3, 1), 4))
}

func appendLower(dst []rune, s string) []rune {
	for _, r := range s {
		if r < utf8.RuneSelf { // nearly always
			r = rune(lower(byte(r)))
		} else {
			r = unicode.ToLower(r)
		}
		dst = append(dst, r)
	}
	return dst
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Distance returns the number of insertions, deletions, substitutions and swaps
// of neighbours that turn what was written into a name, ignoring case. Beyond the
// limit it returns any number above it.
func (m *Matcher) Distance(name string) int {
	// Most names are too short or too long, whether characters have one byte or four.
	if len(name) < len(m.written)-m.limit || len(name) > (len(m.written)+m.limit)*utf8.UTFMax {
		return m.limit + 1
	}
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
// characters of a at once: bit i of a word belongs to a[i]. The words say where
// the distance grows or shrinks by one from a[i-1] to a[i], and from one
// character of b to the next (Hyyrö, A bit-vector algorithm for computing
// Levenshtein and Damerau edit distances, 2003).
func (m *Matcher) edits(a, b []rune) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case len(a) > wordSize: // typos are not that far apart
		return m.limit + 1
	}
	for i, c := range a {
		if c < utf8.RuneSelf {
			m.ascii[c] |= 1 << i
		}
	}
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
		if distance-(len(b)-1-j) > m.limit { // each remaining character takes back at most one
			return m.limit + 1
		}
		up, down = up<<1|1, down<<1
		grows, shrinks = down|^(diagonal|up), up&diagonal
		before = same
	}
	return distance
}

const wordSize = 64

func (m *Matcher) forget(a []rune) {
	for _, c := range a {
		if c < utf8.RuneSelf {
			m.ascii[c] = 0
		}
	}
}

// places returns where a has the character c.
func (m *Matcher) places(a []rune, c rune) (places uint64) {
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
