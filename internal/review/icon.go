package review

import (
	"fmt"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

var sameIcon = &Sign{
	ID:      "same-icon",
	Group:   "icons",
	Purpose: "Elements of a category with the same symbol have the same icon, so the icon says nothing.",
	Advice:  "Draw a symbol for each. Elements of other categories may share it.",
	Limit:   1, Unit: "elements", Weight: 2,
	run: func(p *pass) error {
		type icon struct{ symbol, category string }
		users := map[icon][]string{}
		var order []icon
		for _, e := range p.release.Elements() {
			i := icon{e.SymbolID, e.CategoryID}
			if users[i] = append(users[i], e.ID); len(users[i]) == 1 {
				order = append(order, i)
			}
		}
		for _, i := range order {
			if n := len(users[i]); float64(n) > p.limit {
				p.add(KindSymbol, i.symbol, Finding{
					Value: float64(n), Others: users[i],
					Message: fmt.Sprintf("%d elements of the category %s have this symbol: %s.", n, i.category, some(users[i])),
				})
			}
		}
		return nil
	},
}

var likeIcon = &Sign{
	ID:      "like-icon",
	Group:   "icons",
	Purpose: "Symbols that differ in a detail are taken for one another at 24 pixels.",
	Advice:  "Look at both in small size (datachain icons sheet), and make the difference the largest part of one drawing.",
	Limit:   0.75, Unit: "of 1, the same drawing", Weight: 2,
	run: func(p *pass) error {
		drawn, err := p.drawings()
		if err != nil {
			return err
		}
		for i, a := range drawn {
			if err := p.interrupted(); err != nil {
				return err
			}
			for _, b := range drawn[i+1:] {
				if likeness := a.raster.Likeness(b.raster); likeness > p.limit && a.meets(b) {
					p.add(KindSymbol, a.id, Finding{
						Value: likeness, Others: append(append([]string{}, a.elements...), b.elements...),
						Message: fmt.Sprintf("It looks like the symbol %s (%.2f of 1); they stand for %s, and %s.", b.id, likeness, some(a.elements), some(b.elements)),
					})
				}
			}
		}
		return nil
	},
}

// drawing is a symbol that elements use.
type drawing struct {
	id       string
	raster   *icons.Raster
	elements []string
	shapes   map[taxonomy.Shape]bool
}

// meets reports whether two symbols are on the same shape somewhere. Otherwise the shapes
// tell them apart.
func (d *drawing) meets(o *drawing) bool {
	for shape := range d.shapes {
		if o.shapes[shape] {
			return true
		}
	}
	return false
}

// drawings draws the symbols that elements use, in the order of their first use. A symbol
// that can't be drawn has been reported by lint.
func (p *pass) drawings() ([]*drawing, error) {
	set := icons.NewSet(p.release, nil)
	known := map[string]*drawing{}
	var list []*drawing
	for _, e := range p.release.Elements() {
		d := known[e.SymbolID]
		if d == nil {
			if err := p.interrupted(); err != nil {
				return nil, err
			}
			symbol, err := set.Symbol(e.SymbolID)
			if err != nil {
				continue
			}
			d = &drawing{id: e.SymbolID, raster: symbol.Raster(), shapes: map[taxonomy.Shape]bool{}}
			known[e.SymbolID] = d
			list = append(list, d)
		}
		d.elements = append(d.elements, e.ID)
		if c, ok := p.release.Category(e.CategoryID); ok {
			d.shapes[c.Shape] = true
		}
	}
	return list, nil
}
