package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folder brings words into the form in which they are compared: NFKC, case
// folded, without diacritics in Latin, Greek and Cyrillic, where people leave
// them out when they type, as the points of Arabic and Hebrew, and without hyphens
// and what can't be seen. It reuses its buffers.
type folder struct {
	a, b []byte
	norm norm.Iter
}

// fold returns the term of a word, which is empty where nothing of it can be
// seen. It is valid until the next call.
func (f *folder) fold(word string) []byte {
	f.a = f.a[:0]
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return f.unicode(word)
		}
		if c == '-' {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		f.a = append(f.a, c)
	}
	return f.a
}

// plain returns the term of the ASCII letters and digits that a text begins with.
func (f *folder) plain(text string) []byte {
	f.a = f.a[:0]
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		default:
			return f.a
		}
		f.a = append(f.a, c)
	}
	return f.a
}

// unicode folds what is not ASCII: it takes letters and marks apart, leaves out
// the marks, folds the case, and puts together what is left.
func (f *folder) unicode(word string) []byte {
	// An iterator that is kept allocates nothing; the functions of norm do.
	f.norm.InitString(norm.NFKD, word)
	f.a = f.normal(f.a[:0])
	f.b = foldCase(f.b, f.a)
	f.a = f.a[:0]
	bare := false // the letter before is of a script whose marks go
	for i := 0; i < len(f.b); {
		r, size := utf8.DecodeRune(f.b[i:])
		i += size
		switch {
		case invisible(r), r == '-', r == '\u2010': // U+2011 is a form of U+2010
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

// normal appends the normal form of what f.norm was given.
func (f *folder) normal(dst []byte) []byte {
	for !f.norm.Done() {
		dst = append(dst, f.norm.Next()...)
	}
	f.norm.InitString(norm.NFC, "") // a folder is kept, the text need not be
	return dst
}

// plainLetters are Latin letters that people type without their stroke, or as
// two, and that Unicode does not take apart.
var plainLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i",
}

// invisible reports whether nothing is drawn for a character: soft hyphens,
// joiners, marks of direction and selectors of a variant come with copied text,
// and nobody types them.
func invisible(r rune) bool {
	return r >= '\u00AD' && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// cherokee makes capitals of small Cherokee letters, which is how Unicode folds
// them. Package cases turns each into the other.
func cherokee(r rune) rune {
	switch {
	case 0xAB70 <= r && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case 0x13F8 <= r && r <= 0x13FD:
		return r - 8
	}
	return r
}

// foldCase appends the folded text to an empty dst. A folded text is longer than
// the text by a factor of three at most.
func foldCase(dst, text []byte) []byte {
	if need := 3*len(text) + utf8.UTFMax; cap(dst) < need {
		dst = make([]byte, need)
	}
	dst = dst[:cap(dst)]
	n, _, err := cases.Fold().Transform(dst, text, true)
	if err != nil {
		// It cannot be: dst is long enough. Words that stay as they are
		// still match themselves.
		return append(dst[:0], text...)
	}
	return dst[:n]
}
