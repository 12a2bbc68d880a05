// Package write writes authoring source: that of a release, of a draft of the next version, and of
// a first version to start from. It also writes the first draft of a document.
//
// [FromRelease] returns the content of a release as source has it, [Fork] that of a new type, and
// [Authored.Files] writes it.
// [Draft] and [Promotion] copy the files of a version for the next one. [Starter] returns a small
// version that compiles, and [Document] a document to fill in.
//
// # Experimental
//
// This package may change in a minor version.
package write

import (
	"embed"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jsonfields"
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
		Attribution: m.Attribution, Removed: m.Removed, Synonyms: m.Synonyms, Schemes: m.Schemes,
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

// Fork returns the content of a release as the first version of another datachain type has it, to be
// changed there. It keeps the licence, and adds the release to those who are credited. What belongs
// to the release or to the history of its type is missing: notes, and what became of older ids.
func Fork(r *taxonomy.Release, typ string) *Authored {
	a := FromRelease(r)
	a.Type.ID, a.Notes, a.Removed = typ, nil, nil
	if a.Attribution == "" {
		a.Attribution = "Based on " + r.Version().String()
	} else {
		a.Attribution += "; based on " + r.Version().String()
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
	files["schema.yaml"] = yaml.FileText(a.schema())
	for i := range a.Categories {
		files[string(folder.Categories)+"/"+a.Categories[i].ID+".yaml"] = yaml.FileText(mappingOf(&a.Categories[i]))
	}
	for i := range a.Elements {
		files[folder.ElementFile(a.Elements[i].ID)] = yaml.FileText(mappingOf(&a.Elements[i]))
	}
	for id, svg := range a.Symbols {
		if svg[len(svg)-1:] != "\n" {
			svg += "\n"
		}
		files[string(folder.Symbols)+"/"+id+folder.SymbolExt] = []byte(svg)
	}
	return files
}

func (a *Authored) schema() yaml.Mapping {
	return yaml.Mapping{}.
		Add("title", a.Title).
		Add("description", a.Description).
		Add("notes", a.Notes).
		Add("released", a.Released).
		Add("licence", a.Licence).
		Add("attribution", a.Attribution).
		Add("locales", a.Locales).
		Add("aliases", a.Aliases).
		Add("datachain_type", mappingOf(&a.Type)).
		Add("removed", yamlValue(reflect.ValueOf(a.Removed))).
		Add("synonyms", yamlValue(reflect.ValueOf(a.Synonyms))).
		Add("schemes", yamlValue(reflect.ValueOf(a.Schemes)))
}

// mappingOf returns an object of the model as authors write it: with the fields that its
// struct tags name, in their order, without what compiling computes.
func mappingOf(object any) yaml.Mapping { return structMapping(reflect.ValueOf(object).Elem()) }

func structMapping(v reflect.Value) yaml.Mapping {
	var m yaml.Mapping
	list, _ := jsonfields.Of(v.Type())
	for _, f := range list {
		field := v.FieldByIndex(f.Index)
		switch value := yamlValue(field); {
		case f.Name == "icon_variants" || value == string(taxonomy.TextVariable) && f.Type == reflect.TypeFor[taxonomy.VariableType]():
		case !f.Optional && (f.Name == "id" || v.Type() == reflect.TypeFor[taxonomy.Source]() || f.Type == reflect.TypeFor[[]string]()):
			m = append(m, yaml.Member{Key: f.Name, Value: value})
		default:
			m = m.Add(f.Name, value)
		}
	}
	return m
}

// yamlValue returns a value of the model as a value of a mapping.
func yamlValue(v reflect.Value) any {
	switch value := v.Interface().(type) {
	case taxonomy.Localized:
		return yaml.LocalizedMapping(value)
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
		all := make([]yaml.Mapping, v.Len())
		for i := range all {
			all[i], _ = yamlValue(v.Index(i)).(yaml.Mapping)
		}
		return all
	}
	panic("write: values of type " + v.Type().String() + " can't be written")
}

// LocalizedText is a text of authoring source that is translated.
type LocalizedText struct {
	// Kind, ID and Path say where it is, as in a Change, without a locale.
	Kind source.Kind
	ID   string
	Path []edit.Step
	Text taxonomy.Localized
}

// Key identifies the text in its version, such as element/purpose.safety/title or
// category/device/variables/area/label.
func (t *LocalizedText) Key() string {
	parts := []string{"schema"}
	if t.Kind != "" {
		parts = []string{string(t.Kind), t.ID}
	}
	for _, s := range t.Path {
		switch {
		case s.Number > 0:
			parts = append(parts, fmt.Sprint(s.Number))
		case s.Scheme != "":
			parts = append(parts, s.Scheme, s.ID)
		default:
			parts = append(parts, s.Key+s.ID)
		}
	}
	return strings.Join(parts, "/")
}

// Texts returns every text that is translated: those of the schema file, then of the
// categories, then of the elements, in order.
func (a *Authored) Texts() []LocalizedText {
	var c textCollector
	c.in(edit.Step{Key: "title"}, reflect.ValueOf(a.Title))
	c.in(edit.Step{Key: "description"}, reflect.ValueOf(a.Description))
	c.in(edit.Step{Key: "notes"}, reflect.ValueOf(a.Notes))
	c.in(edit.Step{Key: "datachain_type"}, reflect.ValueOf(a.Type))
	c.in(edit.Step{Key: "removed"}, reflect.ValueOf(a.Removed))
	c.in(edit.Step{Key: "schemes"}, reflect.ValueOf(a.Schemes))
	for i := range a.Categories {
		c.kind, c.id = source.KindCategory, a.Categories[i].ID
		c.walk(reflect.ValueOf(&a.Categories[i]).Elem())
	}
	for i := range a.Elements {
		c.kind, c.id = source.KindElement, a.Elements[i].ID
		c.walk(reflect.ValueOf(&a.Elements[i]).Elem())
	}
	return c.list
}

// textCollector collects the texts of one object after the other.
type textCollector struct {
	kind   source.Kind
	id     string
	prefix []edit.Step
	list   []LocalizedText
}

// in collects the texts of a value below a step.
func (c *textCollector) in(s edit.Step, v reflect.Value) {
	c.prefix = append(c.prefix, s)
	c.walk(v)
	c.prefix = c.prefix[:len(c.prefix)-1]
}

// walk collects the texts of a value by the struct tags of its type.
func (c *textCollector) walk(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[taxonomy.Localized]():
		if l, _ := reflect.TypeAssert[taxonomy.Localized](v); len(l) > 0 {
			c.list = append(c.list, LocalizedText{c.kind, c.id, slices.Clone(c.prefix), l})
		}
	case v.Kind() == reflect.Struct:
		list, _ := jsonfields.Of(v.Type())
		for _, f := range list {
			c.in(edit.Step{Key: f.Name}, v.FieldByIndex(f.Index))
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			s := edit.Step{Number: i + 1}
			if item := v.Index(i); item.Kind() == reflect.Struct && item.FieldByName("ID").IsValid() {
				s = edit.Step{ID: item.FieldByName("ID").String()}
				if scheme := item.FieldByName("Scheme"); scheme.IsValid() {
					s.Scheme = scheme.String()
				}
			}
			c.in(s, v.Index(i))
		}
	}
}

// Draft returns the files of a new version that is based on an existing one, by
// path relative to the directory of the version. They are the same files, byte
// for byte, but what belongs to only one version is missing: the declared aliases,
// the notes and the day of the release. Files that are not part of the format are
// left out.
func Draft(fsys fs.FS, from taxonomy.Version) (map[string][]byte, error) {
	return draftFiles(fsys, from, nil, "aliases", "notes", "released")
}

// Promotion returns the files of the stable version that a beta version becomes. They
// are those of [Draft] with the notes, so that the content is the same, with the day of the
// release, and with the changes that are allowed: both are compared with the same version.
func Promotion(fsys fs.FS, beta taxonomy.Version) (map[string][]byte, error) {
	return draftFiles(fsys, beta, []folder.Kind{folder.Allowed}, "aliases")
}

// draftFiles returns the files of a version, with those of other kinds, but without some keys of the
// schema file.
func draftFiles(fsys fs.FS, from taxonomy.Version, moreKinds []folder.Kind, removedKeys ...string) (map[string][]byte, error) {
	dir := folder.New(fsys, from, folder.Options{})
	if err := dir.List(); err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	files := make(map[string][]byte)
	for _, k := range append(moreKinds, folder.Schema, folder.Categories, folder.Elements, folder.Symbols) {
		contents := make([][]byte, len(dir.Files[k]))
		dir.Read(dir.Files[k], func(i int, f *folder.File) {
			if k != folder.Schema {
				contents[i], _ = f.Load()
				return
			}
			root, data := f.Parse()
			if root == nil {
				return
			}
			for _, key := range removedKeys {
				var err error
				if data, err = edit.RemoveKey(f.Name, data, key); err != nil {
					f.Errorf(codes.SourceSyntax, f.At(root.Get(key)), "write "+key+" on lines of its own", "The key %s cannot be removed automatically.", key)
					return
				}
			}
			contents[i] = data
		})
		for i, f := range dir.Files[k] {
			files[strings.TrimPrefix(f.Name, source.Directory(from)+"/")] = contents[i]
		}
	}
	if dir.TooLarge() {
		dir.ReportTooLarge()
	}
	if len(dir.Errors) > 0 {
		return nil, fmt.Errorf("write: %s: %s", from, dir.Errors[0])
	}
	return files, nil
}

//go:embed starter
var starter embed.FS

// Starter returns the files of a small schema version to start a new datachain
// type from, by path relative to the directory of the version. It compiles
// without issues.
func Starter(v taxonomy.Version) map[string][]byte {
	files := make(map[string][]byte)
	_ = fs.WalkDir(starter, "starter", func(name string, d fs.DirEntry, _ error) error { // cannot fail
		if !d.IsDir() {
			text, _ := starter.ReadFile(name)
			files[strings.TrimPrefix(name, "starter/")] = []byte(strings.ReplaceAll(string(text), "TYPE", v.Type()))
		}
		return nil
	})
	return files
}
