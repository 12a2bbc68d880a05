package source

import (
	"reflect"
	"slices"

	wire "github.com/datachain-go/datachain/internal/fields"
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
		files[string(categoryFiles)+"/"+a.Categories[i].ID+".yaml"] = yamlText(mappingOf(&a.Categories[i]))
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
func elementText(e *taxonomy.Element) []byte { return yamlText(mappingOf(e)) }

func (a *Authored) schema() mapping {
	return mapping{}.
		add("title", a.Title).
		add("description", a.Description).
		add("notes", a.Notes).
		add("released", a.Released).
		add("licence", a.Licence).
		add("attribution", a.Attribution).
		add("locales", a.Locales).
		add("aliases", a.Aliases).
		add("datachain_type", mappingOf(&a.Type)).
		add("removed", yamlValue(reflect.ValueOf(a.Removed))).
		add("synonyms", yamlValue(reflect.ValueOf(a.Synonyms)))
}

// mappingOf returns an object of the model as authors write it: with the fields that its
// struct tags name, in their order, without what compiling computes.
func mappingOf(object any) mapping { return structMapping(reflect.ValueOf(object).Elem()) }

func structMapping(v reflect.Value) mapping {
	var m mapping
	list, _ := wire.Of(v.Type())
	for _, f := range list {
		field := v.FieldByIndex(f.Index)
		switch value := yamlValue(field); {
		case f.Name == "icon_variants" || value == string(taxonomy.TextVariable) && f.Type == reflect.TypeFor[taxonomy.VariableType]():
		case !f.Optional && (f.Name == "id" || v.Type() == reflect.TypeFor[taxonomy.Source]() || f.Type == reflect.TypeFor[[]string]()):
			m = append(m, member{f.Name, value})
		default:
			m = m.add(f.Name, value)
		}
	}
	return m
}

// yamlValue returns a value of the model as a value of a mapping.
func yamlValue(v reflect.Value) any {
	switch value := v.Interface().(type) {
	case taxonomy.Localized:
		return localizedMapping(value)
	case taxonomy.Version:
		return value.String()
	case taxonomy.ElementStatus:
		if value.IsZero() {
			return ""
		}
	case []string, [][]string, bool, int:
		return value
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Struct:
		return structMapping(v)
	case reflect.Slice:
		all := make([]mapping, v.Len())
		for i := range all {
			all[i], _ = yamlValue(v.Index(i)).(mapping)
		}
		return all
	}
	panic("source: values of type " + v.Type().String() + " can't be written")
}
