package search

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// numerals are English numbers as words and in figures.
const numerals = `1st first 2nd second 3rd third 4th fourth 5th fifth 6th sixth 7th seventh 8th eighth
	9th ninth 10th tenth 11th eleventh 12th twelfth
	2 two 3 three 4 four 5 five 6 six 7 seven 8 eight 9 nine 10 ten 11 eleven 12 twelve`

// numeralPairs returns the other way to write each of the numerals.
var numeralPairs = sync.OnceValue(func() map[string]string {
	pairs := make(map[string]string)
	words := strings.Fields(numerals)
	for i := 0; i < len(words); i += 2 {
		pairs[words[i]], pairs[words[i+1]] = words[i+1], words[i]
	}
	return pairs
})

// isEnglish reports whether a locale is English.
func isEnglish(locale string) bool {
	tag, _ := language.Parse(locale) // an invalid tag has no language
	base, _, _ := tag.Raw()
	return base.String() == "en"
}

// number adds the singular of an English plural, the plural of a singular, and numbers
// written in the other way, if the dictionary has them. The rule for other forms misses them if a word is short, or if
// its end changes, as in party and parties. They are looked up when a query is run, so
// that an index is the same with and without them.
func (x *Index) number(s *scratch, d *dictionary, word []byte, weight uint32) {
	if weight == 0 || !x.english || x.function[string(word)] {
		return
	}
	if other, ok := numeralPairs()[string(word)]; ok {
		s.form = append(s.form[:0], other...)
		x.addForm(s, d, weight)
		return
	}
	if len(word) < 2 {
		return
	}
	form := func(stem []byte, end string) {
		if s.form = append(append(s.form[:0], stem...), end...); len(s.form) > 1 {
			x.addForm(s, d, weight)
		}
	}
	stem := word[:len(word)-1]
	switch ending(word) {
	case endsInY:
		form(stem, "ies")
	case endsInO:
		form(word, "s")
		form(word, "es")
	case endsInHiss:
		form(word, "es")
	default:
		form(word, "s")
	}
	if word[len(word)-1] != 's' {
		return
	}
	if kind := ending(stem); kind == endsInO || kind == endsPlainly {
		form(stem, "")
	}
	if stem, ok := bytes.CutSuffix(stem, []byte("e")); ok && (ending(stem) == endsInO || ending(stem) == endsInHiss) {
		form(stem, "")
	}
	if stem, ok := bytes.CutSuffix(stem, []byte("ie")); ok {
		s.form = append(append(s.form[:0], stem...), 'y')
		if ending(s.form) == endsInY {
			x.addForm(s, d, weight)
		}
	}
}

// The ends of English words by the plural that they take: -s, -ies instead of -y after a
// consonant, -s or -es after -o, and -es after a hissing sound.
type wordEnd int

const (
	endsPlainly wordEnd = iota
	endsInY
	endsInO
	endsInHiss
)

// ending returns how a word ends.
func ending(word []byte) wordEnd {
	n := len(word)
	if n == 0 {
		return endsPlainly
	}
	switch last := word[n-1]; {
	case last == 'y' && n > 1 && !strings.ContainsRune("aeiou", rune(word[n-2])):
		return endsInY
	case last == 'o':
		return endsInO
	case last == 's', last == 'x', last == 'z', last == 'h' && n > 1 && (word[n-2] == 'c' || word[n-2] == 's'):
		return endsInHiss
	}
	return endsPlainly
}

// addForm adds the term in s.form if it is in the dictionary and not a function word.
func (x *Index) addForm(s *scratch, d *dictionary, weight uint32) {
	if i, ok := d.find(s.form); ok && !x.function[string(s.form)] {
		s.expand(i, weight)
	}
}
