package dtpr

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// variables returns the variables of a category or an element, and adds the guidance of their options
// to its own.
func (v *version) variables(o object, key string, guidance *taxonomy.Localized) []taxonomy.Variable {
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
			variable.Options = v.options(item, guidance)
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

// options returns the options of a variable. Their examples become part of the description, and their
// guidance of that of the element or category, since options have neither.
func (v *version) options(o object, guidance *taxonomy.Localized) []taxonomy.Option {
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
		if examples := v.examples(item); len(examples) > 0 {
			for _, example := range examples {
				option.Description = v.joined(option.Description, nil, example)
			}
			v.notes.at(Changed, item.get("examples"), "", "examples of an option are part of its description")
		}
		if text := item.text("authoring_guidance"); len(text) > 0 {
			*guidance = v.joined(*guidance, option.Label, text)
			v.notes.at(Changed, item.get("authoring_guidance"), "", "guidance of an option is part of that of its category or element")
		}
		v.reportUnknown(item, "id", "name", "label", "description", "applies_to", "sources", "authoring_guidance", "examples")
		list = append(list, option)
	}
	return list
}

// joined returns a text with another one on a line of its own, which begins with a label.
func (v *version) joined(text, label, added taxonomy.Localized) (all taxonomy.Localized) {
	for _, locale := range v.locales {
		var lines []string
		if line, ok := text.Get(locale); ok {
			lines = append(lines, line)
		}
		if line, ok := added.Get(locale); ok {
			if name, ok := label.Get(locale); ok {
				line = name + ": " + line
			}
			lines = append(lines, line)
		}
		if len(lines) > 0 {
			all = append(all, taxonomy.Text{Locale: locale, Value: strings.Join(lines, "\n")})
		}
	}
	return all
}
