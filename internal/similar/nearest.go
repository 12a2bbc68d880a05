// Package similar finds the known names that a misspelled one probably means.
package similar

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest returns the known name nearest to what was written, or "" if none is near
// or two are equally near.
func Nearest(written string, known iter.Seq[string]) string {
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
			best, tie, m.limit = name, false, d
		}
	}
	if tie {
		return ""
	}
	return best
}

// AllNearest returns the near names, the nearest first, at most limit of them.
func AllNearest(written string, known iter.Seq[string], limit int) []string {
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
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	found = slices.Compact(found)
	var names []string
	for _, c := range found[:min(len(found), max(limit, 0))] {
		names = append(names, c.name)
	}
	return names
}

// maxName bounds the cost of a hostile name. Longer names have no near ones.
const maxName = 256

// matcher compares names with what was written. It reuses its memory from one name to the
// next. A release can have 100,000 names and a document hundreds of misspelled ones, so the
// edit distance is computed with bit vectors: measured on names of 22 characters, that takes
// a twelfth of the time of a table of distances.
type matcher struct {
	written []rune
	limit   int // the most edits that still look like a typo

	name  []rune
	ascii [utf8.RuneSelf]uint64
}

// newMatcher reports false if no name can be near.
func newMatcher(written string) (*matcher, bool) {
	n := utf8.RuneCountInString(written)
	if n == 0 || n > maxName {
		return nil, false
	}
	return &matcher{written: appendLower(nil, written), limit: min(max(n/3, 1), 4)}, true
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

// distance returns the number of insertions, deletions, substitutions and swaps
// of neighbours that turn what was written into a name, ignoring case. Beyond the
// limit it returns any number above it.
func (m *matcher) distance(name string) int {
	// Most names are too short or too long, even if all characters have four bytes.
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
func (m *matcher) edits(a, b []rune) int {
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

func (m *matcher) forget(a []rune) {
	for _, c := range a {
		if c < utf8.RuneSelf {
			m.ascii[c] = 0
		}
	}
}

// places returns where a has the character c.
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

// Related returns at most limit names that were possibly meant, the likeliest
// first: those of [AllNearest] or, if there are none, those that share the most words
// with what was written. Words are separated by punctuation, so ai_purpose is
// related to purpose.ai, and safety to purpose.public-safety. Names often begin
// with the group that they belong to, so a name is related if it has all the
// words, or a word after the first that few names have.
//
// Known is read up to three times.
func Related(written string, known iter.Seq[string], limit int) []string {
	if near := AllNearest(written, known, limit); len(near) > 0 {
		return near
	}
	wanted := words(written)
	if len(wanted) == 0 || len(written) > maxName {
		return nil
	}
	found := relatives{limit: limit, wanted: wanted, common: make([]int, len(wanted))}
	for name := range known {
		found.count(name)
	}
	for name := range known {
		found.consider(name)
	}
	return found.names
}

// maxWords is how many words of a name count.
const maxWords = 16

// words returns the different words of a name.
func words(name string) []string {
	var list []string
	for word := range split(name) {
		if len(list) < maxWords && !slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(w, word) }) {
			list = append(list, word)
		}
	}
	return list
}

// split yields the words of a name.
func split(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start := 0; start < len(name); {
			end := start
			for end < len(name) && !punctuation(name[end]) {
				end++
			}
			if end > start && !yield(name[start:end]) {
				return
			}
			start = end + 1
		}
	}
}

func punctuation(c byte) bool {
	return c == '.' || c == '_' || c == '-' || c == ' ' || c == '/' || c == ':'
}

// sameWord reports whether two words are the same except for case and an ending.
func sameWord(a, b string) bool {
	if (a[0]|b[0]) < utf8.RuneSelf && lower(a[0]) != lower(b[0]) { // nearly always
		return false
	}
	const stem, ending = 4, 3 // the shortest stem, the longest ending
	if n := min(len(a), len(b)); n >= stem && max(len(a), len(b)) <= n+ending {
		a, b = a[:n], b[:n]
	}
	return strings.EqualFold(a, b)
}

// relatives collects related names.
type relatives struct {
	limit  int
	wanted []string // the words
	common []int    // how many names have each of them
	names  []string
	score  int // how many of the words each of the names has
}

// shared returns the wanted words that a name has, one bit each, and those among
// them that are not the first word of both.
func (r *relatives) shared(name string) (has, inside uint) {
	if len(name) > maxName {
		return 0, 0
	}
	n := 0
	for word := range split(name) {
		for i, w := range r.wanted {
			if !sameWord(word, w) {
				continue
			}
			has |= 1 << i
			if i > 0 || n > 0 {
				inside |= 1 << i
			}
		}
		if n++; n == maxWords {
			break
		}
	}
	return has, inside
}

func (r *relatives) count(name string) {
	for has, _ := r.shared(name); has != 0; has &= has - 1 {
		r.common[bits.TrailingZeros(has)]++
	}
}

// consider adds a name if it is related, and no less than the names before it.
func (r *relatives) consider(name string) {
	has, inside := r.shared(name)
	score := bits.OnesCount(has)
	if score < r.score || score < len(r.wanted) && !r.hasRareWord(inside) {
		return
	}
	if score > r.score {
		r.names, r.score = nil, score
	}
	if len(r.names) < r.limit && !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

// hasRareWord reports whether one of the words is rare.
func (r *relatives) hasRareWord(has uint) bool {
	for ; has != 0; has &= has - 1 {
		if r.common[bits.TrailingZeros(has)] <= r.limit {
			return true
		}
	}
	return false
}
