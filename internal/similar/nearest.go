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

// Matcher compares names with what was written, and reuses its memory.
type Matcher struct {
	written []rune
	limit   int // the maximum number of edits that counts as a typo

	name []rune
	rows [3][]int // of the table of distances: the current one and the two before
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

// edits computes the optimal string alignment distance, row by row of the table of distances
// of beginnings. Cells further than the limit from the diagonal are beyond it.
func (m *Matcher) edits(a, b []rune) int {
	beyond := m.limit + 1
	for k := range m.rows {
		m.rows[k] = append(m.rows[k][:0], make([]int, len(b)+2)...)
	}
	before, last, row := m.rows[0], m.rows[1], m.rows[2]
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-m.limit), min(len(b), i+m.limit)
		row[from-1] = beyond
		if from == 1 {
			row[0] = i
		}
		nearest := row[from-1]
		for j := from; j <= to; j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d = 1 + min(d, last[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			nearest = min(nearest, d)
		}
		if nearest > m.limit { // as all rows below are
			return beyond
		}
		row[to+1] = beyond
		before, last, row = last, row, before
	}
	return last[len(b)]
}
