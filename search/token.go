package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// tokenizer cuts text into terms. Its buffers are reused, so it is for one
// goroutine at a time.
type tokenizer struct {
	words *words.Iterator[string]
	fold  folder
	// ends is where the letters of a run end, for bigrams, or where the words
	// of a compound begin and end.
	ends []int
}

func newTokenizer() *tokenizer { return &tokenizer{words: words.FromString("")} }

// visitor takes a term and where it stands in the text. The term is valid until
// the visitor returns.
type visitor func(term []byte, start, end int)

// template cuts the text of a schema, in which {{variables}} are no words. What
// stands between the braces has none, as where source is linted.
func (t *tokenizer) template(text string, visit visitor) {
	base := 0 // where text begins that has not been cut
	for at := 0; ; {
		open := strings.Index(text[at:], "{{")
		if open < 0 {
			break
		}
		open += at
		inner := open + len("{{")
		length := strings.IndexAny(text[inner:], "{}")
		switch {
		case length < 0:
			at = len(text)
		case length == 0 && text[inner] == '{':
			at = open + 1 // of {{{ the last two count
		case strings.HasPrefix(text[inner+length:], "}}"):
			t.cut(text[base:open], base, visit)
			base = inner + length + len("}}")
			at = base
		default:
			at = inner + length
		}
	}
	t.cut(text[base:], base, visit)
}

// cut cuts text without variables that begins at an offset: into words as Unicode
// has them (UAX 29), and into pairs of letters where words are not set apart by
// spaces. No rule of Unicode looks across a space, so that what stands between two
// can be cut by itself: most of it are plain words, for which there is a short way.
func (t *tokenizer) cut(text string, base int, visit visitor) {
	for at := 0; ; {
		at = t.plain(text, at, base, visit)
		if at == len(text) {
			break
		}
		end := len(text)
		// From the next byte on: marks may belong to the space that at stands at.
		if i := strings.IndexByte(text[at+1:], ' '); i >= 0 {
			end = at + 1 + i
		}
		t.segments(text[at:end], base+at, visit)
		at = end
	}
	t.words.SetText("") // a tokenizer is kept, the text need not be
}

// plain visits the words from a place on that are nothing but ASCII letters and
// digits, and end with the text, at a space, or at a punctuation mark before one of
// these. It returns the place of the first that is not, or of the space before it.
func (t *tokenizer) plain(text string, at, base int, visit visitor) int {
	for at < len(text) {
		if text[at] == ' ' {
			if at+1 < len(text) && text[at+1] >= utf8.RuneSelf {
				return at
			}
			at++
			continue
		}
		term := t.fold.plain(text[at:])
		end := at + len(term)
		next := end
		if next < len(text) && strings.IndexByte(".,;:!?", text[next]) >= 0 {
			next++
		}
		if len(term) == 0 || next < len(text) && text[next] != ' ' {
			return at
		}
		visit(term, base+at, base+end)
		at = next
	}
	return at
}

// segments cuts any text.
func (t *tokenizer) segments(text string, base int, visit visitor) {
	w := t.words
	w.SetText(text)
	for more := w.Next(); more; {
		start, end := w.Start(), w.End()
		switch {
		case unspaced(text[start:end]):
			for more = w.Next(); more && unspaced(w.Value()); more = w.Next() {
				end = w.End()
			}
			t.run(text[start:end], base+start, visit)
		case isWord(text[start:end]):
			more = t.compound(text, base, visit)
		default:
			more = w.Next()
		}
	}
}

// compound visits the word that t.words stands at, with those that hyphens join
// to it, and goes on to what follows. Several are also one, "Wi-Fi" also "wifi",
// which comes first: the last word of a query is the one that may be unfinished.
func (t *tokenizer) compound(text string, base int, visit visitor) bool {
	w := t.words
	start, end := w.Start(), w.End()
	more := w.Next()
	if !more || hyphen(text[end:]) == 0 {
		t.word(text[start:end], base+start, visit)
		return more
	}
	t.ends = append(t.ends[:0], start, end)
	for more && hyphen(w.Value()) == len(w.Value()) {
		more = w.Next()
		if !more || unspaced(w.Value()) || !isWord(w.Value()) {
			break
		}
		end = w.End()
		t.ends = append(t.ends, w.Start(), end)
		more = w.Next()
	}
	if len(t.ends) > 2 {
		t.word(text[start:end], base+start, func(term []byte, from, to int) {
			if hyphenated(text[from-base : to-base]) {
				visit(term, from, to)
			}
		})
	}
	for i := 0; i < len(t.ends); i += 2 {
		t.word(text[t.ends[i]:t.ends[i+1]], base+t.ends[i], visit)
	}
	return more
}

// hyphen returns the length of the hyphen that a text begins with, or 0.
func hyphen(text string) int {
	switch {
	case strings.HasPrefix(text, "-"):
		return len("-")
	case strings.HasPrefix(text, "\u2010"), strings.HasPrefix(text, "\u2011"):
		return len("\u2010")
	}
	return 0
}

func hyphenated(text string) bool { return strings.ContainsAny(text, "-\u2010\u2011") }

// word visits the terms of a word: it ends at an apostrophe, so that "l'image"
// and "people's" are found by "image" and "people". Of what an apostrophe cuts
// off, single letters are no terms.
func (t *tokenizer) word(word string, base int, visit visitor) {
	if !apostrophe(word) {
		t.visit(word, base, visit)
		return
	}
	for start := 0; start < len(word); {
		end, size := len(word), 0
		if i := strings.IndexAny(word[start:], "'’"); i >= 0 {
			end = start + i
			_, size = utf8.DecodeRuneInString(word[end:])
		}
		if piece := word[start:end]; utf8.RuneCountInString(piece) > 1 {
			t.visit(piece, base+start, visit)
		}
		start = end + size
	}
}

// apostrophe reports whether a word has an apostrophe. Most have not even the
// first byte of one, which is seen far faster.
func apostrophe(word string) bool {
	for i := range len(word) {
		if c := word[i]; c == '\'' || c == "’"[0] {
			return strings.ContainsAny(word[i:], "'’")
		}
	}
	return false
}

// visit visits the term of a piece of text, if there is one.
func (t *tokenizer) visit(piece string, start int, visit visitor) {
	if term := t.fold.fold(piece); len(term) > 0 {
		visit(term, start, start+len(piece))
	}
}

// run visits each pair of neighbouring letters, or the only one there is. Marks
// stay with the letter before them.
func (t *tokenizer) run(run string, base int, visit visitor) {
	t.ends = t.ends[:0]
	for i, r := range run {
		size := utf8.RuneLen(r)
		if n := len(t.ends); n > 0 && isMark(r) {
			t.ends[n-1] = i + size
			continue
		}
		t.ends = append(t.ends, i+size)
	}
	if len(t.ends) == 1 {
		t.visit(run, base, visit)
		return
	}
	start := 0
	for i := 1; i < len(t.ends); i++ {
		t.visit(run[start:t.ends[i]], base+start, visit)
		start = t.ends[i-1]
	}
}

// isMark reports whether a character belongs to the letter before it. The voice
// marks of half-width Katakana are letters to Unicode, and become marks in NFKC.
func isMark(r rune) bool { return unicode.In(r, unicode.M, unicode.Cf) || r == 'ﾞ' || r == 'ﾟ' }

// isWord reports whether a segment is more than space and punctuation.
func isWord(segment string) bool {
	for i := range len(segment) {
		if c := segment[i]; 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			return true
		}
	}
	return strings.ContainsFunc(segment, func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsNumber(r))
	})
}

// isLone reports whether a term is one letter, with its marks, of a script that
// sets no spaces.
func isLone(term []byte) bool {
	if term[0] < utf8.RuneSelf {
		return false
	}
	first, size := utf8.DecodeRune(term)
	for rest := term[size:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if !isMark(r) {
			return false
		}
		rest = rest[size:]
	}
	return isUnspaced(first)
}

// scripts without spaces between words.
var scriptsWithoutSpaces = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar,
}

// unspaced reports whether a segment is of a script that sets no spaces.
func unspaced(segment string) bool {
	if segment[0] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(segment)
	return isUnspaced(r)
}

func isUnspaced(r rune) bool {
	// The lowest of these scripts is Thai, at U+0E00. The long vowel mark is
	// common to the Japanese scripts, and so of none.
	return r >= 0x0E00 && (unicode.In(r, scriptsWithoutSpaces...) || r == 'ー' || r == 'ｰ') &&
		(unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r))
}
