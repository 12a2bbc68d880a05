package taxonomy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// check makes sure that a release hangs together, so that whoever holds one
// never meets a reference that leads nowhere, and files its parts by id.
func (r *Release) check() error {
	for _, step := range []func() *ReleaseError{r.checkManifest, r.checkSymbols, r.checkCategories, r.checkElements} {
		if err := step(); err != nil {
			err.Version = r.version.String()
			return err
		}
	}
	return nil
}

func wrong(path issue.Path, format string, args ...any) *ReleaseError {
	return &ReleaseError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

func (r *Release) checkManifest() *ReleaseError {
	at := issue.Root.Key("manifest")
	switch m := &r.manifest; {
	case m.ID.IsZero():
		return wrong(at.Key("id"), "the version id is missing")
	case m.Status != m.ID.Status():
		return wrong(at.Key("status"), "status %q does not fit the id %s", m.Status, m.ID)
	case len(m.Locales) == 0:
		return wrong(at.Key("locales"), "at least one locale is needed")
	case r.typ.ID != m.ID.Type():
		return wrong(issue.Root.Key("datachain_type").Key("id"), "the type %q does not fit the version id %s", r.typ.ID, m.ID)
	}
	return nil
}

func (r *Release) checkSymbols() *ReleaseError {
	for _, id := range r.symbolIDs {
		if !ValidID(id) {
			return wrong(issue.Root.Key("symbols").Key(id), "malformed symbol id")
		}
		// The hash could not tell invalid bytes apart.
		if !utf8.ValidString(r.symbols[id]) {
			return wrong(issue.Root.Key("symbols").Key(id), "the text is not UTF-8")
		}
	}
	return nil
}

func (r *Release) checkCategories() *ReleaseError {
	r.byCategory = make(map[string]int, len(r.categories))
	for i, c := range r.categories {
		at := issue.Root.Key("categories").Index(i)
		if !ValidID(c.ID) {
			return wrong(at.Key("id"), "malformed category id %q", c.ID)
		}
		if _, twice := r.byCategory[c.ID]; twice {
			return wrong(at.Key("id"), "category %s is there twice", c.ID)
		}
		r.byCategory[c.ID] = i
		if !slices.Contains(Shapes(), c.Shape) {
			return wrong(at.Key("shape"), "unknown shape %q", c.Shape)
		}
		if err := c.checkContext(at.Key("context").Key("values")); err != nil {
			return err
		}
	}
	declared := make([]string, len(r.categories))
	for i, c := range r.categories {
		declared[i] = c.ID
	}
	if !slices.Equal(declared, r.typ.Categories) {
		return wrong(issue.Root.Key("datachain_type").Key("categories"), "the list differs from the categories of the release or from their order")
	}
	for i, s := range r.typ.Subchains {
		for k, id := range s.Categories {
			if _, ok := r.byCategory[id]; !ok {
				return wrong(issue.Root.Key("datachain_type").Key("subchains").Index(i).Key("categories").Index(k), "unknown category %q", id)
			}
		}
	}
	return nil
}

// checkContext sees to it that the icon variants of a category can be told
// apart.
func (c *Category) checkContext(values issue.Path) *ReleaseError {
	taken := map[string]bool{VariantDefault: true, VariantDark: true}
	for i, v := range c.Context.Values {
		at := values.Index(i).Key("id")
		if !ValidID(v.ID) {
			return wrong(at, "malformed context value id %q", v.ID)
		}
		if taken[v.ID] {
			return wrong(at, "the icon variant %s is there already", v.ID)
		}
		taken[v.ID] = true
	}
	return nil
}

func (r *Release) checkElements() *ReleaseError {
	if len(r.elements) > math.MaxInt32 {
		return wrong(issue.Root.Key("elements"), "there are more than %d elements", math.MaxInt32)
	}
	variants := make([][]string, len(r.categories))
	for i, c := range r.categories {
		variants[i] = c.IconVariants()
	}
	r.byElement = make(map[string]int32, len(r.elements))
	r.first = make([]int, len(r.categories)+1)
	last := 0 // the category of the element before
	for i, e := range r.elements {
		category, ok := r.byCategory[e.CategoryID]
		if !ok {
			return wrong(elementPath(i).Key("category_id"), "element %s: unknown category %q", e.ID, e.CategoryID)
		}
		if err := r.checkElement(i, variants[category]); err != nil {
			return err
		}
		if i > 0 && cmp.Or(last-category, compareElements(r.elements[i-1], e)) > 0 {
			return wrong(elementPath(i), "element %s stands too late: the order is that of categories, then order, then id", e.ID)
		}
		r.byElement[e.ID] = int32(i)
		for ; last < category; last++ {
			r.first[last+1] = i
		}
	}
	for ; last < len(r.categories); last++ {
		r.first[last+1] = len(r.elements)
	}
	return nil
}

// checkElement checks the i-th element by itself.
func (r *Release) checkElement(i int, variants []string) *ReleaseError {
	e := r.elements[i]
	if !ValidElementID(e.ID) {
		return wrong(elementPath(i).Key("id"), "malformed element id %q", e.ID)
	}
	if _, twice := r.byElement[e.ID]; twice {
		return wrong(elementPath(i).Key("id"), "element %s is there twice", e.ID)
	}
	if !slices.Equal(e.IconVariants, variants) {
		return wrong(elementPath(i).Key("icon_variants"), "element %s: want %q", e.ID, variants)
	}
	if _, ok := r.symbols[e.SymbolID]; !ok {
		return wrong(elementPath(i).Key("symbol_id"), "element %s: symbol %q is missing", e.ID, e.SymbolID)
	}
	return nil
}

func elementPath(i int) issue.Path { return issue.Root.Key("elements").Index(i) }

// compareElements is the order of elements within a category. The content hash
// covers what it depends on, so the hash settles the order, too.
func compareElements(a, b *Element) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
}

// IconVariants returns the variants that icons of the category come in:
// default, dark, and its context values in order.
func (c *Category) IconVariants() []string {
	variants := []string{VariantDefault, VariantDark}
	for _, v := range c.Context.Values {
		variants = append(variants, v.ID)
	}
	return variants
}
