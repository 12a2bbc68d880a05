package search

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/taxonomy"
)

// Build indexes a release in the best of its locales for a requested one, as
// [taxonomy.MatchLocale] chooses it. [Index.Locale] returns it.
func Build(r *taxonomy.Release, locale string) (*Index, error) {
	if r == nil {
		return nil, errors.New("search: the release is nil")
	}
	match, err := taxonomy.MatchLocale(r.Locales(), locale)
	switch {
	case err != nil:
		return nil, errname.Add("search", err)
	case match == "":
		return nil, fmt.Errorf("search: %s has no locale %q (it has %s)", r.Version(), locale, strings.Join(r.Locales(), ", "))
	}
	locale = match
	texts := make([]Item, len(r.Elements()))
	for i, e := range r.Elements() {
		texts[i] = itemOf(e, locale)
	}
	return newIndex(r, texts, locale, synonymsOf(r, locale)), nil
}

// itemOf returns the texts of an element that are searched. The ids of entries that it is
// mapped to are keywords in every locale.
func itemOf(e *taxonomy.Element, locale string) Item {
	title, _ := e.Title.Get(locale)
	description, _ := e.Description.Get(locale)
	keywords, _ := e.Keywords.Get(locale)
	item := Item{Title: title, Body: []string{description}, Keywords: []string{keywords}}
	for k := range e.Mappings {
		item.Keywords = append(item.Keywords, e.Mappings[k].ID)
	}
	return item
}

// Item is an entry of an index that [BuildTexts] makes. Words of the title count three
// times, as those of an element do.
type Item struct {
	Title    string
	Body     []string // its other texts
	Keywords []string // each of their words counts half, as those of an element do
}

// BuildTexts indexes texts of any kind in one language, with groups of words or phrases
// that find one another. Texts match and rank as elements with such titles, descriptions
// and keywords do, and [Hit.Position] is the position of a text. The index has no release
// and no categories.
func BuildTexts(texts []Item, locale string, synonyms [][]string) *Index {
	return newIndex(nil, texts, locale, synonyms)
}

// The two weighted fields. Keywords are part of the description.
const (
	inTitle = iota
	inDescription
)

// What an occurrence of a word counts. A keyword is half a word of the description, because it
// adds a subject without making the description longer.
const (
	wordCount    = 2
	keywordCount = 1
)

// builder counts the words of elements or other texts.
type builder struct {
	tokens      *tokenizer
	numbers     map[string]int // the position of each term in occurrences
	written     map[string]string
	occurrences [][]occurrence // by term, in the order of elements
	lengths     [][2]uint32    // of the fields of each element: what their words count
}

// occurrence is an element that has a term, with what the term counts in each field.
type occurrence struct {
	element uint32
	counts  [2]uint32
}

// newBuilder returns a builder that has counted the words of texts.
func newBuilder(texts []Item) *builder {
	b := &builder{tokens: newTokenizer(), numbers: make(map[string]int), written: make(map[string]string)}
	for i := range texts {
		b.lengths = append(b.lengths, [2]uint32{})
		b.add(inTitle, texts[i].Title, wordCount)
		for _, text := range texts[i].Body {
			b.add(inDescription, text, wordCount)
		}
		for _, text := range texts[i].Keywords {
			b.add(inDescription, text, keywordCount)
		}
	}
	return b
}

// add adds a text of the last element, whose words have a count.
func (b *builder) add(field int, text string, count uint32) {
	element := len(b.lengths) - 1
	b.tokens.template(text, func(term []byte, start, end int) {
		id, known := b.numbers[string(term)]
		if !known {
			id = len(b.occurrences)
			b.numbers[string(term)] = id
			b.occurrences = append(b.occurrences, nil)
			if word := text[start:end]; !strings.EqualFold(word, string(term)) {
				b.written[string(term)] = strings.Clone(strings.ToLower(word))
			}
		}
		list := b.occurrences[id]
		if n := len(list); n == 0 || list[n-1].element != uint32(element) {
			list = append(list, occurrence{element: uint32(element)})
			b.occurrences[id] = list
		}
		list[len(list)-1].counts[field] += count
		b.lengths[element][field] += count
	})
}

// finish sets the terms of an index, and their scores.
func (b *builder) finish(x *Index) {
	var average [2]float64
	for f := range average {
		total := 0.0
		for _, length := range b.lengths {
			total += float64(length[f])
		}
		average[f] = total / float64(max(1, len(b.lengths)))
	}
	norms := make([][2]float64, len(b.lengths))
	for i, length := range b.lengths {
		for f, occurrences := range length {
			norms[i][f] = lengthNorm(occurrences, average[f])
		}
	}
	x.terms, x.written = slices.Sorted(maps.Keys(b.numbers)), b.written
	x.postings = make([][]posting, len(x.terms))
	for i, term := range x.terms {
		list := b.occurrences[b.numbers[term]]
		var occurrences [2]int // elements that have it in a field
		for _, o := range list {
			for f, count := range o.counts {
				if count > 0 {
					occurrences[f]++
				}
			}
		}
		idfs := [2]float64{idf(x.elements, occurrences[inTitle]), idf(x.elements, occurrences[inDescription])}
		x.postings[i] = make([]posting, len(list))
		for k, o := range list {
			var s [2]float64
			for f, count := range o.counts {
				s[f] = float64(idfs[f] * saturated(count, norms[o.element][f]))
			}
			x.postings[i][k] = posting{o.element, quarters(exactBoost, s), quarters(otherBoost, s)}
		}
	}
}
