package product

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// match finds, for the placements of one document, those of another that are the same: by
// element_instance_id, or else the most similar of the element, or else the first. It also returns
// the placements of the other document that were chosen among several.
func match(from, to []*placement) (found map[*placement]*placement, guessed []*placement) {
	found = make(map[*placement]*placement, len(from))
	type key struct{ element, instance string }
	byInstance := make(map[key]*placement)
	for _, p := range to {
		if k := (key{p.element, p.instance}); p.instance != "" && byInstance[k] == nil {
			byInstance[k] = p
		}
	}
	type group struct{ from, to []*placement }
	groups := make(map[string]*group)
	groupOf := func(element string) *group {
		if groups[element] == nil {
			groups[element] = new(group)
		}
		return groups[element]
	}
	used := make(map[*placement]bool)
	var elements []string // in order
	for _, p := range from {
		k := key{p.element, p.instance}
		if other := byInstance[k]; p.instance != "" && other != nil && !used[other] {
			found[p], used[other] = other, true
			continue
		}
		if g := groupOf(p.element); len(g.from) == 0 {
			elements = append(elements, p.element)
		}
		groupOf(p.element).from = append(groupOf(p.element).from, p)
	}
	for _, p := range to {
		if !used[p] && groups[p.element] != nil {
			groups[p.element].to = append(groups[p.element].to, p)
		}
	}
	for _, element := range elements {
		g := groups[element]
		several := len(g.from) > 1 || len(g.to) > 1
		pairs := similar(g.from, g.to)
		for _, p := range g.from {
			if other := pairs[p]; other != nil {
				found[p] = other
				if several && other.instance == "" {
					guessed = append(guessed, other)
				}
			}
		}
	}
	return found, guessed
}

// maxSimilar is how many placements of an element are compared with one another. More are divided by
// their order.
const maxSimilar = 64

// similar pairs placements of an element: those that are equal first, then the most similar ones. Two
// with different instance ids are never a pair.
func similar(from, to []*placement) map[*placement]*placement {
	pairs, used := make(map[*placement]*placement, len(from)), make(map[*placement]bool)
	equal := make(map[string][]*placement)
	for _, p := range to {
		text := canonical(p.at)
		equal[text] = append(equal[text], p)
	}
	for _, p := range from {
		text := canonical(p.at)
		if equals := equal[text]; len(equals) > 0 {
			pairs[p], used[equals[0]], equal[text] = equals[0], true, equals[1:]
		}
	}
	from, to = slices.DeleteFunc(slices.Clone(from), func(p *placement) bool { return pairs[p] != nil }),
		slices.DeleteFunc(slices.Clone(to), func(p *placement) bool { return used[p] })
	type pair struct {
		from, to *placement
		alike    int
	}
	var all []pair
	for i, p := range from {
		for _, other := range to[min(len(to), i/maxSimilar*maxSimilar):min(len(to), i/maxSimilar*maxSimilar+maxSimilar)] {
			if p.instance == "" || other.instance == "" {
				all = append(all, pair{p, other, p.similarity(other)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(b.alike, a.alike) })
	for _, c := range all {
		if pairs[c.from] == nil && !used[c.to] {
			pairs[c.from], used[c.to] = c.to, true
		}
	}
	return pairs
}

// similarity returns how much two placements have in common.
func (p *placement) similarity(other *placement) int {
	a, b := p.statements(), other.statements()
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for part, times := range a {
		n += min(times, b[part])
	}
	return n
}

// statements returns the parts of a placement: its members, and the texts and options of its variables.
func (p *placement) statements() map[string]int {
	if p.parts != nil {
		return p.parts
	}
	p.parts = make(map[string]int)
	for _, key := range p.keys {
		if key != "variables" {
			p.parts[key+" "+canonical(p.get(key))]++
			continue
		}
		for v := range p.get(key).All() {
			id, _ := v.Get("id")
			value, _ := v.Get("value")
			if value.Kind() == '[' {
				p.addParts(id.Text(), value)
			}
		}
	}
	return p.parts
}

func (p *placement) addParts(id string, value document.Value) {
	for item := range value.All() {
		p.parts["variables "+id+" "+canonical(item)]++
	}
}
