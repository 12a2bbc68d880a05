package history

import "github.com/datachain-go/datachain/taxonomy"

// onlySymbol is the symbol of all elements of [OnlyIDs].
const onlySymbol = "none"

// OnlyIDs returns a release with the ids of another one and their titles, and nothing else
// that [ReusedIDs] does not need: descriptions, symbols and rules are left out. Its
// release.json is small, and [ReadOnlyIDs] reads it.
func OnlyIDs(r *taxonomy.Release) (*taxonomy.Release, error) {
	c := taxonomy.Content{
		Title: r.Manifest().Title, Locales: r.Locales(), Symbols: map[string]string{onlySymbol: "<svg/>"},
		Type: taxonomy.Type{ID: r.Type().ID, Name: r.Type().Name, Categories: r.Type().Categories, Subchains: []taxonomy.Subchain{}},
	}
	variables := func(list []taxonomy.Variable) []taxonomy.Variable {
		only := make([]taxonomy.Variable, len(list))
		for i, v := range list {
			only[i] = taxonomy.Variable{ID: v.ID, Label: v.Label, Type: v.Type}
			for _, o := range v.Options {
				only[i].Options = append(only[i].Options, taxonomy.Option{ID: o.ID, Label: o.Label})
			}
		}
		return only
	}
	for _, old := range r.Categories() {
		category := taxonomy.Category{ID: old.ID, Name: old.Name, Shape: old.Shape, Variables: variables(old.Variables), Context: taxonomy.Context{Values: []taxonomy.ContextValue{}}}
		for _, v := range old.Context.Values {
			category.Context.Values = append(category.Context.Values, taxonomy.ContextValue{ID: v.ID, Label: v.Label})
		}
		c.Categories = append(c.Categories, category)
		for _, e := range r.ElementsOf(old.ID) {
			c.Elements = append(c.Elements, taxonomy.Element{
				ID: e.ID, Title: e.Title, CategoryID: e.CategoryID, SymbolID: onlySymbol, Order: e.Order,
				Variables: variables(e.Variables),
			})
		}
	}
	return taxonomy.NewRelease(r.Version(), c)
}

// ReadOnlyIDs reads the release.json of [OnlyIDs].
func ReadOnlyIDs(text []byte) (*taxonomy.Release, error) {
	return taxonomy.DecodeRelease(text, map[string]string{onlySymbol: "<svg/>"})
}
