package search

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/taxonomy"
)

// tokenizer splits text into terms. It reuses its buffers and must not be used
// concurrently.
type tokenizer struct {
	words *words.Iterator[string]
	fold  folder
	// ends are the ends of the letters of a run, or the beginnings and ends of the
	// words of a compound.
	ends []int
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

// cut splits text without variables that begins at an offset. No rule of UAX 29 looks
// across a space, so the parts between spaces are independent; most are plain words, which
// have a fast path.
func (t *tokenizer) cut(text string, base int, visit visitor) {
	for at := 0; ; {
		at = t.plain(text, at, base, visit)
		if at == len(text) {
			break
		}
		end := len(text)
		// From the next byte on: marks may belong to the space at at.
		if i := strings.IndexByte(text[at+1:], ' '); i >= 0 {
			end = at + 1 + i
		}
		t.segments(text[at:end], base+at, visit)
		at = end
	}
	t.words.SetText("") // release the text
}

// plain visits words that consist of ASCII letters and digits and end at a space, at the
// end of the text, or at a punctuation mark before these. It returns the position of the
// first other word, or of the space before it.
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

// segments splits any text by the rules of UAX 29.
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
	t.ends = append(t.ends[:0], start, end)
	for more && isHyphen(w.Value()) {
		more = w.Next()
		if !more || unspaced(w.Value()) || !isWord(w.Value()) {
			break
		}
		end = w.End()
		t.ends = append(t.ends, w.Start(), end)
		more = w.Next()
	}
	if len(t.ends) > 2 {
		t.joined = true
		t.word(text[start:end], base+start, func(term []byte, from, to int) {
			if strings.ContainsAny(text[from-base:to-base], "-\u2010\u2011") {
				visit(term, from, to)
			}
		})
		t.joined = false
	}
	for i := 0; i < len(t.ends); i += 2 {
		t.word(text[t.ends[i]:t.ends[i+1]], base+t.ends[i], visit)
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
	if term := f.plain(word); len(term) == len(word) {
		return term
	}
	return f.unicode(word)
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

// functionWords are the grammatical words of each language: articles, pronouns,
// auxiliaries, prepositions, conjunctions and question words. Questions are full of them,
// and one that is rare in a release would count more than the subject.
//
// Words that are also nouns, such as the French son (sound), and words that carry the
// meaning of a question (not, without, why, combien) are omitted. The words are spelled
// normally and folded as all words are.
var functionWords = map[string]string{
	"en": `a an the this that these those there here
		i me my mine myself you your yours yourself he him his she her hers it its we us our ours they them their theirs
		someone somebody anyone anybody something anything
		am is are was were be been being have has had having do does did doing done
		will would shall should can could may might must get gets got
		of in on at by for from to into onto with about as than through during between
		and or but if so because while
		who whom whose what which how when where`,
	"fr": `le la les l un une des du de d au aux ce cet cette ces cela ça c ceci
		je j me m moi tu te t toi il elle on nous vous ils elles lui leur leurs eux se s y en
		mon ma mes ton ta tes sa ses notre nos votre vos
		suis es est sommes êtes sont étais était étaient être sera seront soit
		ai as a avons avez ont avait avaient avoir aura fait font faire peut peuvent puis doit doivent
		à dans par pour sur sous avec chez entre vers depuis pendant
		et ou mais donc si que qu
		qui quoi quel quelle quels quelles dont où comment quand lequel laquelle`,
	"es": `el la los las lo un una unos unas al del este esta esto estos estas ese esa eso esos esas aquel aquella
		yo me mí mi mis tú te ti tu tus él ella ello usted ustedes nosotros nos ellos ellas le les se su sus nuestro nuestra
		soy eres es somos son era eran ser sea fue fueron siendo sido está están estoy estar estaba
		he ha han hay haber había hace hacen hacer puede pueden puedo debe deben tiene tienen
		a ante con de desde durante en entre hacia hasta para por sobre
		y e o u pero si ni que porque
		quién quiénes qué cuál cuáles cómo cuándo dónde adónde cuyo`,
	"de": `der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem
		ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns man sich
		mein meine meinen meinem meiner dein deine sein seine seinen ihre ihren ihrem ihrer unser unsere euer
		bin bist ist sind seid war waren wird werden wurde wurden worden habe hast hat haben hatte hatten
		kann können könnte darf dürfen muss müssen soll sollen sollte will wollen
		in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter durch um bis zwischen
		und oder aber wenn dass ob als weil
		wer wen wem wessen was welche welcher welches wie wann wo wohin woher`,
	"it": `il lo la i gli le l un uno una del dello della dei degli delle al allo alla ai agli alle dal dalla dai
		nel nella nei nelle sul sulla sui sulle questo questa questi queste quello quella quelli quelle
		io me mi tu te ti lui lei noi ci voi vi loro si ne
		mio mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra
		sono sei è siamo siete era erano essere sia stato stata viene vengono
		ho hai ha abbiamo avete hanno avere può possono posso deve devono
		di a da in con su per tra fra
		e ed o ma se che
		chi cosa quale quali come quando dove`,
	"pt": `o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas
		este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
		eu me mim meu minha meus minhas tu te você vocês ele ela eles elas nós lhe lhes se seu sua seus suas nosso nossa
		sou é somos são era eram ser seja foi foram sendo sido está estão estou estar
		há tem têm tenho ter pode podem posso deve devem faz fazem
		de em com para por sobre até entre desde durante
		e ou mas que porque
		quem qual quais como quando onde cujo`,
	"nl": `de het een deze dit die dat er hier daar
		ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun hen zich men
		ben bent is was waren wordt worden werd werden heb hebt heeft hebben had hadden
		kan kunnen kunt mag mogen moet moeten zal zullen wil willen doet doen
		van in op aan bij met voor door naar uit over om te tot tussen tijdens
		en of maar als omdat
		wie wat welke hoe wanneer waar waarmee waarheen`,
}

// functionSets returns functionWords, folded once for all indexes.
var functionSets = sync.OnceValue(func() map[string]map[string]bool {
	sets := make(map[string]map[string]bool, len(functionWords))
	var f folder
	for base, text := range functionWords {
		terms := make(map[string]bool)
		for w := range strings.FieldsSeq(text) {
			terms[string(f.fold(w))] = true
		}
		sets[base] = terms
	}
	return sets
})

// notations are the ids of entries that elements are mapped to, such as Art. 26(2), by their
// words. They are looked up when a query is run.
type notations struct {
	// entries has what is mapped to an entry, and parts what is mapped to a part of it:
	// art 26 has the part art 26 2. Both are positions of elements, ascending, by the
	// words of the entry with spaces between them.
	entries, parts map[string][]uint32
}

// maxNotation is the number of words of the longest notation that is found.
const maxNotation = 16

// newNotations reads the mappings of a release.
func newNotations(r *taxonomy.Release) *notations {
	n := &notations{entries: make(map[string][]uint32), parts: make(map[string][]uint32)}
	tokens := newTokenizer()
	add := func(to map[string][]uint32, words string, element int) {
		if list := to[words]; len(list) == 0 || list[len(list)-1] != uint32(element) {
			to[words] = append(list, uint32(element))
		}
	}
	for i, e := range r.Elements() {
		for k := range e.Mappings {
			words := ""
			tokens.cut(e.Mappings[k].ID, 0, func(term []byte, _, _ int) {
				switch {
				case tokens.joined:
					return
				case hasDigit(words):
					add(n.parts, words, i)
				}
				words = withWord(words, string(term))
			})
			add(n.entries, words, i)
		}
	}
	return n
}

// withWord appends a word to those of a notation: Article 26 is the same as Art. 26.
func withWord(words, word string) string {
	if words != "" {
		words += " "
	}
	return words + notation.Word(word)
}

// hasDigit reports whether some words have a digit, as those of most notations do: words
// without one are likely to be meant as words.
func hasDigit(words string) bool { return strings.ContainsAny(words, "0123456789") }

// addNotations adds to the scores of elements that are mapped to entries that the query
// names: from left to right, the longest first. A query that is a notation also names its
// parts. What is mapped to an entry comes before all that only has words of the query, so it
// gets at least as much as the words can contribute, and twice as much for the entry itself.
func (s *searching) addNotations(scores []uint32) {
	n := s.notations()
	most := uint32(0) // that words contribute
	for _, l := range s.lists {
		largest := uint32(0)
		for _, p := range l.postings {
			largest = max(largest, l.counts(p))
		}
		most += largest
	}
	most = max(most, 1)
	named := make(map[uint32]uint32) // what elements get
	name := func(elements []uint32, counts uint32) {
		for _, e := range elements {
			named[e] = max(named[e], counts)
		}
	}
	for i := 0; i < len(s.order); i++ {
		var names []string // of one word, of two, …
		for _, term := range s.order[i:min(len(s.order), i+maxNotation)] {
			if term < 0 {
				break
			}
			before := ""
			if len(names) > 0 {
				before = names[len(names)-1]
			}
			names = append(names, withWord(before, s.terms[term]))
		}
		if len(names) == len(s.order) {
			name(n.parts[names[len(names)-1]], most)
		}
		for words := len(names); words > 0; words-- {
			if words == len(s.order) || words > 1 && hasDigit(names[words-1]) {
				if elements := n.entries[names[words-1]]; len(elements) > 0 {
					name(elements, 2*most)
					i += words - 1
					break
				}
			}
		}
	}
	for e, counts := range named {
		scores[e] += counts
	}
}
