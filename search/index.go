// Package search finds the elements of a schema version by words. An [Index] covers one
// release in one locale, ranks by BM25 and never changes. [BuildTexts] indexes other texts
// in the same way.
//
//	index, err := search.Build(release, "en")
//	result := index.Search(search.Query{Text: "how long is it kept"})
//
// # Words
//
// Text is split into words as Unicode defines them (UAX 29) and at apostrophes. Scripts
// without spaces between words (Han, Hiragana, Katakana, Thai, Khmer, Lao, Myanmar) are
// split into pairs of adjacent letters. Words joined by hyphens (U+002D, U+2010, U+2011)
// are also indexed as one word: Wi-Fi has the words wi, fi and wifi. Words are compared
// in NFKC, case folded, without invisible characters such as soft hyphens, without
// diacritics in Latin, Greek and Cyrillic, and without the marks of Arabic and Hebrew.
// The {{variables}} of a schema's texts are ignored.
//
// # Score
//
// An element matches if it has any word of the query. If only function words of a query
// match, and it has other words, there are no matches. Its score is the sum, over the
// distinct words of the query, of w·(b·s(title) + s(description)). Keywords are part of
// the description; each counts as half a word. The boost b of titles is 3 for the same
// word and 1.5 for all other matches, so that none in a title counts more than the same
// word in a description of that length.
//
//	s   = idf · tf · 2.2 / (tf + 1.2 · (0.25 + 0.75 · len / avglen))
//	idf = ln(1 + (N - n + 0.5) / (n + 0.5))
//
// Here tf is the number of occurrences of the word in the field, len the number of words
// in the field, avglen its average, n the number of elements with the word in that field,
// and N the number of elements. They are computed over the whole release in the locale
// and do not depend on filters. The contribution of each word, including w, is rounded to
// a multiple of 1/65536 and is at least one of them, so that rankings are the same on
// every machine. Equal scores keep declaration order.
//
// The weight w depends on how a word of the query matches a word of the text; for each
// element, the best match counts:
//
//   - 1 for the same word.
//   - 2/3 for another form of it: both begin with the same letters, at least five and
//     at least half of the longer word, rounded down; 1/3 if these are less than two
//     thirds of it (person, personalised). In English 2/3 also for its regular
//     plural or singular, however short (copy, copies; film, films), and for a number
//     up to twelve in words or in figures (third, 3rd).
//   - 0.5 for a word that begins with it, if it is the last word of the query. A single
//     letter of a script without spaces matches all pairs with it, at any position.
//   - half of these for a word of a synonym, rounded up, see below.
//   - 0.4 for one typo (a letter added, omitted, replaced or swapped with its neighbour)
//     in words of at least 4 letters, and 0.2 for two typos in words of at least 8, never
//     in the first letter. Typos are tried only if nothing else matches, and for the first
//     eight such words. A function word is never a typo or its correction.
//
// A release may have groups of synonyms in a locale: words or phrases that find one
// another. Phrases are looked up in the query from left to right, the longest first. If no
// group has a word as it is typed, its other forms are looked up. An element has a synonym
// if it has all words of it, in any order and form; function words are not needed. The
// synonym contributes the sum of its words, unless the words of the phrase itself
// contribute more. Unfinished and misspelt words have no synonyms, and a word whose
// synonyms are found is not misspelt.
//
// The ids of entries that an element is mapped to are keywords in every locale.
//
// Some words say little about the wanted element. Function words (the, are, who; there
// are lists for English, French, Spanish, German, Italian, Portuguese and Dutch) count a
// fifth, rounded up, if the query has another word that matches. So does a word that
// matches more than a tenth of the elements, and more than three, if there is a rarer one
// that is not a function word. So do synonyms that do, and those of such a word, but a
// phrase and its synonyms do not make one another count less.
//
// These rules are based on judged queries in three languages; testdata/quality.md has
// the results. [Query.WholeWords] selects the plain formula.
//
// # Speed
//
// An index is built in memory: for 10,000 elements in well under 100 ms. A query adds up the
// contributions of its words in an array with a number for each element.
package search

import (
	"sync"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/taxonomy"
)

// Index finds the elements of one release, or texts, by words of one locale. It is
// immutable and safe for concurrent use. The zero Index finds nothing.
type Index struct {
	release  *taxonomy.Release // nil for texts
	elements int
	locale   string

	terms    []string    // sorted
	postings [][]posting // by term
	// written has terms that texts write with other letters than in another case, such as
	// données, as they do where they first have them.
	written map[string]string

	function map[string]bool // the terms that are function words
	english  bool            // the language of the locale is English
	// thesaurus returns the synonyms, prepared by the first query; nil if there are none.
	thesaurus func() *thesaurus

	standard weights    // the weights, unless a query changes them
	memories *sync.Pool // of *memory
}

// posting is an element that has a term, with the contribution of the term to its score as an
// exact match and, before the weight, as any other, in quarters of a unit, rounded down.
type posting struct{ element, exact, other uint32 }

// Locale returns the locale of the indexed texts.
func (x *Index) Locale() string { return x.locale }

// hit returns an element, or a text, with its score in units.
func (x *Index) hit(position int, score uint32) Hit {
	h := Hit{Score: float64(score) / unit, Position: position}
	if x.release != nil {
		h.Element = x.release.Elements()[position]
	}
	return h
}

// newIndex indexes texts, which are those of the elements of the release, if there is one.
func newIndex(r *taxonomy.Release, texts []Item, locale string, synonyms [][]string) *Index {
	tag, _ := language.Parse(locale) // an invalid tag has no language
	base, _, _ := tag.Raw()
	x := &Index{
		release: r, elements: len(texts), locale: locale,
		function: functionSets()[base.String()], english: base.String() == "en",
		standard: standard, memories: new(sync.Pool),
	}
	newBuilder(texts).finish(x)
	if len(synonyms) > 0 {
		x.thesaurus = sync.OnceValue(func() *thesaurus { return newThesaurus(x, synonyms) })
	}
	return x
}
