package search

import "github.com/datachain-go/datachain/taxonomy"

// The limits of a query.
const (
	DefaultLimit = defaultLimit
	MaxText      = maxText
	MaxTerms     = maxTerms
)

// Token is a term and its position in a text.
type Token struct {
	Term       string
	Start, End int
}

// Tokens splits the text of a schema.
func Tokens(text string) []Token {
	var tokens []Token
	newTokenizer().template(text, func(term []byte, start, end int) {
		tokens = append(tokens, Token{string(term), start, end})
	})
	return tokens
}

// Cut splits a text without variables: as Tokens does, and by the rules of UAX 29 without
// the fast path for plain words.
func Cut(text string) (tokens, byRules []Token) {
	keep := func(to *[]Token) visitor {
		return func(term []byte, start, end int) { *to = append(*to, Token{string(term), start, end}) }
	}
	newTokenizer().cut(text, 7, keep(&tokens))
	newTokenizer().segments(text, 7, keep(&byRules))
	return tokens, byRules
}

// Terms returns the number of distinct terms.
func (x *Index) Terms() int { return x.terms.len() }

// Fold returns the term of a word.
func Fold(word string) string { return string(new(folder).fold(word)) }

// FunctionTerms returns the function words of the language of a locale, folded.
func FunctionTerms(locale string) map[string]bool { return newTextIndex(0, locale, nil).function }

// FunctionWords returns the lists of function words, by language.
func FunctionWords() map[string]string { return functionWords }

// Ln is the logarithm used for scores.
func Ln(x float64) float64 { return ln(x) }

// Near returns the terms at a distance from 1 to limit of each word, and the distances. All
// words use the same walk, as in a scratch. The terms are sorted.
func Near(terms, words []string, limits []int) []map[string]int {
	var d dictionary
	for _, t := range terms {
		d.add([]byte(t))
	}
	var w walk
	found := make([]map[string]int, len(words))
	for i, word := range words {
		found[i] = map[string]int{}
		w.near(&d, d.overlaps(), []byte(word), limits[i], func(term, distance int) { found[i][terms[term]] = distance })
	}
	return found
}

// Kept returns the size of the scratch that the next query gets from the pool.
func (x *Index) Kept() int {
	s := x.borrow()
	defer x.scratch.Put(s)
	return cap(s.tokens.fold.a) + cap(s.tokens.fold.b) + 8*cap(s.tokens.ends) + cap(s.terms.text) + 4*cap(s.terms.ends) +
		8*cap(s.expansions) + 4*cap(s.walk.word) + 4*cap(s.group.packed) + 4*cap(s.group.blocks) + 4*cap(s.best) + 8*cap(s.top.heap) + 8*cap(s.top.spare)
}

// Release returns the indexed release, or nil for an index of texts.
func (x *Index) Release() *taxonomy.Release { return x.release }
