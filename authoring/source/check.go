package source

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// check runs the checks that concern several files.
func (c *compiler) check() {
	c.checkListed()
	c.checkElementCategories()
	c.checkSymbolsExist()
	c.checkContrast()
	c.checkInherited()
	c.checkCategoryRenames()
	if c.lost[elementFiles] {
		return // what seems to be missing may be in the elements that are
	}
	c.checkEmptyCategories()
	c.checkMinimums()
	c.checkAppliesTo()
	c.checkOptionsReach()
	c.checkSymbolsUsed()
	c.checkSuccessors()
}

// isUndefined reports whether a category does not exist and this has not been
// reported: for the list of the schema, or for a file that cannot be read.
func (c *compiler) isUndefined(id string) bool {
	return c.byCategory[id] == nil && !c.listed[id] && (c.listed != nil || !c.lost[categoryFiles])
}

// checkListed compares the categories that the schema file lists with those
// that exist.
func (c *compiler) checkListed() {
	for _, ref := range c.schema.categories {
		if c.byCategory[ref.id] == nil && !c.lost[categoryFiles] {
			c.misspelt(&c.hints, newError(issue.CodeCategoryUnknown, ref.spot, "add a file for it to categories/",
				"datachain_type: there is no category %s.", prose.Plain(ref.id)), ref.id, maps.Keys(c.byCategory))
		}
	}
	for _, ref := range c.schema.subchains {
		if c.isUndefined(ref.id) {
			c.misspelt(&c.hints, newError(issue.CodeCategoryUnknown, ref.spot, "write the id of a category",
				"datachain_type: a subchain refers to the category %s, which does not exist.", prose.Plain(ref.id)), ref.id, maps.Keys(c.byCategory))
		}
	}
	for _, cat := range c.categories {
		if c.listed != nil && !c.listed[cat.ID] {
			c.errorf(issue.CodeCategoryUnlisted, cat.spot, "add "+cat.ID+" to the list in the schema file; its place there is its order",
				"Category %s is not listed in datachain_type.categories.", cat.ID)
		}
	}
}

// mistake is an id that refers to nothing, in one or more elements.
type mistake struct {
	first  *element
	others int
}

// String says how many other elements have the mistake.
func (m *mistake) String() string {
	switch m.others {
	case 0:
		return ""
	case 1:
		return " (1 other element refers to it)"
	}
	return fmt.Sprintf(" (%d other elements refer to it)", m.others)
}

// mistakes groups elements by the id that wrong returns, in the order of the
// elements. An element for which it returns "" has no mistake.
func (c *compiler) mistakes(wrong func(*element) string) []*mistake {
	var all []*mistake
	byID := make(map[string]*mistake)
	for i := range c.elements {
		e := &c.elements[i]
		switch id := wrong(e); {
		case id == "":
		case byID[id] != nil:
			byID[id].others++
		default:
			byID[id] = &mistake{first: e}
			all = append(all, byID[id])
		}
	}
	return all
}

// misspeltBy is misspelt for an id of one or more elements. What several have written is
// hardly a slip, and has no fix.
func (c *compiler) misspeltBy(m *mistake, i issue.Issue, written string, known iter.Seq[string]) {
	if m.others > 0 {
		i.FixHint = c.hints.suggest(written, known, i.FixHint)
		c.add(i)
		return
	}
	c.misspelt(&c.hints, i, written, known)
}

// checkElementCategories finds elements whose category does not exist.
func (c *compiler) checkElementCategories() {
	for _, m := range c.mistakes(func(e *element) string {
		if c.isUndefined(e.CategoryID) {
			return e.CategoryID
		}
		return ""
	}) {
		e := m.first
		c.misspeltBy(m, newError(issue.CodeCategoryUnknown, spot{e.category.in(e.file), e.path("category_id")}, "write the id of a category",
			"%s: there is no category %s%s.", e, prose.Plain(e.CategoryID), m), e.CategoryID, maps.Keys(c.byCategory))
	}
}

// checkSymbolsExist finds elements whose symbol does not exist.
func (c *compiler) checkSymbolsExist() {
	if c.lost[symbolFiles] {
		return
	}
	for _, m := range c.mistakes(func(e *element) string {
		if _, ok := c.symbols[e.SymbolID]; ok {
			return ""
		}
		return e.SymbolID
	}) {
		e := m.first
		hint := "write the id of a symbol"
		if taxonomy.ValidID(e.SymbolID) {
			hint = "add symbols/" + e.SymbolID + symbolExt
		}
		c.misspeltBy(m, newError(issue.CodeSymbolMissing, spot{e.symbol.in(e.file), e.path("symbol_id")}, hint,
			"%s: there is no symbol %s%s.", e, prose.Plain(e.SymbolID), m), e.SymbolID, maps.Keys(c.symbols))
	}
}

func (c *compiler) checkSymbolsUsed() {
	used := make(map[string]bool, len(c.symbols))
	for i := range c.elements {
		used[c.elements[i].SymbolID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(c.symbols)) {
		if !used[id] {
			c.add(issue.Issue{
				Code: issue.CodeSymbolUnused, Severity: issue.SeverityWarning, Groups: []string{"unused symbol"},
				Position: wholeFile(c.symbols[id].file).at, Path: issue.Root,
				Message: fmt.Sprintf("No element uses the symbol %s.", prose.Plain(id)), FixHint: "use it, or remove the file",
			})
		}
	}
}

// checkEmptyCategories finds categories without elements.
func (c *compiler) checkEmptyCategories() {
	for _, cat := range c.categories {
		switch {
		case len(c.members[cat.ID]) > 0 || c.listed != nil && !c.listed[cat.ID]:
		case cat.Required || cat.Cardinality.Min > 0:
			c.errorf(issue.CodeCategoryEmpty, cat.spot, "add an element to it, or make it optional", "Category %s is required, but has no elements.", cat.ID)
		default:
			c.warnf(issue.CodeCategoryEmpty, cat.spot, "add an element to it", "Category %s has no elements.", cat.ID)
		}
	}
}

// checkInherited keeps a small source from growing into a huge release: each
// element has the variables and icon variants of its category.
func (c *compiler) checkInherited() {
	left := c.opts.MaxTotalSize
	for _, cat := range c.categories {
		size, n := inheritedSize(cat), int64(len(c.members[cat.ID]))
		if n > 0 && size > left/n {
			c.errorf(issue.CodeSourceTooLarge, cat.spot, "declare fewer variables and context values, or split the category",
				"Each of the %d elements of category %s inherits %d bytes of variables and icon variants, which makes the release too large.", n, cat.ID, size)
			return
		}
		left -= size * n
	}
}

// inheritedSize returns about how many bytes an element of the category
// inherits.
func inheritedSize(cat *category) int64 {
	size := 0
	add := func(id string, texts ...taxonomy.Localized) {
		size += len(id)
		for _, t := range slices.Concat(texts...) {
			size += len(t.Locale) + len(t.Value)
		}
	}
	for _, v := range cat.Context.Values {
		add(v.ID)
	}
	history := func(ids []string, sources []taxonomy.Source) {
		for _, id := range ids {
			add(id)
		}
		for _, s := range sources {
			size += len(s.Type) + len(s.Title) + len(s.URL) + len(s.Citation) + len(s.Licence) + len(s.Attribution)
		}
	}
	for _, v := range cat.Variables {
		add(v.ID, v.Label)
		history(v.RenamedFrom, v.Sources)
		for _, o := range v.Options {
			add(o.ID, o.Label, o.Description)
			history(slices.Concat(o.AppliesTo, o.RenamedFrom), o.Sources)
		}
	}
	return int64(size)
}
