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
// distinct words of the query, of w·(3·s(title) + s(description)). Keywords are part of
// the description; each counts as half a word.
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
//     at least half of the longer word, rounded down. In English also for its regular
//     plural or singular, however short (copy, copies; film, films), and for a number
//     up to twelve in words or in figures (third, 3rd).
//   - 0.5 for a word that begins with it, if it is the last word of the query. A single
//     letter of a script without spaces matches all pairs with it, at any position.
//   - 0.5 for a synonym and 1/3 for another form of it, see below.
//   - 0.4 for one typo (a letter added, omitted, replaced or swapped with its neighbour)
//     in words of at least 4 letters, and 0.2 for two typos in words of at least 8. Typos
//     are tried only if nothing else matches, and for the first eight such words. A
//     function word is never a typo or its correction.
//
// A release may have groups of synonyms in a locale: words or phrases that find one
// another. Phrases are looked up in the query from left to right, the longest first. If no
// group has a word as it is typed, its other forms are looked up. An element has a synonym
// if it has all words of it, in any order and form; function words are not needed. The
// synonym contributes the sum of its words, unless the words of the phrase itself
// contribute more. Unfinished and misspelt words have no synonyms, and a word whose
// synonyms are found is not misspelt.
//
// The ids of entries that an element is mapped to are searched like keywords, in every
// locale. If the query names one, such as Art. 26, what is mapped to it comes first, and what
// is mapped to a part of it, such as Art. 26(2), second. Inside a longer query, only ids of
// several words with a digit are names.
//
// Some words say little about the wanted element. Function words (the, are, who; there
// are lists for English, French, Spanish, German, Italian, Portuguese and Dutch) count a
// fifth, rounded up, if the query has another word that matches. So does a word that
// matches more than a tenth of the elements, and more than three, if there is a rarer one
// that is not a function word. So do synonyms that do, and those of such a word, but a
// phrase and its synonyms do not make one another count less.
//
// These rules are based on judged queries in three languages; docs/internals/search-quality.md has
// the results, and what was tried and rejected. [Query.Whole] selects the plain formula.
//
// # Speed
//
// Postings are packed into 32 bits and grouped into windows of 512 elements, which are
// skipped if they cannot contain a top hit, and a query allocates only its hits. On the
// corpora of docs/internals/measurements.md this is 23 to 120 times as fast as bleve, in half the
// memory.
package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// An element is identified by its position in the release. Positions are grouped into
// windows, so that a posting needs few bits for the position, the scores of a window fit
// into the CPU cache, and a window without a top hit can be skipped.
const (
	windowBits = 9
	windowSize = 1 << windowBits
	impactBits = 32 - windowBits
	impactMask = 1<<impactBits - 1
)

// maxElements is the maximum number of elements of a release that can be searched.
const maxElements = 2 << 20

// Index finds the elements of one release, or texts, by words of one locale. It is
// immutable and safe for concurrent use. The zero Index finds nothing.
type Index struct {
	release  *taxonomy.Release // nil for texts
	elements int
	locale   string

	terms    dictionary
	overlaps func() []uint8 // those of terms, computed when a word is misspelt
	postings
	rests rests // of postings.packed
	// first[i] is where the postings of term i begin, first[i+1] where they end.
	first []span
	// floors[i] is the floor of term i.
	floors []uint32

	function map[string]bool // the terms that are function words
	english  bool            // the language of the locale is English
	// thesaurus returns the synonyms, prepared by the first query; nil if there are none.
	thesaurus func() *thesaurus
	// notations returns those of mappings, read by the first query; nil if there are none.
	notations func() *notations

	standard weights    // the weights, unless a query changes them
	scratch  *sync.Pool // of *scratch
}

// postings are lists of elements with the contribution of a term to the score of each,
// grouped by window into blocks. A block belongs to one term.
type postings struct {
	// packed has the position in the window in its upper bits and the impact in its
	// lower bits.
	packed []uint32
	blocks []block
}

// block describes the postings of one term in one window: from the highest bits down, the
// window, the number of postings minus one, and the largest impact, rounded up to the
// remaining bits. Most blocks are of rare terms and have one or two postings, so the size
// of a block matters.
type block uint32

const (
	countBits   = windowBits
	maxBits     = 32 - 12 - countBits // maxElements need 1<<12 windows
	maxMask     = 1<<maxBits - 1
	maxRounding = impactBits - maxBits
)

func newBlock(window, impact uint32) block {
	return block(window<<(countBits+maxBits) | (impact-1)>>maxRounding)
}

func (b block) window() uint32 { return uint32(b >> (countBits + maxBits)) }
func (b block) count() uint32  { return uint32(b>>maxBits)&(windowSize-1) + 1 }

// max is an upper bound of the largest impact.
func (b block) max() uint32 { return (uint32(b)&maxMask + 1) << maxRounding }

// add appends a posting. Elements are in ascending order; isNew starts a new list.
func (p *postings) add(element, impact uint32, isNew bool) {
	window := element >> windowBits
	p.packed = append(p.packed, element<<impactBits|impact)
	if n := len(p.blocks); !isNew && p.blocks[n-1].window() == window {
		b := &p.blocks[n-1]
		largest := max(uint32(*b)&maxMask, (impact-1)>>maxRounding)
		*b = *b&^maxMask + 1<<maxBits | block(largest)
		return
	}
	p.blocks = append(p.blocks, newBlock(window, impact))
}

// span is a boundary between the postings of two terms.
type span struct{ block, posting uint32 }

// end returns where the next postings begin.
func (p *postings) end() span { return span{uint32(len(p.blocks)), uint32(len(p.packed))} }

// between returns the postings from one boundary to another.
func (p *postings) between(begin, end span) list {
	return list{blocks: p.blocks[begin.block:end.block], packed: p.packed[begin.posting:end.posting]}
}

// Locale returns the locale of the indexed texts.
func (x *Index) Locale() string { return x.locale }

// newIndex returns an index without terms.
func newIndex(r *taxonomy.Release, locale string) (*Index, error) {
	if n := len(r.ElementIDs()); n > maxElements {
		return nil, fmt.Errorf("search: %s has %d elements; at most %d can be searched", r.Version(), n, maxElements)
	}
	x := newTextIndex(len(r.ElementIDs()), locale, synonymsOf(r, locale))
	x.release = r
	if len(r.Manifest().Schemes) > 0 {
		x.notations = sync.OnceValue(func() *notations { return newNotations(r) })
	}
	return x, nil
}

// newTextIndex returns an index without terms and release.
func newTextIndex(elements int, locale string, synonyms [][]string) *Index {
	tag, _ := language.Parse(locale) // an invalid tag has no language
	base, _, _ := tag.Raw()
	x := &Index{elements: elements, locale: locale, function: functionSets()[base.String()], english: base.String() == "en", standard: standard, scratch: new(sync.Pool)}
	x.overlaps = sync.OnceValue(x.terms.overlaps)
	if len(synonyms) > 0 {
		x.thesaurus = sync.OnceValue(func() *thesaurus { return newThesaurus(x, synonyms) })
	}
	return x
}

// setFloors computes the floors of all terms.
func (x *Index) setFloors() {
	x.floors = make([]uint32, x.terms.len())
	best := top{heap: make([]ranked, 0, defaultLimit)}
	for i := range x.floors {
		x.floors[i] = best.floor(x.packed[x.first[i].posting:x.first[i+1].posting])
	}
}

// floor returns the defaultLimit-th best impact of postings, or 0 if there are fewer. At
// least defaultLimit elements reach that score.
func (t *top) floor(postings []uint32) uint32 {
	if len(postings) < defaultLimit {
		return 0
	}
	t.reset(defaultLimit)
	for _, p := range postings {
		if impact := p & impactMask; impact > t.threshold {
			t.push(0, impact)
		}
	}
	return t.threshold
}

// list returns the postings of a term.
func (x *Index) list(term uint32) list {
	l := x.between(x.first[term], x.first[term+1])
	l.floor = x.floors[term]
	return l
}

// dictionary is a list of terms, which are identified by their position. That of an index
// is sorted by bytes.
type dictionary struct {
	text []byte   // all terms, concatenated
	ends []uint32 // where each ends
}

func (d *dictionary) len() int { return len(d.ends) }

func (d *dictionary) add(term []byte) {
	d.text = append(d.text, term...)
	d.ends = append(d.ends, uint32(len(d.text)))
}

func (d *dictionary) term(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

// index returns the position of a term in an unsorted, short dictionary, or -1.
func (d *dictionary) index(term []byte) int {
	for i := range d.ends {
		if bytes.Equal(d.term(i), term) {
			return i
		}
	}
	return -1
}

// order returns the positions of the terms in sorted order.
func (d *dictionary) order() []uint32 {
	type start struct {
		first    uint64 // the first bytes of the term, which usually decide
		position uint32
	}
	terms := make([]start, d.len())
	for i := range terms {
		var first [8]byte
		copy(first[:], d.term(i))
		terms[i] = start{binary.BigEndian.Uint64(first[:]), uint32(i)}
	}
	slices.SortFunc(terms, func(a, b start) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(d.term(int(a.position)), d.term(int(b.position)))
	})
	order := make([]uint32, len(terms))
	for i, t := range terms {
		order[i] = t.position
	}
	return order
}

// at returns the position of the term at an offset in the text.
func (d *dictionary) at(offset int) int {
	return sort.Search(d.len(), func(i int) bool { return int(d.ends[i]) > offset })
}

// find returns the position of a term in a sorted dictionary, or where it would be.
func (d *dictionary) find(term []byte) (int, bool) {
	i := sort.Search(d.len(), func(i int) bool { return bytes.Compare(d.term(i), term) >= 0 })
	return i, i < d.len() && bytes.Equal(d.term(i), term)
}

// skip returns the first position after i whose term does not begin with prefix. All
// terms with the prefix, if any, begin at i.
func (d *dictionary) skip(i int, prefix []byte) int {
	// It is often close, so try increasing steps first.
	step := 1
	for i+step < d.len() && bytes.HasPrefix(d.term(i+step), prefix) {
		step *= 2
	}
	limit := min(i+step, d.len())
	return i + sort.Search(limit-i, func(k int) bool { return !bytes.HasPrefix(d.term(i+k), prefix) })
}

// overlaps returns how many bytes at the beginning of each term are those of the term
// before it, up to 255.
func (d *dictionary) overlaps() []uint8 {
	overlaps := make([]uint8, d.len())
	var previous []byte
	for i := range overlaps {
		term := d.term(i)
		overlaps[i] = uint8(min(common(previous, term), math.MaxUint8))
		previous = term
	}
	return overlaps
}

// Match returns the best of the given locales for a requested one: fr for fr-CA, zh-Hant
// for zh-TW. It returns "" if none matches, and an error if want is not a BCP 47 language
// tag.
func Match(locales []string, want string) (string, error) {
	tag, err := language.Parse(want)
	if err != nil {
		// A subtag may be unknown but must be well-formed.
		if _, unknown := errors.AsType[language.ValueError](err); !unknown {
			return "", fmt.Errorf("search: %s is not a language tag: %w", prose.Quote(want), err)
		}
	}
	var known []string
	var tags []language.Tag
	for _, l := range locales {
		if strings.EqualFold(l, want) {
			return l, nil
		}
		if t, err := language.Parse(l); err == nil {
			known, tags = append(known, l), append(tags, t)
		}
	}
	if len(tags) == 0 {
		return "", nil
	}
	_, i, confidence := language.NewMatcher(tags).Match(tag)
	// The matcher also returns a language that speakers of the requested one often
	// know, such as French for Breton. That is not what was requested.
	wanted, _, _ := tag.Raw()
	if found, _, _ := tags[i].Raw(); confidence != language.Exact && found != wanted {
		return "", nil
	}
	return known[i], nil
}
