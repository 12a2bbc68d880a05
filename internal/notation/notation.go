// Package notation compares notations of laws, such as Art. 5(1)(a).
package notation

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// notationWords are the names of the parts of laws in several languages, and the word by which
// they are compared.
var notationWords = map[string]string{
	"article": "art", "articles": "art", "arts": "art", "artikel": "art", "artículo": "art", "articulo": "art", "articolo": "art", "§": "art",
	"recitals": "recital", "considérant": "recital", "considerant": "recital", "considerando": "recital", "erwägungsgrund": "recital", "erwagungsgrund": "recital",
	"annexe": "annex", "annexes": "annex", "anhang": "annex", "anexo": "annex", "allegato": "annex",
}

// Same reports whether two notations name the same entry of a scheme, as Art. 26 and
// Article 26 do.
func Same(a, b string) bool {
	return strings.EqualFold(a, b) || Compare(a, b) == 0
}

// Compare compares notations in the order of laws: recitals, articles, annexes.
// Other words are in alphabetical order where articles are. Numbers are compared as numbers,
// and so are Roman ones of annexes.
func Compare(a, b string) int {
	x, y := notation(a), notation(b)
	if c := cmp.Compare(notationRank(x), notationRank(y)); c != 0 {
		return c
	}
	for i := range min(len(x), len(y)) {
		if c := comparePart(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

// notation cuts a notation into words, numbers without leading zeros, and signs.
func notation(s string) (parts []string) {
	s = strings.ToLower(s)
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		is := func(c rune) bool { return c == r }
		switch {
		case r == '.' || unicode.IsSpace(r): // Art. 5 is Art 5
			if len(parts) > 0 && isNumber(parts[len(parts)-1]) && r == '.' && len(s) > 1 && unicode.IsDigit(rune(s[1])) {
				parts = append(parts, ".")
			}
			s = s[size:]
			continue
		case unicode.IsDigit(r):
			is = unicode.IsDigit
		case unicode.IsLetter(r):
			is = unicode.IsLetter
		}
		rest := strings.TrimLeftFunc(s, is)
		part := s[:len(s)-len(rest)]
		part = cmp.Or(notationWords[part], part)
		if isNumber(part) {
			part = cmp.Or(strings.TrimLeft(part, "0"), "0")
		}
		if len(parts) == 1 && parts[0] == "annex" {
			part = roman(part)
		}
		parts, s = append(parts, part), rest
	}
	return parts
}

func isNumber(part string) bool { return part != "" && '0' <= part[0] && part[0] <= '9' }

func notationRank(parts []string) int {
	if len(parts) == 0 {
		return 1
	}
	switch parts[0] {
	case "recital":
		return 0
	case "annex":
		return 2
	}
	return 1
}

// comparePart compares numbers by their value, and puts them before words.
func comparePart(a, b string) int {
	if isNumber(a) && isNumber(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	return strings.Compare(a, b)
}

// roman returns a Roman number below 40 as digits, and other words as they are.
func roman(word string) string {
	values := map[rune]int{'i': 1, 'v': 5, 'x': 10}
	n, last := 0, 0
	for _, c := range word {
		v := values[c]
		if v == 0 {
			return word
		}
		if n += v; last < v {
			n -= 2 * last
		}
		last = v
	}
	return strconv.Itoa(n)
}
