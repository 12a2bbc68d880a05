package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// thesaurus is the synonyms of a release in one locale.
type thesaurus struct {
	words   []string             // of all phrases, sorted
	phrases map[string][]*phrase // by their first word
	// groups are the members of each group that texts may have.
	groups [][]*phrase
}

// phrase is a member of a group, or of several.
type phrase struct {
	words  []string
	groups []int
	// needs are the terms that an element must have, one of each list. It is nil if no
	// element can have them.
	needs [][]expansion
}

// synonymShare means that a word of a synonym counts half, rounded up.
const synonymShare = 2

// synonymsOf returns the groups of synonyms of a locale.
func synonymsOf(r *taxonomy.Release, locale string) [][]string {
	var groups [][]string
	for _, s := range r.Manifest().Synonyms {
		if strings.EqualFold(s.Locale, locale) {
			groups = append(groups, s.Groups...)
		}
	}
	return groups
}

// newThesaurus prepares groups of synonyms.
func newThesaurus(x *Index, groups [][]string) *thesaurus {
	t := &thesaurus{phrases: make(map[string][]*phrase), groups: make([][]*phrase, len(groups))}
	known := make(map[string]*phrase) // by its words
	tokens := newTokenizer()
	for g, members := range groups {
		for _, member := range members {
			for _, words := range variants(tokens, member) {
				key := strings.Join(words, " ")
				p := known[key]
				if p == nil {
					p = &phrase{words: words, needs: x.needs(words)}
					known[key] = p
					t.words = append(t.words, words...)
					t.phrases[words[0]] = append(t.phrases[words[0]], p)
				}
				if slices.Contains(p.groups, g) {
					continue
				}
				p.groups = append(p.groups, g)
				if p.needs != nil {
					t.groups[g] = append(t.groups[g], p)
				}
			}
		}
	}
	slices.Sort(t.words)
	t.words = slices.Compact(t.words)
	return t
}

// variants returns the words of a phrase: with hyphenated words in parts, and, if there
// are any, with these as one word, as in Wi-Fi and wifi.
func variants(tokens *tokenizer, text string) [][]string {
	type word struct {
		term       string
		start, end int
	}
	var parts, joined []word
	tokens.cut(text, 0, func(term []byte, start, end int) {
		w := word{string(term), start, end}
		if tokens.joined {
			joined = append(joined, w)
		} else {
			parts = append(parts, w)
		}
	})
	terms := func(words []word) []string {
		var list []string
		for _, w := range words {
			list = append(list, w.term)
		}
		return list
	}
	if len(parts) == 0 {
		return nil
	}
	if len(joined) == 0 {
		return [][]string{terms(parts)}
	}
	whole := slices.Clone(joined)
	for _, p := range parts {
		if !slices.ContainsFunc(joined, func(j word) bool { return j.start <= p.start && p.end <= j.end }) {
			whole = append(whole, p)
		}
	}
	slices.SortFunc(whole, func(a, b word) int { return cmp.Compare(a.start, b.start) })
	return [][]string{terms(parts), terms(whole)}
}

// needs returns the terms that an element needs to have a phrase: those that match each of
// its words, as if they had been typed in full. Function words are not needed beside others.
// It returns nil if the index lacks a word.
func (x *Index) needs(words []string) [][]expansion {
	needed := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return x.function[word] })
	if len(needed) == 0 {
		needed = words
	}
	var needs [][]expansion
	for i, word := range needed {
		if slices.Contains(needed[:i], word) {
			continue
		}
		list := x.matching(x.terms, word, false, x.standard)
		if len(list) == 0 {
			return nil
		}
		needs = append(needs, list)
	}
	return needs
}

// foundPhrase is a phrase of a query that has synonyms.
type foundPhrase struct {
	terms []int // its words, as positions among the terms
	// members are the phrases of the thesaurus that it matches, in different forms.
	members []*phrase
}

// findPhrases finds the phrases of the thesaurus in a query, from left to right, the
// longest first, and adds the lists of their synonyms. Other forms of a word count only if
// the thesaurus lacks the word itself. A phrase that is repeated counts once.
func (s *searcher) findPhrases(t *thesaurus) {
	matches := make([][]string, len(s.terms)) // the words of the thesaurus that match each term
	for i, term := range s.terms {
		found := s.matching(t.words, term, false, s.weights)
		exact := slices.ContainsFunc(found, expansion.isExact)
		for _, e := range found {
			if e.isExact() || !exact {
				matches[i] = append(matches[i], t.words[e.term])
			}
		}
	}
	beginsWith := func(order []int, p *phrase) bool {
		for i, word := range p.words {
			if i == len(order) || order[i] < 0 || !slices.Contains(matches[order[i]], word) {
				return false
			}
		}
		return true
	}
	for rest := s.order; len(rest) > 0 && len(s.phrases) < maxTerms; {
		var f foundPhrase
		if rest[0] >= 0 {
			for _, word := range matches[rest[0]] {
				for _, p := range t.phrases[word] {
					if n := len(p.words); n >= len(f.terms) && beginsWith(rest, p) {
						if n > len(f.terms) {
							f = foundPhrase{terms: rest[:n]}
						}
						f.members = append(f.members, p)
					}
				}
			}
		}
		rest = rest[max(1, len(f.terms)):]
		if len(f.terms) == 0 || slices.ContainsFunc(s.phrases, func(g foundPhrase) bool { return slices.Equal(f.terms, g.terms) }) {
			continue
		}
		s.phrases = append(s.phrases, f)
		if l := s.synonyms(t, f); len(l.postings) > 0 {
			l.term, l.terms = -1, f.terms
			s.lists = append(s.lists, l)
		}
	}
}

// synonyms returns the elements that have a synonym of a phrase. For each, the best one
// counts.
func (s *searcher) synonyms(t *thesaurus, f foundPhrase) list {
	var all []posting
	for _, member := range f.members {
		for _, g := range member.groups {
			for _, synonym := range t.groups[g] {
				if !slices.Contains(f.members, synonym) {
					all = append(all, s.havingAll(synonym)...)
				}
			}
		}
	}
	for _, p := range all {
		s.best[p.element] = max(s.best[p.element], p.contribution(exactWeight))
	}
	return s.collect(len(all))
}

// havingAll returns the elements that have all words of a synonym, with the sum of what they
// contribute.
func (s *searcher) havingAll(p *phrase) (all []posting) {
	for i, need := range p.needs {
		l := s.merge(need)
		var matching []posting
		for _, p := range l.postings {
			contribution := (l.contribution(p) + synonymShare - 1) / synonymShare
			if i > 0 {
				k, ok := slices.BinarySearchFunc(all, p.element, func(p posting, element uint32) int { return cmp.Compare(p.element, element) })
				if !ok {
					continue
				}
				contribution += all[k].contribution(exactWeight)
			}
			matching = append(matching, posting{p.element, 4 * contribution, 0})
		}
		all = matching
	}
	return all
}

// hasSynonym reports whether a term of the query belongs to a phrase with synonyms that
// are found.
func (s *searcher) hasSynonym(term int) bool {
	return slices.ContainsFunc(s.lists, func(l list) bool { return slices.Contains(l.terms, term) })
}

// spreadCommon makes the synonyms of frequent words frequent: they must not count more
// than the word itself.
func (s *searcher) spreadCommon() {
	for i := range s.lists {
		terms := s.lists[i].terms
		if slices.ContainsFunc(s.lists, func(l list) bool { return l.common && !l.function && slices.Contains(terms, l.term) }) {
			s.lists[i].common = true
		}
	}
}

// related reports whether one list belongs to a word of a phrase and the other to its
// synonyms. Neither of the two makes the other count less.
func related(a, b list) bool {
	return slices.Contains(a.terms, b.term) || slices.Contains(b.terms, a.term)
}

// deductPhrases reduces the lists of synonyms to what they add to the words of their phrases, so
// that the sum is the higher one of the two: the words of the query, or the best synonym.
func (s *searcher) deductPhrases() {
	for i := range s.lists {
		synonyms := &s.lists[i]
		if synonyms.terms == nil {
			continue
		}
		wordScores := s.best
		for _, l := range s.lists {
			if slices.Contains(synonyms.terms, l.term) {
				for _, p := range l.postings {
					wordScores[p.element] += l.contribution(p)
				}
			}
		}
		surplus := list{weight: exactWeight, term: synonyms.term, terms: synonyms.terms}
		for _, p := range synonyms.postings {
			if contribution := synonyms.contribution(p); contribution > wordScores[p.element] {
				surplus.postings = append(surplus.postings, posting{p.element, 4 * (contribution - wordScores[p.element]), 0})
			}
		}
		clear(wordScores)
		*synonyms = surplus
	}
}
