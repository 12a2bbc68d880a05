package similar

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Related returns at most limit names that may be meant, the likeliest first: those of
// [AllNearest] or, if there are none, those that share the most words with what was
// written. Words are separated by punctuation, so ai_purpose is related to purpose.ai, and
// safety to purpose.public-safety. Since names often begin with their group, a name is
// related if it has all the words, or a rare word that is not the first of both.
//
// It reads known up to three times.
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
	score  int // how many of the words each of names has
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

// consider adds a name if it is related, and shares at least as many words as the names so
// far.
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

// hasRareWord reports whether few names have one of the words.
func (r *relatives) hasRareWord(has uint) bool {
	for ; has != 0; has &= has - 1 {
		if r.common[bits.TrailingZeros(has)] <= r.limit {
			return true
		}
	}
	return false
}
