// Package outline finds where authoring source defines ids and refers to them, with exact byte
// ranges, also in source that does not compile. Editors go to definitions with it.
//
// [New] reads the [Outline] of a schema version, and [Outline.Update] reads again what has changed.
// [Outline.Fixes] returns edits of the text.
//
// # Experimental
//
// This package may change in a minor version.
package outline

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Definition is the place where an id is defined.
type Definition struct {
	Kind source.Kind
	ID   string
	// In is the category or element of a variable, the category of a context
	// value, and the variable of an option; otherwise it is nil.
	In *Definition
	// File is the slash-separated path of the file.
	File string
	// Path is the path of the object in the file.
	Path issue.Path
	// Range is the place of the whole object. It is empty for a symbol, which is
	// a file.
	Range document.Range
	// IDRange is the place of the id without quotes, and in a block without white
	// space around it. It is empty for a symbol.
	IDRange document.Range
	// Title is the title, name or label of the object, and Description its
	// description. They have the texts that can be read, as they are written.
	Title, Description taxonomy.Localized
	// Shape is that of a category, as it is written.
	Shape taxonomy.Shape
	// Deprecated is set for an element with that status.
	Deprecated bool
	// RenamedFrom are the ids that earlier versions use.
	RenamedFrom []string
}

// Reference is a place that names an id.
type Reference struct {
	// Kind and ID say what is meant.
	Kind source.Kind
	ID   string
	// Definition is nil if there is none.
	Definition *Definition
	// In is the category, element or subchain that contains the reference, or
	// nil for the categories of the datachain type and the successors of removed
	// elements.
	In *Definition
	// File and Path are where the value is: category_id, symbol_id, an item of
	// applies_to, replaced_by or categories, or a text with a {{variable}}.
	File string
	Path issue.Path
	// Range is the place of the id, without quotes and braces, and in a block
	// without white space around it.
	Range document.Range
}

// Outline has the definitions and references of one schema version, in the order of
// files and places.
type Outline struct {
	Version     taxonomy.Version
	Definitions []*Definition
	References  []*Reference
	// Locales are those that the schema file lists.
	Locales []string
	// Unread are the files that can't be read or parsed. What they define and
	// refer to is missing here.
	Unread []string

	files []outlinedFile // sorted by name
	// elements has the owners that are elements, and inherited the variables of
	// categories, both by id.
	elements  map[string]*owner
	inherited map[string][]*Definition
}

// New reads the outline of a schema version. It needs no valid source: what can
// be read is there, also if an id is malformed or defined twice. If there is no such
// directory, the error wraps [fs.ErrNotExist].
func New(fsys fs.FS, v taxonomy.Version) (*Outline, error) {
	return newOutline(fsys, v, nil)
}

// Update returns the outline after some files have changed. It reads only these again,
// and lists the directory if one of them was added or removed. The outline itself does
// not change.
func (o *Outline) Update(fsys fs.FS, changed ...string) (*Outline, error) {
	next := &Outline{Version: o.Version, files: slices.Clone(o.files)}
	for _, name := range changed {
		i, known := slices.BinarySearchFunc(next.files, name, func(f outlinedFile, name string) int { return strings.Compare(f.Name, name) })
		if known {
			_, err := fs.Lstat(fsys, next.files[i].Real)
			known = err == nil
		}
		if !known {
			return newOutline(fsys, o.Version, slices.DeleteFunc(next.files, func(f outlinedFile) bool { return slices.Contains(changed, f.Name) }))
		}
		next.files[i].done, next.files[i].content = false, nil
	}
	next.read(folder.New(fsys, o.Version, folder.Options{}))
	next.resolve()
	return next, nil
}

// newOutline lists a schema version and reads the files that are not kept from another
// outline, sorted by name.
func newOutline(fsys fs.FS, v taxonomy.Version, kept []outlinedFile) (*Outline, error) {
	dir := folder.New(fsys, v, folder.Options{})
	if err := dir.List(); err != nil {
		return nil, fmt.Errorf("outline: %w", err)
	}
	o := &Outline{Version: v}
	for kind, files := range dir.Files {
		if kind == folder.Allowed {
			continue // it defines nothing
		}
		for _, f := range files {
			o.files = append(o.files, outlinedFile{Entry: f})
		}
	}
	slices.SortFunc(o.files, func(a, b outlinedFile) int { return strings.Compare(a.Name, b.Name) })
	for i := range o.files {
		for len(kept) > 0 && kept[0].Name < o.files[i].Name {
			kept = kept[1:]
		}
		if len(kept) > 0 && kept[0].Name == o.files[i].Name && kept[0].Kind == o.files[i].Kind {
			o.files[i] = kept[0]
		}
	}
	o.read(dir)
	o.resolve()
	return o, nil
}

// Find returns the definitions of an id: several if variables, options or context
// values of different owners have the same id, or if an id is defined twice.
func (o *Outline) Find(kind source.Kind, id string) []*Definition {
	var found []*Definition
	for _, d := range o.Definitions {
		if d.Kind == kind && d.ID == id {
			found = append(found, d)
		}
	}
	return found
}

// Variable returns the definition of a variable of an element, which is in the element
// or in its category, or nil.
func (o *Outline) Variable(element, id string) *Definition {
	p := o.elements[element]
	if p == nil {
		return nil
	}
	return o.variable(p, id)
}

// At returns the definition whose id is at a byte offset of a file, or the reference
// there, or neither. An offset at the end of an id is in it.
func (o *Outline) At(file string, offset int) (*Definition, *Reference) {
	in := func(f string, r document.Range) bool {
		return f == file && r.Start <= offset && offset <= r.End && r.Start < r.End
	}
	if i := slices.IndexFunc(o.Definitions, func(d *Definition) bool { return in(d.File, d.IDRange) }); i >= 0 {
		return o.Definitions[i], nil
	}
	if i := slices.IndexFunc(o.References, func(r *Reference) bool { return in(r.File, r.Range) }); i >= 0 {
		return nil, o.References[i]
	}
	return nil, nil
}

// Successors returns the references to the elements that replace an element.
func (o *Outline) Successors(d *Definition) []*Reference {
	var found []*Reference
	for _, r := range o.References {
		if r.In == d && r.Kind == source.KindElement && slices.ContainsFunc(r.Path, func(s issue.Step) bool { return s.Name() == "replaced_by" }) {
			found = append(found, r)
		}
	}
	return found
}

// resolve collects the definitions and finds those of all references. What has not
// changed since another outline is shared with it: an editor resolves a version with
// every key that is pressed.
func (o *Outline) resolve() {
	first := o.collect()
	references := 0
	for i := range o.files {
		references += len(o.files[i].references)
	}
	o.References = make([]*Reference, 0, references)
	for i := range o.files {
		f := &o.files[i]
		if f.content == nil {
			continue
		}
		f.references = o.references(f, first)
		o.References = append(o.References, f.references...)
	}
}

// firstDefinitions are the definitions that references mean: the first ones of an id. Those of
// elements are in [Outline.elements].
type firstDefinitions map[source.Kind]map[string]*Definition

// collect collects the definitions, locales and unread files.
func (o *Outline) collect() firstDefinitions {
	first := firstDefinitions{source.KindCategory: {}, source.KindSymbol: {}}
	definitions, elements := 0, 0
	for i := range o.files {
		if content := o.files[i].content; content != nil {
			definitions, elements = definitions+len(content.definitions), elements+len(content.owners)
		}
	}
	o.Definitions = make([]*Definition, 0, definitions)
	o.elements, o.inherited = make(map[string]*owner, elements), make(map[string][]*Definition)
	for i := range o.files {
		content := o.files[i].content
		if content == nil {
			o.Unread = append(o.Unread, o.files[i].Name)
			continue
		}
		o.Definitions = append(o.Definitions, content.definitions...)
		o.Locales = append(o.Locales, content.locales...)
		for _, d := range content.definitions {
			if ids := first[d.Kind]; ids != nil && ids[d.ID] == nil {
				ids[d.ID] = d
			}
		}
		for k := range content.owners {
			p := &content.owners[k]
			switch {
			case p.def.kindIs(source.KindElement) && o.elements[p.def.ID] == nil:
				o.elements[p.def.ID] = p
			case p.def.kindIs(source.KindCategory) && p.def == first[source.KindCategory][p.def.ID]:
				o.inherited[p.def.ID] = p.variables
			}
		}
	}
	return first
}

// variable returns the variable of an owner with an id: its own one, or that of its
// category.
func (o *Outline) variable(p *owner, id string) *Definition {
	if v := variableOf(p.variables, id); v != nil {
		return v
	}
	return variableOf(o.inherited[p.category], id)
}

// references returns the references of a file with their definitions.
func (o *Outline) references(f *outlinedFile, first firstDefinitions) []*Reference {
	list, unchanged := make([]*Reference, 0, len(f.content.references)), 0
	for _, r := range f.content.references {
		d := o.definitionOf(r, first)
		if i := len(list); i < len(f.references) && f.references[i].Definition == d {
			list = append(list, f.references[i])
			unchanged++
			continue
		}
		resolved := *r.Reference
		resolved.Definition = d
		list = append(list, &resolved)
	}
	if unchanged == len(f.references) && unchanged == len(list) {
		return f.references
	}
	return list
}

// definitionOf returns the definition of a reference, or nil.
func (o *Outline) definitionOf(r placedReference, first firstDefinitions) *Definition {
	switch r.Kind {
	case source.KindVariable:
		return o.variable(r.owner, r.ID)
	case source.KindElement:
		if p := o.elements[r.ID]; p != nil {
			return p.def
		}
		return nil
	}
	return first[r.Kind][r.ID]
}

// variableOf returns the variable with an id, or nil.
func variableOf(list []*Definition, id string) *Definition {
	if i := slices.IndexFunc(list, func(d *Definition) bool { return d.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}

// kindIs reports whether d is a definition of a kind.
func (d *Definition) kindIs(k source.Kind) bool { return d != nil && d.Kind == k }
