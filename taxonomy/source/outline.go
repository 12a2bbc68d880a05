package source

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Kind is what a [Definition] defines.
type Kind string

// The kinds of definitions.
const (
	KindElement      Kind = "element"
	KindCategory     Kind = "category"
	KindVariable     Kind = "variable"
	KindOption       Kind = "option"
	KindContextValue Kind = "context value"
	KindSubchain     Kind = "subchain"
	KindSymbol       Kind = "symbol"
)

// Definition is the place where an id is defined.
type Definition struct {
	Kind Kind
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
	// IDRange is the place of the id without quotes. It is empty for a symbol.
	IDRange document.Range
	// Title is the title, name or label of the object, and Description its
	// description. They have the texts that can be read, as they are written.
	Title, Description taxonomy.Localized
	// Shape is that of a category, as it is written.
	Shape taxonomy.Shape

	written spelling
}

// Reference is a place that names an id.
type Reference struct {
	// Kind and ID say what is meant.
	Kind Kind
	ID   string
	// Definition is nil if there is none.
	Definition *Definition
	// In is the category, element or subchain that contains the reference, or
	// nil for the categories of the datachain type.
	In *Definition
	// File and Path are where the value is: category_id, symbol_id, an item of
	// applies_to or categories, or a text with a {{variable}}.
	File string
	Path issue.Path
	// Range is the place of the id, without quotes and braces.
	Range document.Range

	written spelling
}

// spelling is how an id is written, which matters if it is replaced.
type spelling byte

const (
	quoted spelling = iota // in quotes, in a block or in a text
	plain                  // in YAML without quotes
	alias                  // as a YAML alias
)

// Outline has the definitions and references of one schema version, in the order of
// files and places. Editors use it to go to a definition, list its references and
// rename it.
type Outline struct {
	Version     taxonomy.Version
	Definitions []*Definition
	References  []*Reference
	// Locales are those that the schema file lists.
	Locales []string
	// Unread are the files that can't be read or parsed. What they define and
	// refer to is missing here.
	Unread []string

	// same links definitions that must be renamed together.
	same map[*Definition][]*Definition
	// effective has the variables of each element, its own first.
	effective map[string][]*Definition
}

// NewOutline reads the outline of a schema version. It needs no valid source: what can
// be read is there, also if an id is malformed or defined twice. If there is no such
// directory, the error wraps [fs.ErrNotExist].
func NewOutline(fsys fs.FS, v taxonomy.Version, o *Options) (*Outline, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, err
	}
	b := outliner{Outline: &Outline{
		Version: v, same: make(map[*Definition][]*Definition), effective: make(map[string][]*Definition),
	}}
	for _, f := range c.files[symbolFiles] {
		b.add(&Definition{Kind: KindSymbol, ID: f.stem(), File: f.name, Path: issue.Root})
	}
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles} {
		read := readAll(c, k, func(d *decoder, data []byte) *fileOutline {
			root := d.parse(data)
			if root == nil {
				return nil
			}
			r := fileOutline{file: d.file.name, text: newRawText(d.file, data)}
			r.read(k, root)
			return &r
		})
		for i, r := range read {
			if r == nil {
				b.Unread = append(b.Unread, c.files[k][i].name)
				continue
			}
			b.parts = append(b.parts, r.parts...)
			b.Locales = append(b.Locales, r.locales...)
		}
	}
	b.resolve()
	return b.Outline, nil
}

// Find returns the definitions of an id: several if variables, options or context
// values of different owners have the same id, or if an id is defined twice.
func (o *Outline) Find(kind Kind, id string) []*Definition {
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
	return variableOf(o.effective[element], id)
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

// Around returns the innermost definition that contains a byte offset of a file, or
// nil.
func (o *Outline) Around(file string, offset int) *Definition {
	var inner *Definition
	for _, d := range o.Definitions {
		if d.File == file && d.Range.Start <= offset && offset <= d.Range.End && d.Range.Start < d.Range.End {
			inner = d // they are sorted by their start
		}
	}
	return inner
}

// ReferencesTo returns the references to a definition and to those that are renamed
// with it: a variable of an element that has the id of a variable of its category
// overrides that.
func (o *Outline) ReferencesTo(d *Definition) []*Reference {
	group := o.Group(d)
	var found []*Reference
	for _, r := range o.References {
		if slices.Contains(group, r.Definition) {
			found = append(found, r)
		}
	}
	return found
}

// Group returns a definition with those that must be renamed with it.
func (o *Outline) Group(d *Definition) []*Definition {
	group := []*Definition{d}
	seen := map[*Definition]bool{d: true}
	for i := 0; i < len(group); i++ {
		for _, other := range o.same[group[i]] {
			if !seen[other] {
				seen[other] = true
				group = append(group, other)
			}
		}
	}
	slices.SortFunc(group, compareDefinitions)
	return group
}

func (o *Outline) link(a, b *Definition) {
	if a != b {
		o.same[a] = append(o.same[a], b)
		o.same[b] = append(o.same[b], a)
	}
}

func compareDefinitions(a, b *Definition) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Range.Start, b.Range.Start), cmp.Compare(b.Range.End, a.Range.End), cmp.Compare(a.IDRange.Start, b.IDRange.Start))
}

func compareReferences(a, b *Reference) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Range.Start, b.Range.Start))
}
