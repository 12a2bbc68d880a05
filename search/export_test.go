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

// Terms returns the number of distinct terms.
func (x *Index) Terms() int { return len(x.terms) }

// Fold returns the term of a word.
func Fold(word string) string { return string(new(folder).fold(word)) }

// FunctionTerms returns the function words of the language of a locale, folded.
func FunctionTerms(locale string) map[string]bool { return newIndex(nil, nil, locale, nil).function }

// FunctionWords returns the lists of function words, by language.
func FunctionWords() map[string]string { return functionWords }

// Ln is the logarithm used for scores.
func Ln(x float64) float64 { return ln(x) }

// Release returns the indexed release, or nil for an index of texts.
func (x *Index) Release() *taxonomy.Release { return x.release }
