package review

import "fmt"

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
