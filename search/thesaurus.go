package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// thesaurus is the synonyms of a release in one locale. It is looked up when a query is
// run, so that a stored index is the same with and without synonyms.
type thesaurus struct {
	words dictionary // of all phrases, sorted
	// phrases are sorted by their first word. Those that begin with word i are
	// phrases[first[i]:first[i+1]].
	phrases []*phrase
	first   []int
	// groups are the members of each group that texts may have.
	groups [][]*phrase
}

// phrase is a member of a group, or of several.
type phrase struct {
	words  []uint32 // positions in thesaurus.words
	groups []int
	// needs are the terms that an element must have, one of each list. It is nil if no
	// element can have them.
	needs [][]expansion
}

// synonymShare is what a synonym counts: one of so many parts.
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
	s := x.borrow()
	defer x.done(s)
	t := &thesaurus{groups: make([][]*phrase, len(groups))}
	known := make(map[string]*phrase) // by its words
	spelled := make(map[*phrase][]string)
	for g, members := range groups {
		for _, member := range members {
			for _, words := range spellings(s.tokens, member) {
				key := strings.Join(words, " ")
				p := known[key]
				if p == nil {
					p = new(phrase)
					known[key], spelled[p] = p, words
					t.phrases = append(t.phrases, p)
				}
				if !slices.Contains(p.groups, g) {
					p.groups = append(p.groups, g)
				}
			}
		}
	}
	t.number(spelled)
	for _, p := range t.phrases {
		if p.needs = x.needs(s, spelled[p]); p.needs == nil {
			continue
		}
		for _, g := range p.groups {
			t.groups[g] = append(t.groups[g], p)
		}
	}
	return t
}

// number numbers the words of all phrases, and sorts the phrases.
func (t *thesaurus) number(spelled map[*phrase][]string) {
	var all []string
	for _, words := range spelled {
		all = append(all, words...)
	}
	slices.Sort(all)
	for _, word := range slices.Compact(all) {
		t.words.add([]byte(word))
	}
	for p, words := range spelled {
		for _, word := range words {
			i, _ := t.words.find([]byte(word))
			p.words = append(p.words, uint32(i))
		}
	}
	slices.SortFunc(t.phrases, func(a, b *phrase) int { return slices.Compare(a.words, b.words) })
	t.first = make([]int, t.words.len()+1)
	at := 0
	for i := range t.first {
		for at < len(t.phrases) && int(t.phrases[at].words[0]) < i {
			at++
		}
		t.first[i] = at
	}
}

// beginning returns the phrases that begin with a word.
func (t *thesaurus) beginning(word uint32) []*phrase {
	return t.phrases[t.first[word]:t.first[word+1]]
}

// spellings returns the words of a phrase: with hyphenated words in parts, and, if there
// are any, with these as one word, as in Wi-Fi and wifi.
func spellings(tokens *tokenizer, text string) [][]string {
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
// its words, as if they had been typed in full, at the weight of a synonym. Function words
// are not needed beside others. It returns nil if the index lacks a word.
func (x *Index) needs(s *scratch, words []string) [][]expansion {
	isFunction := func(word string) bool { return x.function[word] }
	needed := slices.DeleteFunc(slices.Clone(words), isFunction)
	if len(needed) == 0 {
		needed = words
	}
	var needs [][]expansion
	for i, word := range needed {
		if slices.Contains(needed[:i], word) {
			continue
		}
		s.expansions = s.expansions[:0]
		x.matches(s, &x.terms, []byte(word), false, x.standard)
		if len(s.expansions) == 0 {
			return nil
		}
		list := slices.Clone(s.expansions)
		for i := range list {
			list[i].weight /= synonymShare
		}
		needs = append(needs, list)
	}
	return needs
}
