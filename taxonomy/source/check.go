package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// check runs the rules that go across files, in a fixed order. Each takes what
// was read as it is, whatever is missing from it.
func (c *compiler) check() {
	for _, rule := range []func(){
		c.checkListed,
		c.checkElementCategories,
		c.checkEmptyCategories,
		c.checkAppliesTo,
		c.checkSymbolsExist,
		c.checkSymbolsUsed,
		c.checkContrast,
	} {
		rule()
	}
}

func (c *compiler) wrong(s taxonomy.Severity, code taxonomy.Code, ref reference, message, hint string) {
	c.add(taxonomy.Issue{Code: code, Severity: s, Message: message, FixHint: hint, Path: ref.path, Position: ref.at})
}

// nearest is a hint: the known id nearest to a wrong one, or else.
func (c *compiler) nearest(id string, known func(func(string) bool), otherwise string) string {
	if near := c.hints.nearest(id, known); near != "" {
		return "write " + near
	}
	return otherwise
}

// checkListed holds datachain_type.categories and the subchains against the
// categories that there are.
func (c *compiler) checkListed() {
	known := maps.Keys(c.byCategory)
	for _, ref := range slices.Concat(c.schema.listed, c.schema.subchains) {
		if c.byCategory[ref.id] == nil {
			c.wrong(taxonomy.SeverityError, taxonomy.CodeCategoryUnknown, ref, fmt.Sprintf("there is no category %s", shorten(ref.id)), c.nearest(ref.id, known, "add a file for it to categories/"))
		}
	}
	if len(c.files.schema) == 0 || c.schema.listed == nil {
		return // one finding there is enough
	}
	for i := range c.categories {
		cat := &c.categories[i]
		if !slices.Contains(c.schema.typ.Categories, cat.ID) {
			c.wrong(taxonomy.SeverityError, taxonomy.CodeCategoryUnlisted, cat.at, fmt.Sprintf("category %s is not in datachain_type.categories", cat.ID), "add "+cat.ID+" to the list in the schema file; its place there is its order")
		}
	}
}

func (c *compiler) checkElementCategories() {
	for i := range c.elements {
		e := &c.elements[i]
		if c.byCategory[e.CategoryID] == nil {
			c.wrong(taxonomy.SeverityError, taxonomy.CodeCategoryUnknown, e.category, fmt.Sprintf("element %s: there is no category %s", e.ID, shorten(e.CategoryID)), c.nearest(e.CategoryID, maps.Keys(c.byCategory), "write the id of a category"))
		}
	}
}

// checkEmptyCategories finds categories that no document could use.
func (c *compiler) checkEmptyCategories() {
	used := make(map[string]bool)
	for i := range c.elements {
		used[c.elements[i].CategoryID] = true
	}
	for i := range c.categories {
		cat := &c.categories[i]
		if used[cat.ID] {
			continue
		}
		if cat.Required || cat.Cardinality.Min > 0 {
			c.wrong(taxonomy.SeverityError, taxonomy.CodeCategoryEmpty, cat.at, fmt.Sprintf("category %s must be used, but has no elements", cat.ID), "add an element to it, or make it optional")
		} else {
			c.wrong(taxonomy.SeverityWarning, taxonomy.CodeCategoryEmpty, cat.at, fmt.Sprintf("category %s has no elements", cat.ID), "add an element to it")
		}
	}
}

// checkAppliesTo holds the elements that options name against those that have
// the variable: for a category's variable its elements, for an element's own
// that element.
func (c *compiler) checkAppliesTo() {
	categoryOf := make(map[string]string, len(c.elements))
	for i := range c.elements {
		categoryOf[c.elements[i].ID] = c.elements[i].CategoryID
	}
	inCategory := func(id string) func(func(string) bool) {
		return func(yield func(string) bool) {
			for i := range c.elements {
				if e := &c.elements[i]; e.CategoryID == id && !yield(e.ID) {
					return
				}
			}
		}
	}
	for i := range c.categories {
		cat := &c.categories[i]
		c.checkAppliers(cat.appliers, fmt.Sprintf("category %s", cat.ID), func(id string) bool { return categoryOf[id] == cat.ID }, inCategory(cat.ID))
	}
	for i := range c.elements {
		e := &c.elements[i]
		c.checkAppliers(e.appliers, "element "+e.ID, func(id string) bool { return id == e.ID }, slices.Values([]string{e.ID}))
	}
}

func (c *compiler) checkAppliers(appliers []applier, owner string, reaches func(string) bool, known func(func(string) bool)) {
	for _, a := range appliers {
		for _, ref := range a.elements {
			if !reaches(ref.id) {
				c.wrong(taxonomy.SeverityError, taxonomy.CodeElementUnknown, ref, fmt.Sprintf("%s: %s: applies_to names %s, which does not have the variable", owner, a.owner, shorten(ref.id)), c.nearest(ref.id, known, "write the id of an element that has the variable"))
			}
		}
	}
}

func (c *compiler) checkSymbolsExist() {
	for i := range c.elements {
		e := &c.elements[i]
		if _, ok := c.symbols[e.SymbolID]; ok {
			continue
		}
		c.wrong(taxonomy.SeverityError, taxonomy.CodeSymbolMissing, e.symbol, fmt.Sprintf("element %s: there is no symbol %s", e.ID, shorten(e.SymbolID)),
			c.nearest(e.SymbolID, maps.Keys(c.symbols), "draw symbols/"+shorten(e.SymbolID)+symbolExt))
	}
}

func (c *compiler) checkSymbolsUsed() {
	used := make(map[string]bool, len(c.symbols))
	for i := range c.elements {
		used[c.elements[i].SymbolID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.symbols)) {
		if !used[id] {
			c.atFile(taxonomy.SeverityWarning, taxonomy.CodeSymbolUnused, c.symbols[id].file, fmt.Sprintf("no element uses the symbol %s", id), "use it, or remove the file")
		}
	}
}

// minContrast is WCAG 2.x level AA for text.
const minContrast = 4.5

// checkContrast finds symbols that can't be seen on a colour of their
// category. Where a symbol is drawn in currentColor the composer picks black
// or white, and one of the two always contrasts enough (at least 4.58 to 1);
// so this is about symbols that bring their own colours.
func (c *compiler) checkContrast() {
	type pair struct{ category, symbol string }
	seen := make(map[pair]bool)
	for i := range c.elements {
		e := &c.elements[i]
		cat, sym := c.byCategory[e.CategoryID], c.symbols[e.SymbolID]
		p := pair{e.CategoryID, e.SymbolID}
		if cat == nil || seen[p] || len(sym.paints) == 0 || slices.Contains(sym.paints, "currentColor") {
			continue
		}
		seen[p] = true
		for _, color := range cat.colors {
			ground, ok := icons.ParseColor(color.id)
			if !ok {
				continue // a tag has no colour
			}
			if best := bestContrast(sym.paints, ground); best < minContrast {
				c.wrong(taxonomy.SeverityWarning, taxonomy.CodeContrastLow, color,
					fmt.Sprintf("the symbol %s (%s) contrasts only %.2f to 1 with %s", e.SymbolID, strings.Join(sym.paints, ", "), best, ground),
					"draw the symbol in currentColor, or choose another colour")
			}
		}
	}
}

func bestContrast(paints []string, ground icons.Color) float64 {
	best := 1.0
	for _, p := range paints {
		if color, ok := icons.ParseColor(p); ok {
			best = max(best, color.Contrast(ground))
		}
	}
	return best
}
