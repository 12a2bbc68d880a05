package dtpr

import (
	"slices"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// variables returns the variables of a category or an element.
func (v *version) variables(o object, key string) []taxonomy.Variable {
	ids := newNamer(&v.notes, "variable", ident.IsID)
	var list []taxonomy.Variable
	for _, item := range o.items(key) {
		variable := taxonomy.Variable{
			ID: item.newID(ids), Label: item.label(),
			Required: item.bool("required"), Type: taxonomy.TextVariable, Sources: v.sources(item),
		}
		kind := "kind"
		if !item.get(kind).Exists() {
			kind = "type"
		}
		switch stated := item.string(kind); stated {
		case "", "localized_text", "text":
		case "multi_select_enum", "select":
			variable.Type = taxonomy.SelectVariable
			variable.Options = v.options(item)
		default:
			v.notes.at(Changed, item.get(kind), stated+" -> text", "the kind of variable is not known, so it is a text")
		}
		v.reportUnknown(item, "id", "label", "name", "required", "kind", "type", "options", "sources",
			"default: a document has a value or none")
		role := variableRoles[variable.ID]
		if !slices.ContainsFunc(list, func(other taxonomy.Variable) bool { return other.Role == role }) {
			variable.Role = role
		}
		list = append(list, variable)
	}
	return list
}

// options returns the options of a variable.
func (v *version) options(o object) []taxonomy.Option {
	ids := newNamer(&v.notes, "option", ident.IsID)
	var list []taxonomy.Option
	for _, item := range o.items("options") {
		option := taxonomy.Option{
			ID: item.newID(ids), Label: item.label(),
			Description: item.text("description"), Sources: v.sources(item),
		}
		for _, at := range item.strings("applies_to") {
			name, _ := at.Scalar()
			if id, ok := v.elements.refer(name); !ok {
				v.notes.at(Dropped, at, name, "the element does not exist")
			} else if !slices.Contains(option.AppliesTo, id) {
				option.AppliesTo = append(option.AppliesTo, id)
			}
		}
		v.reportUnknown(item, "id", "name", "label", "description", "applies_to", "sources",
			"authoring_guidance: only categories and elements have it", "examples: only elements have examples")
		list = append(list, option)
	}
	return list
}
