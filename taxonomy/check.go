package taxonomy

import (
	"fmt"
	"math"
	"slices"
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

func wrong(path Path, format string, args ...any) *ReleaseError {
	return &ReleaseError{Path: path, Reason: fmt.Sprintf(format, args...)}
}

func (r *Release) checkManifest() *ReleaseError {
	at := Root.Key("manifest")
	switch m := &r.manifest; {
	case m.ID.IsZero():
		return wrong(at.Key("id"), "the version id is missing")
	case m.Status != m.ID.Status():
		return wrong(at.Key("status"), "status %q does not fit the id %s", m.Status, m.ID)
	case len(m.Locales) == 0:
		return wrong(at.Key("locales"), "at least one locale is needed")
	case r.typ.ID != m.ID.Type():
		return wrong(Root.Key("datachain_type").Key("id"), "the type %q does not fit the version id %s", r.typ.ID, m.ID)
	}
	return nil
}

func (r *Release) checkSymbols() *ReleaseError {
	for _, id := range r.symbolIDs {
		if !ValidID(id) {
			return wrong(Root.Key("symbols").Key(id), "malformed symbol id")
		}
	}
	return nil
}

func (r *Release) checkCategories() *ReleaseError {
	r.byCategory = make(map[string]int, len(r.categories))
	for i, c := range r.categories {
		at := Root.Key("categories").Index(i)
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
		for k, v := range c.Context.Values {
			if !ValidID(v.ID) || v.ID == VariantDefault || v.ID == VariantDark {
				return wrong(at.Key("context").Key("values").Index(k).Key("id"), "%q can't be a context value id", v.ID)
			}
		}
	}
	declared := make([]string, len(r.categories))
	for i, c := range r.categories {
		declared[i] = c.ID
	}
	if !slices.Equal(declared, r.typ.Categories) {
		return wrong(Root.Key("datachain_type").Key("categories"), "the list differs from the categories of the release or from their order")
	}
	for i, s := range r.typ.Subchains {
		for k, id := range s.Categories {
			if _, ok := r.byCategory[id]; !ok {
				return wrong(Root.Key("datachain_type").Key("subchains").Index(i).Key("categories").Index(k), "unknown category %q", id)
			}
		}
	}
	return nil
}

func (r *Release) checkElements() *ReleaseError {
	if len(r.elements) > math.MaxInt32 {
		return wrong(Root.Key("elements"), "there are more than %d elements", math.MaxInt32)
	}
	variants := make([][]string, len(r.categories))
	for i, c := range r.categories {
		variants[i] = c.IconVariants()
	}
	r.byElement = make(map[string]int32, len(r.elements))
	r.first = make([]int, len(r.categories)+1)
	last := 0 // the category of the element before
	for i, e := range r.elements {
		at := Root.Key("elements").Index(i)
		if !ValidElementID(e.ID) {
			return wrong(at.Key("id"), "malformed element id %q", e.ID)
		}
		if _, twice := r.byElement[e.ID]; twice {
			return wrong(at.Key("id"), "element %s is there twice", e.ID)
		}
		r.byElement[e.ID] = int32(i)
		category, ok := r.byCategory[e.CategoryID]
		switch {
		case !ok:
			return wrong(at.Key("category_id"), "element %s: unknown category %q", e.ID, e.CategoryID)
		case category < last:
			return wrong(at, "element %s stands after elements of a later category", e.ID)
		case !slices.Equal(e.IconVariants, variants[category]):
			return wrong(at.Key("icon_variants"), "element %s: want %q", e.ID, variants[category])
		}
		if _, ok := r.symbols[e.SymbolID]; !ok {
			return wrong(at.Key("symbol_id"), "element %s: symbol %q is missing", e.ID, e.SymbolID)
		}
		for ; last < category; last++ {
			r.first[last+1] = i
		}
	}
	for ; last < len(r.categories); last++ {
		r.first[last+1] = len(r.elements)
	}
	return nil
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
