package taxonomy

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// check indexes the parts of a release by id, and checks that it is consistent, so that every
// reference leads somewhere.
func (r *Release) check(elements []*Element) error {
	err := r.checkHead()
	if err == nil {
		err = r.checkElements(elements)
	}
	if err == nil {
		return nil
	}
	err.Version = r.version.String()
	return err
}

// checkHead checks everything but the elements.
func (r *Release) checkHead() *releaseError {
	for _, step := range []func() *releaseError{r.checkManifest, r.checkSymbols, r.checkCategories} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func wrong(path issue.Path, format string, args ...any) *releaseError {
	return &releaseError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

// The places of the parts in a release.json.
var (
	manifestPath   = issue.Root.Key("manifest")
	typePath       = issue.Root.Key("datachain_type")
	categoriesPath = issue.Root.Key("categories")
	elementsPath   = issue.Root.Key("elements")
	symbolsPath    = issue.Root.Key("symbols")
)

func (r *Release) checkManifest() *releaseError {
	switch m := &r.manifest; {
	case m.ID.IsZero():
		return wrong(manifestPath.Key("id"), "the version id is missing")
	case m.Status != m.ID.Status():
		return wrong(manifestPath.Key("status"), "status %q does not match the id %s", m.Status, m.ID)
	case len(m.Locales) == 0:
		return wrong(manifestPath.Key("locales"), "at least one locale is required")
	case r.typ.ID != m.ID.Type():
		return wrong(typePath.Key("id"), "the type %q does not match the version id %s", r.typ.ID, m.ID)
	}
	return nil
}

func (r *Release) checkSymbols() *releaseError {
	for _, id := range r.symbolIDs {
		if !ident.IsID(id) {
			return wrong(symbolsPath.Key(id), "malformed symbol id")
		}
		if !utf8.ValidString(r.symbols[id]) { // the hash would not tell invalid bytes apart
			return wrong(symbolsPath.Key(id), "the text is not UTF-8")
		}
	}
	return nil
}

func (r *Release) checkCategories() *releaseError {
	r.byCategory = make(map[string]int, len(r.categories))
	declared := make([]string, len(r.categories))
	for i, c := range r.categories {
		at := categoriesPath.Index(i)
		if !ident.IsID(c.ID) {
			return wrong(at.Key("id"), "malformed category id %q", c.ID)
		}
		if _, twice := r.byCategory[c.ID]; twice {
			return wrong(at.Key("id"), "duplicate category %s", c.ID)
		}
		r.byCategory[c.ID], declared[i] = i, c.ID
		if !slices.Contains(Shapes(), c.Shape) {
			return wrong(at.Key("shape"), "unknown shape %q", c.Shape)
		}
		if err := c.checkContext(at.Key("context").Key("values")); err != nil {
			return err
		}
	}
	if !slices.Equal(declared, r.typ.Categories) {
		return wrong(typePath.Key("categories"), "the list differs from the categories of the release or their order")
	}
	for i, s := range r.typ.Subchains {
		for k, id := range s.Categories {
			if _, ok := r.byCategory[id]; !ok {
				return wrong(typePath.Key("subchains").Index(i).Key("categories").Index(k), "unknown category %q", id)
			}
		}
	}
	return nil
}

// checkContext checks that the icon variants of a category are distinct.
func (c *Category) checkContext(values issue.Path) *releaseError {
	seen := map[string]bool{VariantDefault: true, VariantDark: true}
	for i, v := range c.Context.Values {
		if !ident.IsID(v.ID) {
			return wrong(values.Index(i).Key("id"), "malformed context value id %q", v.ID)
		}
		if seen[v.ID] {
			return wrong(values.Index(i).Key("id"), "duplicate icon variant %s", v.ID)
		}
		seen[v.ID] = true
	}
	return nil
}

// checkElements checks the decoded elements and adds them to the release.
func (r *Release) checkElements(elements []*Element) *releaseError {
	r.elements, r.elementIDs, r.byElement = elements, make([]string, len(elements)), make(map[string]int, len(elements))
	variants := r.variants()
	r.first = make([]int, len(r.categories)+1)
	last := 0 // the category of the element before
	for i, e := range elements {
		category, ok := r.byCategory[e.CategoryID]
		if !ok {
			return wrong(elementsPath.Index(i).Key("category_id"), "element %s: unknown category %q", e.ID, e.CategoryID)
		}
		if err := r.checkElement(i, e, variants[category]); err != nil {
			return err
		}
		if _, twice := r.byElement[e.ID]; twice {
			return wrong(elementsPath.Index(i).Key("id"), "duplicate element %s", e.ID)
		}
		if i > 0 && cmp.Or(last-category, compareElements(elements[i-1], e)) > 0 {
			return outOfOrder(i, e.ID)
		}
		for ; last < category; last++ {
			r.first[last+1] = i
		}
		r.elementIDs[i], r.byElement[e.ID] = e.ID, i
	}
	for ; last < len(r.categories); last++ {
		r.first[last+1] = len(elements)
	}
	return nil
}

// variants returns the icon variants of the categories.
func (r *Release) variants() [][]string {
	variants := make([][]string, len(r.categories))
	for i, c := range r.categories {
		variants[i] = c.IconVariants()
	}
	return variants
}

// checkElement checks element i by itself, given the icon variants of its category.
func (r *Release) checkElement(i int, e *Element, variants []string) *releaseError {
	if !ident.IsElementID(e.ID) {
		return wrong(elementsPath.Index(i).Key("id"), "malformed element id %q", e.ID)
	}
	if !slices.Equal(e.IconVariants, variants) {
		return wrong(elementsPath.Index(i).Key("icon_variants"), "element %s: icon_variants must be %q", e.ID, variants)
	}
	if _, ok := r.symbols[e.SymbolID]; !ok && r.symbols != nil {
		return wrong(elementsPath.Index(i).Key("symbol_id"), "element %s: symbol %q is missing", e.ID, e.SymbolID)
	}
	return nil
}

func outOfOrder(i int, id string) *releaseError {
	return wrong(elementsPath.Index(i), "element %s is out of order: elements are sorted by category, then order, then id", id)
}

// compareElements orders the elements of a category. The content hash covers both
// fields, so it determines the order.
func compareElements(a, b *Element) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
}
