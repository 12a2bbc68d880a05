package validate

import "github.com/datachain-go/datachain/taxonomy"

// counted is what a placement counts as: an element and its category, or nil.
type counted struct {
	element  *taxonomy.Element
	category *taxonomy.Category
}

// counting returns the schema that says which categories are required, and how often
// elements and categories can be placed. It is the published version, if there is one:
// a snapshot has only the categories that are placed, so a category that was removed
// from both would not be missed.
func (p *Pass) counting() Schema {
	if p.Live != nil {
		return p.Live
	}
	return p.Schema
}

// count counts the placements of each category.
func (p *Pass) count() {
	p.perCategory = make(map[*taxonomy.Category]int)
	for i := range p.placed {
		placed := &p.placed[i]
		placed.counted = counted{placed.Element, placed.Category}
		if p.Live != nil {
			placed.counted = p.countLive(placed)
		}
		if c := placed.counted.category; c != nil {
			p.perCategory[c]++
		}
	}
}

// meantFor returns how many placements a category has or, if they are fewer than
// needed, was meant to have: a misspelled element_id, or the id of the category in its
// place, is one mistake, and not also that of a missing placement.
func (p *Pass) meantFor(c *taxonomy.Category, needed int) int {
	n := p.perCategory[c]
	if n < needed {
		n += p.typos().perCategory[c]
	}
	return n
}

// misspelled is what the placements of unknown elements were probably meant to place.
type misspelled struct {
	elements    map[string]bool
	perCategory map[*taxonomy.Category]int
}

// typos guesses what the placements of unknown elements were meant to place.
func (p *Pass) typos() *misspelled {
	if p.misspelled != nil {
		return p.misspelled
	}
	m := &misspelled{make(map[string]bool), make(map[*taxonomy.Category]int)}
	p.misspelled = m
	for placed := range p.Placements() {
		if placed.counted.element != nil || placed.unread {
			continue
		}
		category := placed.ElementID // in place of one of its elements
		near := p.hints.element(placed.ElementID, p.counting()).one
		if e, ok := p.counting().Element(near); ok {
			m.elements[near], category = true, e.CategoryID
		}
		if c, ok := p.counting().Category(category); ok {
			m.perCategory[c]++
		}
	}
	return m
}

// countLive returns what a placement of a resolved document counts as in the published
// version. Only that and the suggestions count, not what the snapshot says.
func (p *Pass) countLive(placed *Placed) counted {
	e, published := p.Live.Element(placed.ElementID)
	if !published {
		if e = p.pool.suggested[placed.ElementID]; e == nil {
			return counted{}
		}
	}
	c, _ := p.Live.Category(e.CategoryID)
	return counted{e, c}
}
