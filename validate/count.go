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
