package search

import (
	"slices"
	"strings"
	"sync"
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

// englishForms returns the singular of an English plural, the plural of a singular, and a number
// written in the other way. The rule for other forms misses them if a word is short, or if
// its end changes, as in party and parties.
func englishForms(word string) (forms []string) {
	if other, ok := numeralPairs()[word]; ok {
		return []string{other}
	}
	if len(word) < 2 {
		return nil
	}
	stem := word[:len(word)-1]
	switch ending(word) {
	case endsInY:
		forms = append(forms, stem+"ies")
	case endsInO:
		forms = append(forms, word+"s", word+"es")
	case endsInHiss:
		forms = append(forms, word+"es")
	default:
		forms = append(forms, word+"s")
	}
	if word[len(word)-1] != 's' {
		return forms
	}
	if kind := ending(stem); kind == endsInO || kind == endsPlainly {
		forms = append(forms, stem)
	}
	if stem, ok := strings.CutSuffix(stem, "e"); ok && (ending(stem) == endsInO || ending(stem) == endsInHiss) {
		forms = append(forms, stem)
	}
	if stem, ok := strings.CutSuffix(stem, "ie"); ok && ending(stem+"y") == endsInY {
		forms = append(forms, stem+"y")
	}
	return slices.DeleteFunc(forms, func(other string) bool { return len(other) < 2 })
}

// wordEnd is the end of an English word by the plural that it takes: -s, -ies instead of -y after a
// consonant, -s or -es after -o, and -es after a hissing sound.
type wordEnd int

const (
	endsPlainly wordEnd = iota
	endsInY
	endsInO
	endsInHiss
)

// ending returns how a word ends.
func ending(word string) wordEnd {
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
