package search

// Matches are the texts that have any word of a query, for lists that want several words of it, such as
// all, in one text or in several that belong together.
type Matches struct {
	// Texts are in the order of the index.
	Texts []Match
	// Words are the words of the query, as bits, without function words if there are others.
	Words uint64
	// DidYouMean is that of a [Result].
	DidYouMean string
}

// Match is a text, or an element, that has words of a query.
type Match struct {
	Position int
	Score    float64
	// Words are those of the query that it has in any form, as a synonym or with a typo, as bits.
	Words uint64
}

// Matches returns what Search finds in all categories, with the words that each text has.
func (x *Index) Matches(text string) Matches {
	var m Matches
	if x.elements == 0 {
		return m
	}
	s := x.newSearch(Query{Text: text})
	defer x.done(s)
	var function uint64
	for i, words := range s.covered {
		m.Words |= words
		if s.function[s.terms[i]] {
			function |= words
		}
	}
	if m.Words != function {
		m.Words &^= function
	}
	if !s.match() {
		return m
	}
	words := make([]uint64, x.elements)
	for _, l := range s.lists {
		var covered uint64
		for _, term := range l.terms { // of a phrase with synonyms
			covered |= s.covered[term]
		}
		if l.term >= 0 {
			covered |= s.covered[l.term]
		}
		for _, p := range l.postings {
			words[p.element] |= covered
		}
	}
	s.sum()
	for i, score := range s.scores {
		if score > 0 {
			m.Texts = append(m.Texts, Match{i, float64(score) / unit, words[i]})
		}
	}
	m.DidYouMean = s.didYouMean(Query{Text: text})
	return m
}
