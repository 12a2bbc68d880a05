// Package search finds the elements of a schema version by words: an index in
// memory, one for each release and locale, that ranks by BM25 and never changes.
//
//	index, err := search.Build(release, "en")
//	result := index.Search(search.Query{Text: "how long is it kept"})
//
// # Words
//
// Text is cut into words as Unicode defines them (UAX 29), and at apostrophes;
// where a script sets no spaces between words (Han, Hiragana, Katakana, Thai,
// Khmer, Lao, Myanmar), into pairs of neighbouring letters. Words that are joined
// by hyphens alone (U+002D, U+2010, U+2011) are also one word: Wi-Fi has the words
// wi, fi and wifi. Words are compared in NFKC, case folded, without what can't be
// seen, such as soft hyphens, and without diacritics in Latin, Greek and Cyrillic,
// and the marks of Arabic and Hebrew. The {{variables}} of a schema's texts are no
// words.
//
// # Score
//
// An element matches if it has any word of the query. Its score is the sum, over
// the different words of the query, of w·(3·s(title) + s(description)), where
// keywords are part of the description, each as half a word, and
//
//	s   = idf · tf · 2.2 / (tf + 1.2 · (0.25 + 0.75 · len / avglen))
//	idf = ln(1 + (N - n + 0.5) / (n + 0.5))
//
// with tf the number of times that the field has the word, len the number of
// words in the field, avglen its average and n the number of elements that have
// the word in that field, both over the whole release in that locale, and N the
// number of elements. Filters change none of these. What a word adds to a score, w
// included, is rounded once, to a whole number of 1/65536 and at least one, so that
// rankings are the same on every machine; equal scores keep declaration order.
//
// A word of the query stands for the same word of the text with w = 1, and for
// other forms of it with w = 2/3: words that begin with the same letters, five at
// least and half of the longer of the two. The last word may be unfinished, and
// stands for all that begin with it with w = 0.5. So does a single letter of a
// script without spaces, wherever it is in the query, for all pairs that have it.
// Where there is no such word, it stands for those that it may be a misspelling of:
// with one letter added, left out, replaced or swapped with its neighbour (w = 0.4,
// for words of 4 letters and more), or two of these (w = 0.2, from 8 letters).
// Function words are neither misspelt nor meant by a misspelling, and of one query
// the first eight words that may be misspelt are looked at. For each element, the
// best of what a word stands for counts.
//
// Some words say little about which element is meant. Function words (the, are,
// who; there are lists for English, French, Spanish, German, Italian, Portuguese
// and Dutch) add a fifth of that, rounded up, if the query has another word that
// matches. So does a word that more than a tenth of the elements match, and more
// than three, if there is a rarer one that is no function word.
//
// These rules are what judged queries in three languages have shown to be good;
// docs/search-quality.md has the numbers, and what was tried and left out. With
// [Query.Whole] a query gets the plain formula.
package search
