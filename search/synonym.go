package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// phrases are the phrases of a query that have synonyms.
type phrases struct {
	matches []uint32 // the words of the thesaurus that match each term of the query
	ends    []int    // where those of a term end, by term
	found   []foundPhrase
	members []*phrase // of all that was found
	pairs   []pair    // of the phrase that is looked up
}

// foundPhrase is a phrase of a query.
type foundPhrase struct {
	begin, end int // in scratch.order
	// members[first:last] are the phrases of the thesaurus that it matches, in
	// different forms.
	first, last int
	// list is the position of the list of its synonyms, or -1 if no element has any.
	list int
}

// pair is an element and the contribution of a synonym to its score.
type pair struct{ element, impact uint32 }

// of returns the words of the thesaurus that match a term of the query.
func (p *phrases) of(term termAt) []uint32 {
	switch {
	case term < 0:
		return nil
	case term == 0:
		return p.matches[:p.ends[0]]
	}
	return p.matches[p.ends[term-1]:p.ends[term]]
}

// prepare parses a query and adds the lists of its synonyms.
func (x *Index) prepare(s *scratch, text string, w weights) {
	s.group.packed, s.group.blocks = s.group.packed[:0], s.group.blocks[:0]
	s.lists = s.lists[:0]
	ordered := w.synonyms && x.thesaurus != nil
	s.parse(text, ordered || x.notations != nil)
	if !ordered {
		return
	}
	t := x.thesaurus()
	x.findPhrases(s, t, w)
	for i := range s.phrases.found {
		f := &s.phrases.found[i]
		if l, ok := x.synonyms(s, t, f); ok {
			f.list = len(s.lists)
			s.lists = append(s.lists, l)
		}
	}
}

// findPhrases finds the phrases of the thesaurus in a query, from left to right, the
// longest first. Other forms of a word count only if the thesaurus lacks the word itself. A
// phrase that is repeated counts once.
func (x *Index) findPhrases(s *scratch, t *thesaurus, w weights) {
	p := &s.phrases
	for i := range s.terms.len() {
		s.expansions = s.expansions[:0]
		x.matches(s, &t.words, s.terms.term(i), false, w)
		exact := slices.ContainsFunc(s.expansions, expansion.isExact)
		for _, e := range s.expansions {
			if e.isExact() || !exact {
				p.matches = append(p.matches, e.term)
			}
		}
		p.ends = append(p.ends, len(p.matches))
	}
	for i := 0; i < len(s.order) && len(p.found) < maxTerms; {
		f := foundPhrase{begin: i, end: i, first: len(p.members), list: -1}
		for _, word := range p.of(s.order[i]) {
			for _, candidate := range t.phrases[t.first[word]:t.first[word+1]] {
				end := i + len(candidate.words)
				if end < f.end || !s.says(i, candidate) {
					continue
				}
				if end > f.end {
					f.end, p.members = end, p.members[:f.first]
				}
				p.members = append(p.members, candidate)
			}
		}
		if i = max(i+1, f.end); f.end == f.begin {
			continue
		}
		said := s.order[f.begin:f.end]
		if slices.ContainsFunc(p.found, func(g foundPhrase) bool { return slices.Equal(s.order[g.begin:g.end], said) }) {
			p.members = p.members[:f.first]
			continue
		}
		f.last = len(p.members)
		p.found = append(p.found, f)
	}
}

// says reports whether a query has a phrase at a position.
func (s *scratch) says(at int, p *phrase) bool {
	if at+len(p.words) > len(s.order) {
		return false
	}
	for i, word := range p.words {
		if !slices.Contains(s.phrases.of(s.order[at+i]), word) {
			return false
		}
	}
	return true
}

// synonyms returns the elements that have a synonym of a phrase. For each, the best one
// counts. The result is false if there are none.
func (x *Index) synonyms(s *scratch, t *thesaurus, f *foundPhrase) (list, bool) {
	p := &s.phrases
	p.pairs = p.pairs[:0]
	said := p.members[f.first:f.last]
	for _, member := range said {
		for _, g := range member.groups {
			for _, synonym := range t.groups[g] {
				if !slices.Contains(said, synonym) {
					x.addSynonym(s, synonym)
				}
			}
		}
	}
	if len(p.pairs) == 0 {
		return list{}, false
	}
	for _, pair := range p.pairs {
		s.seen[pair.element/64] |= 1 << (pair.element % 64)
		s.best[pair.element] = max(s.best[pair.element], pair.impact)
	}
	l := s.collect()
	l.term = -1
	return l, true
}

// addSynonym adds the elements that have all words of a synonym, with the sum of their
// contributions.
func (x *Index) addSynonym(s *scratch, synonym *phrase) {
	p := &s.phrases
	begin, end := s.group.end(), len(p.pairs)
	for i, need := range synonym.needs {
		s.expansions = append(s.expansions[:0], need...)
		l, _ := x.merge(s)
		from, kept := end, end
		for len(l.blocks) > 0 {
			base := l.blocks[0].window() << windowBits
			for _, posting := range l.take() {
				element, impact := base|posting>>impactBits, posting&impactMask
				if i == 0 {
					p.pairs = append(p.pairs, pair{element, impact})
					continue
				}
				for from < len(p.pairs) && p.pairs[from].element < element {
					from++
				}
				if from < len(p.pairs) && p.pairs[from].element == element {
					p.pairs[kept] = pair{element, min(p.pairs[from].impact+impact, impactMask)}
					kept++
				}
			}
		}
		if i > 0 {
			p.pairs = p.pairs[:kept]
		}
		// The list is not needed any more.
		s.group.blocks, s.group.packed = s.group.blocks[:begin.block], s.group.packed[:begin.posting]
	}
}

// hasSynonym reports whether a term of the query belongs to a phrase with synonyms that
// are found.
func (s *scratch) hasSynonym(term termAt) bool {
	for _, f := range s.phrases.found {
		if f.list >= 0 && slices.Contains(s.order[f.begin:f.end], term) {
			return true
		}
	}
	return false
}

// spreadCommon makes the synonyms of frequent words frequent: they must not count more
// than the word itself.
func (s *scratch) spreadCommon() {
	for _, f := range s.phrases.found {
		for i := range s.lists {
			if l := &s.lists[i]; f.list >= 0 && l.common && !l.function && slices.Contains(s.order[f.begin:f.end], l.term) {
				s.lists[f.list].common = true
			}
		}
	}
}

// rareRelatives counts the rare lists that a list does not count less beside: a phrase and
// its synonyms are one idea, so neither makes the other one less important.
func (s *scratch) rareRelatives(list int) int {
	n := 0
	for _, f := range s.phrases.found {
		said := s.order[f.begin:f.end]
		switch {
		case f.list < 0:
		case f.list == list:
			for i := range s.lists {
				if l := &s.lists[i]; l.isRare() && slices.Contains(said, l.term) {
					n++
				}
			}
		case s.lists[f.list].isRare() && slices.Contains(said, s.lists[list].term):
			n++
		}
	}
	return n
}

// raise reduces the lists of synonyms to what they add to the words of their phrases, so
// that the sum is what counts more: the words of the query, or the best synonym.
func (s *scratch) raise() {
	for _, f := range s.phrases.found {
		if f.list < 0 {
			continue
		}
		said := s.order[f.begin:f.end]
		s.eachPosting(said, func(element, counts uint32) { s.best[element] += counts })
		begin := s.group.end()
		isNew := true
		for l := s.lists[f.list]; len(l.blocks) > 0; {
			base := l.blocks[0].window() << windowBits
			for _, posting := range l.take() {
				element, counts := base|posting>>impactBits, l.counts(posting&impactMask)
				if own := s.best[element]; counts > own {
					s.group.add(element, counts-own, isNew)
					isNew = false
				}
			}
		}
		s.eachPosting(said, func(element, _ uint32) { s.best[element] = 0 })
		s.lists[f.list] = s.group.between(begin, s.group.end())
		s.lists[f.list].term = -1
	}
}

// eachPosting visits the elements that match one of some terms, with what each counts.
func (s *scratch) eachPosting(terms []termAt, visit func(element, counts uint32)) {
	for _, l := range s.lists {
		if l.term < 0 || !slices.Contains(terms, l.term) {
			continue
		}
		for len(l.blocks) > 0 {
			base := l.blocks[0].window() << windowBits
			for _, posting := range l.take() {
				visit(base|posting>>impactBits, l.counts(posting&impactMask))
			}
		}
	}
}

// thesaurus is the synonyms of a release in one locale.
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
			for _, words := range variants(s.tokens, member) {
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
