package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/datachain-go/datachain/internal/ident"
)

// tokenizer splits text into terms. It reuses its buffers and must not be used
// concurrently.
type tokenizer struct {
	words *words.Iterator[string]
	fold  folder
	// offsets are the ends of the letters of a run, or the beginnings and ends of the
	// words of a compound.
	offsets []int
	// joined is set while a compound is visited as one word.
	joined bool
}

func newTokenizer() *tokenizer { return &tokenizer{words: words.FromString("")} }

// visitor is called with a term and its position in the text. The term is valid until the
// visitor returns.
type visitor func(term []byte, start, end int)

// template splits the text of a schema, in which {{variables}} are ignored.
func (t *tokenizer) template(text string, visit visitor) {
	for p := range ident.Pieces(text) {
		if !p.Placeholder {
			t.cut(p.Text, p.At, visit)
		}
	}
}

// cut splits text without variables that begins at an offset, by the rules of UAX 29.
func (t *tokenizer) cut(text string, base int, visit visitor) {
	w := t.words
	w.SetText(text)
	defer w.SetText("") // release the text
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

// compound visits the current word of t.words and those that hyphens join to it, and moves
// on. Several words are also one, "Wi-Fi" is also "wifi", which comes first, because the
// last word of a query may be unfinished.
func (t *tokenizer) compound(text string, base int, visit visitor) bool {
	w := t.words
	start, end := w.Start(), w.End()
	more := w.Next()
	if !more || !isHyphen(w.Value()) {
		t.word(text[start:end], base+start, visit)
		return more
	}
	t.offsets = append(t.offsets[:0], start, end)
	for more && isHyphen(w.Value()) {
		more = w.Next()
		if !more || unspaced(w.Value()) || !isWord(w.Value()) {
			break
		}
		end = w.End()
		t.offsets = append(t.offsets, w.Start(), end)
		more = w.Next()
	}
	if len(t.offsets) > 2 {
		t.joined = true
		t.word(text[start:end], base+start, func(term []byte, from, to int) {
			if strings.ContainsAny(text[from-base:to-base], "-\u2010\u2011") {
				visit(term, from, to)
			}
		})
		t.joined = false
	}
	for i := 0; i < len(t.offsets); i += 2 {
		t.word(text[t.offsets[i]:t.offsets[i+1]], base+t.offsets[i], visit)
	}
	return more
}

func isHyphen(segment string) bool {
	return segment == "-" || segment == "\u2010" || segment == "\u2011"
}

// word visits the terms of a word, which is split at apostrophes, so that "image" finds
// "l'image" and "people" finds "people's". Single letters beside an apostrophe are dropped.
func (t *tokenizer) word(word string, base int, visit visitor) {
	if !strings.Contains(word, "'") && !strings.Contains(word, "’") {
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

// visit visits the term of a piece of text, if it has one.
func (t *tokenizer) visit(piece string, start int, visit visitor) {
	if term := t.fold.fold(piece); len(term) > 0 {
		visit(term, start, start+len(piece))
	}
}

// run visits each pair of adjacent letters, or a single letter. Marks stay with the letter
// before them.
func (t *tokenizer) run(run string, base int, visit visitor) {
	t.offsets = t.offsets[:0]
	for i, r := range run {
		size := utf8.RuneLen(r)
		if n := len(t.offsets); n > 0 && isMark(r) {
			t.offsets[n-1] = i + size
			continue
		}
		t.offsets = append(t.offsets, i+size)
	}
	if len(t.offsets) == 1 {
		t.visit(run, base, visit)
		return
	}
	start := 0
	for i := 1; i < len(t.offsets); i++ {
		t.visit(run[start:t.offsets[i]], base+start, visit)
		start = t.offsets[i-1]
	}
}

// isMark reports whether a character belongs to the letter before it. The voiced sound
// marks of half-width Katakana are letters in Unicode and become marks in NFKC.
func isMark(r rune) bool { return unicode.In(r, unicode.M, unicode.Cf) || r == 'ﾞ' || r == 'ﾟ' }

// isWord reports whether a segment has a letter or a number.
func isWord(segment string) bool {
	return strings.ContainsFunc(segment, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// isLone reports whether a term is a single letter, with its marks, of a script without
// spaces.
func isLone(term string) bool {
	first, size := utf8.DecodeRuneInString(term)
	return isUnspaced(first) && !strings.ContainsFunc(term[size:], func(r rune) bool { return !isMark(r) })
}

var scriptsWithoutSpaces = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar,
}

// unspaced reports whether a segment is of a script without spaces.
func unspaced(segment string) bool {
	r, _ := utf8.DecodeRuneInString(segment)
	return isUnspaced(r)
}

func isUnspaced(r rune) bool {
	// The lowest of these scripts is Thai, at U+0E00. The long vowel mark is common to
	// the Japanese scripts, so Unicode assigns it to none.
	return r >= 0x0E00 && (unicode.In(r, scriptsWithoutSpaces...) || r == 'ー' || r == 'ｰ') &&
		(unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r))
}
