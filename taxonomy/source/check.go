package source

import (
	"fmt"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// check runs the rules that go across files, in a fixed order. Each takes what
// was read as it is, whatever is missing from it.
func (c *compiler) check() {
	for _, rule := range []func(){
		c.checkListed,
		c.checkElementCategories,
		c.checkEmptyCategories,
		c.checkMinimums,
		c.checkAppliesTo,
		c.checkOptionsReach,
		c.checkSymbolsExist,
		c.checkSymbolsUsed,
		c.checkContrast,
		c.checkInherited,
	} {
		rule()
	}
}

func (c *compiler) wrong(s issue.Severity, code issue.Code, ref reference, message, hint string) {
	c.add(issue.Issue{Code: code, Severity: s, Message: message, FixHint: hint, Path: ref.path, Position: ref.at})
}

// nearest is a hint: the known ids nearest to a wrong one, or else.
func (c *compiler) nearest(id string, known func(func(string) bool), otherwise string) string {
	if near := c.hints.nearest(id, known); near != "" {
		return "write " + near
	}
	return otherwise
}

// checkListed holds datachain_type.categories and the subchains against the
// categories that there are.
func (c *compiler) checkListed() {
	listed := c.listed()
	for _, ref := range c.schema.listed {
		if c.byCategory[ref.id] == nil && !c.lost.categories {
			c.wrong(issue.SeverityError, issue.CodeCategoryUnknown, ref, fmt.Sprintf("there is no category %s", prose.Clip(ref.id)), c.nearest(ref.id, maps.Keys(c.byCategory), "add a file for it to categories/"))
		}
	}
	for _, ref := range c.schema.subchains {
		if c.byCategory[ref.id] == nil && !c.presumed(ref.id, listed) {
			c.wrong(issue.SeverityError, issue.CodeCategoryUnknown, ref, fmt.Sprintf("a subchain names the category %s, which there is not", prose.Clip(ref.id)), c.nearest(ref.id, maps.Keys(c.byCategory), "write the id of a category"))
		}
	}
	for i := range c.categories {
		if cat := &c.categories[i]; listed != nil && !listed[cat.ID] {
			c.wrong(issue.SeverityError, issue.CodeCategoryUnlisted, cat.at, fmt.Sprintf("category %s is not in datachain_type.categories", cat.ID), "add "+cat.ID+" to the list in the schema file; its place there is its order")
		}
	}
}

// listed returns the ids of datachain_type.categories, or nil where the schema
// does not say them.
func (c *compiler) listed() map[string]bool {
	if len(c.schema.listed) == 0 {
		return nil
	}
	listed := make(map[string]bool, len(c.schema.listed))
	for _, ref := range c.schema.listed {
		listed[ref.id] = true
	}
	return listed
}

// presumed reports whether a category that is not there has been noted: in the
// list of the schema, or as a file that can't be read.
func (c *compiler) presumed(id string, listed map[string]bool) bool {
	return listed[id] || c.lost.categories && listed == nil
}

// checkElementCategories finds elements of no category. A wrong id is noted
// where it stands first.
func (c *compiler) checkElementCategories() {
	listed := c.listed()
	unknown := newTally()
	for i := range c.elements {
		if e := &c.elements[i]; e.CategoryID != "" && c.byCategory[e.CategoryID] == nil && !c.presumed(e.CategoryID, listed) {
			unknown.add(e.CategoryID, e)
		}
	}
	for e, others := range unknown.all() {
		ref := reference{e.CategoryID, e.position(e.category), e.path("category_id")}
		c.wrong(issue.SeverityError, issue.CodeCategoryUnknown, ref, fmt.Sprintf("%s: there is no category %s%s", e.what(), prose.Clip(e.CategoryID), others),
			c.nearest(e.CategoryID, maps.Keys(c.byCategory), "write the id of a category"))
	}
}

// checkEmptyCategories finds categories that no document could use.
func (c *compiler) checkEmptyCategories() {
	if c.lost.elements {
		return // it may be where the element is that can't be read
	}
	listed := c.listed()
	used := make(map[string]bool)
	for i := range c.elements {
		used[c.elements[i].CategoryID] = true
	}
	for i := range c.categories {
		switch cat := &c.categories[i]; {
		case used[cat.ID] || listed != nil && !listed[cat.ID]:
		case cat.Required || cat.Cardinality.Min > 0:
			c.wrong(issue.SeverityError, issue.CodeCategoryEmpty, cat.at, fmt.Sprintf("category %s must be used, but has no elements", cat.ID), "add an element to it, or make it optional")
		default:
			c.wrong(issue.SeverityWarning, issue.CodeCategoryEmpty, cat.at, fmt.Sprintf("category %s has no elements", cat.ID), "add an element to it")
		}
	}
}

// checkAppliesTo holds the elements that options name against those that have
// the variable: for a category's variable its elements, for an element's own
// that element.
func (c *compiler) checkAppliesTo() {
	if c.lost.elements {
		return
	}
	byCategory := make(map[string][]string)
	categoryOf := make(map[string]string, len(c.elements))
	for i := range c.elements {
		e := &c.elements[i]
		categoryOf[e.ID] = e.CategoryID
		byCategory[e.CategoryID] = append(byCategory[e.CategoryID], e.ID)
	}
	for i := range c.categories {
		cat := &c.categories[i]
		c.checkAppliers(cat.appliers, "category "+cat.ID, func(id string) bool { return categoryOf[id] == cat.ID }, byCategory[cat.ID])
	}
	for i := range c.elements {
		e := &c.elements[i]
		c.checkAppliers(e.appliers, e.what(), func(id string) bool { return id == e.ID }, []string{e.ID})
	}
}

func (c *compiler) checkAppliers(appliers []applier, owner string, reaches func(string) bool, known []string) {
	for _, a := range appliers {
		for _, ref := range a.elements {
			if !reaches(ref.id) {
				c.wrong(issue.SeverityError, issue.CodeElementUnknown, ref, fmt.Sprintf("%s: %s: applies_to names %s, which does not have the variable", owner, a.owner, prose.Clip(ref.id)),
					c.nearest(ref.id, slices.Values(known), "write the id of an element that has the variable"))
			}
		}
	}
}

// checkSymbolsExist finds elements without a symbol. A wrong id is noted where
// it stands first.
func (c *compiler) checkSymbolsExist() {
	if c.lost.symbols {
		return
	}
	missing := newTally()
	for i := range c.elements {
		e := &c.elements[i]
		if _, ok := c.symbols[e.SymbolID]; !ok && e.SymbolID != "" {
			missing.add(e.SymbolID, e)
		}
	}
	for e, others := range missing.all() {
		otherwise := "write the id of a symbol"
		if taxonomy.ValidID(e.SymbolID) {
			otherwise = "draw symbols/" + e.SymbolID + symbolExt
		}
		ref := reference{e.SymbolID, e.position(e.symbol), e.path("symbol_id")}
		c.wrong(issue.SeverityError, issue.CodeSymbolMissing, ref, fmt.Sprintf("%s: there is no symbol %s%s", e.what(), prose.Clip(e.SymbolID), others),
			c.nearest(e.SymbolID, maps.Keys(c.symbols), otherwise))
	}
}

func (c *compiler) checkSymbolsUsed() {
	if c.lost.elements {
		return
	}
	used := make(map[string]bool, len(c.symbols))
	for i := range c.elements {
		used[c.elements[i].SymbolID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.symbols)) {
		if !used[id] {
			c.atFile(issue.SeverityWarning, issue.CodeSymbolUnused, c.symbols[id].file, fmt.Sprintf("no element uses the symbol %s", id), "use it, or remove the file")
		}
	}
}

// checkInherited keeps a small source from growing into a huge release: each
// element carries the variables and icon variants of its category.
func (c *compiler) checkInherited() {
	count := make(map[string]int64)
	for i := range c.elements {
		count[c.elements[i].CategoryID]++
	}
	left := c.opts.MaxTotalSize
	for i := range c.categories {
		cat := &c.categories[i]
		size := inheritedSize(cat)
		if n := count[cat.ID]; n > 0 && size > left/n {
			c.wrong(issue.SeverityError, issue.CodeSourceTooLarge, cat.at,
				fmt.Sprintf("each of the %d elements of category %s inherits %d bytes of variables and icon variants, which makes the release too large", n, cat.ID, size),
				"declare fewer variables and context values, or split the category")
			return
		}
		left -= size * count[cat.ID]
	}
}

// inheritedSize is about how many bytes an element of the category inherits.
func inheritedSize(cat *category) int64 {
	size := 0
	add := func(id string, texts ...taxonomy.Localized) {
		size += len(id)
		for _, l := range texts {
			for _, t := range l {
				size += len(t.Locale) + len(t.Value)
			}
		}
	}
	for _, v := range cat.Context.Values {
		add(v.ID)
	}
	for _, v := range cat.Variables {
		add(v.ID, v.Label)
		for _, o := range v.Options {
			add(o.ID, o.Label, o.Description)
			for _, id := range o.AppliesTo {
				add(id)
			}
		}
	}
	return int64(size)
}
