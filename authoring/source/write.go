package source

import (
	"reflect"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Authored is the content of a schema version as authoring source has it.
type Authored struct {
	// Content is what the release is made of, except that the variables of an
	// element are only its own, without those of its category. Its elements can be
	// in any order.
	taxonomy.Content
	// Aliases are the names that the version declares.
	Aliases []string
	// Released is a date, or "".
	Released string
}

// FromRelease returns the content of a release. A variable of an element that is the
// same as that of its category is not one of its own.
func FromRelease(r *taxonomy.Release) *Authored {
	m := r.Manifest()
	a := &Authored{Content: taxonomy.Content{
		Title: m.Title, Description: m.Description, Locales: m.Locales, Notes: m.Notes, Licence: m.Licence,
		Attribution: m.Attribution, Removed: m.Removed, Synonyms: m.Synonyms,
		Type: *r.Type(), Symbols: make(map[string]string, len(r.SymbolIDs())),
	}}
	for _, c := range r.Categories() {
		a.Categories = append(a.Categories, *c)
		for _, e := range r.ElementsOf(c.ID) {
			own := *e
			own.Variables = ownVariables(e.Variables, c.Variables)
			a.Elements = append(a.Elements, own)
		}
	}
	for _, id := range r.SymbolIDs() {
		a.Symbols[id], _ = r.Symbol(id)
	}
	return a
}

// ownVariables returns the effective variables that are not just inherited.
func ownVariables(effective, inherited []taxonomy.Variable) []taxonomy.Variable {
	var own []taxonomy.Variable
	for _, v := range effective {
		if !slices.ContainsFunc(inherited, func(w taxonomy.Variable) bool { return reflect.DeepEqual(v, w) }) {
			own = append(own, v)
		}
	}
	return own
}

// Files returns authoring source for the content, by path relative to the directory
// of the version: schema.yaml, and a file for each category, element and symbol.
//
// The same content gives the same files. Compiling them gives the content again,
// if it is valid; Files does not check it, except that ids are file names, so they
// must be valid.
func (a *Authored) Files() map[string][]byte {
	files := make(map[string][]byte, 1+len(a.Categories)+len(a.Elements)+len(a.Symbols))
	files["schema.yaml"] = yamlText(a.schema())
	for i := range a.Categories {
		c := &a.Categories[i]
		files[string(categoryFiles)+"/"+c.ID+".yaml"] = yamlText(categoryMapping(c))
	}
	for i := range a.Elements {
		files[elementFile(a.Elements[i].ID)] = elementText(&a.Elements[i])
	}
	for id, svg := range a.Symbols {
		if svg[len(svg)-1:] != "\n" {
			svg += "\n"
		}
		files[string(symbolFiles)+"/"+id+symbolExt] = []byte(svg)
	}
	return files
}

// elementFile returns the file of a new element.
func elementFile(id string) string { return string(elementFiles) + "/" + id + ".yaml" }

// elementText returns the file of one element, which has only its own variables.
func elementText(e *taxonomy.Element) []byte { return yamlText(elementMapping(e)) }

func (a *Authored) schema() mapping {
	typ := mapping{{"id", a.Type.ID}}.
		add("name", a.Type.Name).
		add("description", a.Type.Description)
	typ = append(typ, member{"categories", a.Type.Categories})
	typ = typ.add("subchains", each(a.Type.Subchains, func(s *taxonomy.Subchain) mapping {
		return append(mapping{{"id", s.ID}}.add("name", s.Name), member{"categories", s.Categories})
	}))
	return mapping{}.
		add("title", a.Title).
		add("description", a.Description).
		add("notes", a.Notes).
		add("released", a.Released).
		add("licence", a.Licence).
		add("attribution", a.Attribution).
		add("locales", a.Locales).
		add("aliases", a.Aliases).
		add("datachain_type", typ).
		add("removed", each(a.Removed, func(r *taxonomy.Removal) mapping {
			return mapping{{"id", r.ID}}.add("replaced_by", successors(r.ReplacedBy)).add("note", r.Note).add("since", r.Since.String())
		})).
		add("synonyms", each(a.Synonyms, func(s *taxonomy.Synonyms) mapping {
			return mapping{{"locale", s.Locale}, {"groups", s.Groups}}
		}))
}

func categoryMapping(c *taxonomy.Category) mapping {
	context := mapping{}.
		add("id", c.Context.ID).
		add("name", c.Context.Name).
		add("description", c.Context.Description).
		add("required", c.Context.Required).
		add("values", each(c.Context.Values, func(v *taxonomy.ContextValue) mapping {
			return mapping{{"id", v.ID}}.
				add("label", v.Label).
				add("description", v.Description).
				add("color", v.Color).
				add("renamed_from", v.RenamedFrom)
		}))
	return mapping{{"id", c.ID}}.
		add("name", c.Name).
		add("description", c.Description).
		add("shape", string(c.Shape)).
		add("required", c.Required).
		add("cardinality", mapping{}.add("min", c.Cardinality.Min).add("max", c.Cardinality.Max)).
		add("variables", variableMappings(c.Variables)).
		add("context", context).
		add("prompt", c.Prompt).
		add("authoring_guidance", c.AuthoringGuidance).
		add("renamed_from", c.RenamedFrom).
		add("sources", sourceMappings(c.Sources))
}

func elementMapping(e *taxonomy.Element) mapping {
	return mapping{{"id", e.ID}}.
		add("title", e.Title).
		add("description", e.Description).
		add("category_id", e.CategoryID).
		add("symbol_id", e.SymbolID).
		add("status", statusWord(e.Status)).
		add("replaced_by", successors(e.ReplacedBy)).
		add("keywords", e.Keywords).
		add("max_placements", e.MaxPlacements).
		add("order", e.Order).
		add("variables", variableMappings(e.Variables)).
		add("authoring_guidance", e.AuthoringGuidance).
		add("examples", each(e.Examples, func(l *taxonomy.Localized) mapping { return localizedMapping(*l) })).
		add("sources", sourceMappings(e.Sources))
}

// statusWord returns a status, or "" if it is the default.
func statusWord(s taxonomy.ElementStatus) string {
	if s.IsZero() {
		return ""
	}
	return string(s)
}

func successors(list []taxonomy.Successor) []mapping {
	return each(list, func(s *taxonomy.Successor) mapping { return mapping{{"id", s.ID}}.add("note", s.Note) })
}

func variableMappings(list []taxonomy.Variable) []mapping {
	return each(list, func(v *taxonomy.Variable) mapping {
		m := mapping{{"id", v.ID}}.add("label", v.Label).add("required", v.Required)
		if v.Type == taxonomy.SelectVariable {
			m = append(m, member{"type", string(v.Type)})
		}
		return m.
			add("options", each(v.Options, func(o *taxonomy.Option) mapping {
				return mapping{{"id", o.ID}}.
					add("label", o.Label).
					add("description", o.Description).
					add("applies_to", o.AppliesTo).
					add("renamed_from", o.RenamedFrom).
					add("sources", sourceMappings(o.Sources))
			})).
			add("renamed_from", v.RenamedFrom).
			add("sources", sourceMappings(v.Sources))
	})
}

func sourceMappings(list []taxonomy.Source) []mapping {
	return each(list, func(s *taxonomy.Source) mapping {
		return mapping{{"type", s.Type}, {"title", s.Title}}.
			add("url", s.URL).
			add("citation", s.Citation).
			add("licence", s.Licence).
			add("attribution", s.Attribution)
	})
}

// each returns the objects for the items of a list.
func each[T any](list []T, object func(*T) mapping) []mapping {
	all := make([]mapping, len(list))
	for i := range list {
		all[i] = object(&list[i])
	}
	return all
}
