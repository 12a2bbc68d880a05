package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folder converts words to the form in which they are compared: NFKC, case folded, without
// hyphens and invisible characters, and without the diacritics of Latin, Greek and
// Cyrillic and the points of Arabic and Hebrew, which people often omit. It reuses its
// buffers.
type folder struct {
	a, b []byte
	norm norm.Iter
}

// fold returns the term of a word, which is empty if all of it is invisible. It is valid
// until the next call.
func (f *folder) fold(word string) []byte {
	f.a = f.a[:0]
	for i := range len(word) {
		c := word[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		default:
			return f.unicode(word)
		}
		f.a = append(f.a, c)
	}
	return f.a
}

// unicode folds any word: it decomposes it, folds the case, drops marks and composes the
// rest.
func (f *folder) unicode(word string) []byte {
	// A reused iterator does not allocate; the functions of norm do.
	f.norm.InitString(norm.NFKD, word)
	f.a = f.normal(f.a[:0])
	f.b = foldCase(f.b, f.a)
	f.a = f.a[:0]
	bare := false // the previous letter is of a script without marks
	for i := 0; i < len(f.b); {
		r, size := utf8.DecodeRune(f.b[i:])
		i += size
		switch {
		case invisible(r), r == '-', r == '\u2010': // NFKD turns U+2011 into U+2010
			continue
		case unicode.Is(unicode.Mn, r):
			if !bare {
				f.a = utf8.AppendRune(f.a, r)
			}
			continue
		}
		bare = r < 0x0530 || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew)
		if plain, ok := plainLetters[r]; ok {
			f.a = append(f.a, plain...)
			continue
		}
		f.a = utf8.AppendRune(f.a, cherokee(r))
	}
	f.norm.Init(norm.NFC, f.a)
	f.b = f.normal(f.b[:0])
	return f.b
}

// normal appends the normal form of the text in f.norm.
func (f *folder) normal(dst []byte) []byte {
	for !f.norm.Done() {
		dst = append(dst, f.norm.Next()...)
	}
	f.norm.InitString(norm.NFC, "") // release the text
	return dst
}

// plainLetters are Latin letters that people type without their stroke or as two letters,
// and that Unicode does not decompose.
var plainLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i",
}

// invisible reports whether a character is invisible, such as soft hyphens, joiners,
// direction marks and variation selectors, which come with copied text.
func invisible(r rune) bool {
	return r >= '\u00AD' && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// cherokee maps small Cherokee letters to capitals, as Unicode folds them. Package cases
// swaps the two.
func cherokee(r rune) rune {
	switch {
	case 0xAB70 <= r && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case 0x13F8 <= r && r <= 0x13FD:
		return r - 8
	}
	return r
}

// foldCase returns the folded text, in dst if it is large enough. Folding makes a text at
// most three times as long.
func foldCase(dst, text []byte) []byte {
	if need := 3*len(text) + utf8.UTFMax; cap(dst) < need {
		dst = make([]byte, need)
	}
	n, _, _ := cases.Fold().Transform(dst[:cap(dst)], text, true) // fails only for a short dst
	return dst[:n]
}
