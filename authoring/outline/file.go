package outline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// owner is a category, an element, a subchain or the datachain type, with what it
// contains.
type owner struct {
	def        *Definition // nil for the datachain type
	category   string      // of an element
	variables  []*Definition
	nested     []*Definition // options and context values
	references []*Reference
}

// outlinedFile is a file of an outline.
type outlinedFile struct {
	folder.Entry
	// done is set if the file was read, and content what was found: nil if it can't
	// be read or parsed. It is shared by outlines, and does not change.
	done    bool
	content *fileOutline
	// references are those of the content, with their definitions in this outline.
	references []*Reference
}

// read reads the files that were not read yet, on all CPUs.
func (o *Outline) read(dir *folder.Folder) {
	var entries []folder.Entry
	var at []int
	for i := range o.files {
		switch f := &o.files[i]; {
		case f.done:
		case f.Kind == folder.Symbols:
			f.done, f.content = true, &fileOutline{
				file: f.Name, definitions: []*Definition{{Kind: source.KindSymbol, ID: f.Stem(), File: f.Name, Path: issue.Root}},
			}
		default:
			entries, at = append(entries, f.Entry), append(at, i)
		}
	}
	dir.Read(entries, func(i int, file *folder.File) {
		f := &o.files[at[i]]
		f.done, f.content, f.references = true, nil, nil
		if root, data := file.Parse(); root != nil {
			f.content = &fileOutline{file: file.Name, text: yaml.NewText(file.Name, data)}
			f.content.read(file.Kind, root)
			f.content.finish()
		}
	})
}

// fileOutline collects the definitions and references of one file.
type fileOutline struct {
	file   string
	text   *yaml.Text // while the file is read
	owners []owner
	// locales are those of the schema file.
	locales []string
	// definitions and references are those of all owners, in the order of their
	// places.
	definitions []*Definition
	references  []placedReference
}

// placedReference is a reference before its definition is known.
type placedReference struct {
	*Reference
	owner *owner
}

// definitionKey identifies a definition in a file: an alias of YAML can give two owners the
// same object.
type definitionKey struct {
	kind source.Kind
	id   document.Range
}

// finish collects definitions and references. Those at the same place are one, since an alias of
// YAML gives two owners the same text.
func (f *fileOutline) finish() {
	f.text = nil
	seen := make(map[definitionKey]*Definition)
	unique := func(d *Definition) *Definition {
		if d == nil {
			return nil
		}
		at := definitionKey{d.Kind, d.IDRange}
		if seen[at] == nil {
			f.definitions = append(f.definitions, d)
			seen[at] = d
		}
		return seen[at]
	}
	for i := range f.owners {
		p := &f.owners[i]
		p.def = unique(p.def)
		for k := range p.variables {
			p.variables[k] = unique(p.variables[k])
		}
		for k := range p.nested {
			p.nested[k] = unique(p.nested[k])
		}
		for _, ref := range p.references {
			f.references = append(f.references, placedReference{Reference: ref, owner: p})
		}
	}
	slices.SortStableFunc(f.definitions, func(a, b *Definition) int {
		return cmp.Or(cmp.Compare(a.Range.Start, b.Range.Start), cmp.Compare(b.Range.End, a.Range.End), cmp.Compare(a.IDRange.Start, b.IDRange.Start))
	})
	slices.SortStableFunc(f.references, func(a, b placedReference) int {
		return cmp.Or(cmp.Compare(a.Range.Start, b.Range.Start), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	f.references = slices.CompactFunc(f.references, func(a, b placedReference) bool { return a.Kind == b.Kind && a.Range == b.Range })
}

// read reads a file of a kind. It takes what has the right type, and ignores the rest.
func (f *fileOutline) read(k folder.Kind, root *yaml.Node) {
	switch {
	case k == folder.Schema:
		f.schema(root)
	case k == folder.Categories:
		f.category(root)
	case root.Kind == yaml.List:
		for item := range root.All() {
			f.element(item)
		}
	default:
		f.element(root)
	}
}

// schema reads the categories of the datachain type and its subchains.
func (f *fileOutline) schema(root *yaml.Node) {
	f.each(root, "locales", func(item *yaml.Node) {
		if item.Kind == yaml.String {
			f.locales = append(f.locales, item.Value)
		}
	})
	history := &owner{}
	f.each(root, "removed", func(item *yaml.Node) { f.successors(history, item) })
	f.owners = append(f.owners, *history)
	typ := root.Get("datachain_type")
	if typ == nil {
		return
	}
	p := &owner{}
	f.each(typ, "categories", func(item *yaml.Node) { f.refer(p, source.KindCategory, item) })
	f.owners = append(f.owners, *p)
	f.each(typ, "subchains", func(item *yaml.Node) {
		p := &owner{def: f.define(source.KindSubchain, item, nil)}
		f.each(item, "categories", func(item *yaml.Node) { f.refer(p, source.KindCategory, item) })
		f.owners = append(f.owners, *p)
	})
}

func (f *fileOutline) category(root *yaml.Node) {
	p := &owner{def: f.define(source.KindCategory, root, nil)}
	f.variables(p, root)
	if context := root.Get("context"); context != nil {
		f.each(context, "values", func(item *yaml.Node) {
			if d := f.define(source.KindContextValue, item, p.def); d != nil {
				p.nested = append(p.nested, d)
			}
		})
	}
	f.placeholders(p, root.Get("description"))
	f.owners = append(f.owners, *p)
}

func (f *fileOutline) element(n *yaml.Node) {
	p := &owner{def: f.define(source.KindElement, n, nil)}
	if id := n.Get("category_id"); id != nil && id.Kind == yaml.String {
		p.category = id.Value
	}
	f.refer(p, source.KindCategory, n.Get("category_id"))
	f.refer(p, source.KindSymbol, n.Get("symbol_id"))
	f.successors(p, n)
	f.variables(p, n)
	f.placeholders(p, n.Get("title"))
	f.placeholders(p, n.Get("description"))
	f.owners = append(f.owners, *p)
}

// successors reads replaced_by: an element id, or a list of ids or of objects with an
// id.
func (f *fileOutline) successors(p *owner, n *yaml.Node) {
	f.refer(p, source.KindElement, n.Get("replaced_by"))
	f.each(n, "replaced_by", func(item *yaml.Node) {
		if item.Kind == yaml.Object {
			item = item.Get("id")
		}
		f.refer(p, source.KindElement, item)
	})
}

// variables reads the variables of a category or an element.
func (f *fileOutline) variables(p *owner, n *yaml.Node) {
	f.each(n, "variables", func(item *yaml.Node) {
		v := f.define(source.KindVariable, item, p.def)
		if v == nil {
			return
		}
		p.variables = append(p.variables, v)
		f.each(item, "options", func(item *yaml.Node) {
			if d := f.define(source.KindOption, item, v); d != nil {
				p.nested = append(p.nested, d)
			}
			f.each(item, "applies_to", func(item *yaml.Node) { f.refer(p, source.KindElement, item) })
		})
	})
}

// each calls a function for the items of a list.
func (f *fileOutline) each(n *yaml.Node, key string, visit func(*yaml.Node)) {
	if items := n.Get(key); items != nil && items.Kind == yaml.List {
		for item := range items.All() {
			visit(item)
		}
	}
}

// define returns the definition of an object with an id, or nil.
func (f *fileOutline) define(kind source.Kind, n *yaml.Node, in *Definition) *Definition {
	id := n.Get("id")
	if id == nil || id.Kind != yaml.String || id.Value == "" {
		return nil
	}
	s, ok := f.text.Scalar(id, false)
	if !ok {
		return nil
	}
	start, end := f.text.Span(n)
	d := &Definition{Kind: kind, ID: id.Value, In: in, File: f.file, Path: n.Path(), Range: f.text.Range(start, end)}
	d.IDRange = f.text.Range(s.Content())
	for _, key := range []string{"title", "name", "label"} {
		if d.Title == nil {
			d.Title = textsOf(n.Get(key))
		}
	}
	d.Description = textsOf(n.Get("description"))
	if status := n.Get("status"); kind == source.KindElement && status != nil {
		d.Deprecated = status.Value == string(codes.StatusDeprecated)
	}
	d.RenamedFrom = writtenIDs(n.Get("renamed_from"))
	if shape := n.Get("shape"); kind == source.KindCategory && shape != nil && shape.Kind == yaml.String {
		d.Shape = taxonomy.Shape(shape.Value)
	}
	return d
}

// writtenIDs returns the ids of an id or a list of them.
func writtenIDs(n *yaml.Node) (ids []string) {
	switch {
	case n == nil:
	case n.Kind == yaml.String:
		ids = append(ids, n.Value)
	case n.Kind == yaml.List:
		for item := range n.All() {
			ids = append(ids, writtenIDs(item)...)
		}
	}
	return ids
}

// textsOf returns the texts of a localized string that can be read.
func textsOf(n *yaml.Node) taxonomy.Localized {
	if n == nil || n.Kind != yaml.Object && n.Kind != yaml.List {
		return nil
	}
	var texts taxonomy.Localized
	for item := range n.All() {
		if e := folder.LocaleEntryOf(item); e.Locale != "" && e.Value != nil && e.Value.Kind == yaml.String {
			texts = append(texts, taxonomy.Text{Locale: e.Locale, Value: e.Value.Value})
		}
	}
	return texts
}

// refer adds a reference, if the value is a string.
func (f *fileOutline) refer(p *owner, kind source.Kind, n *yaml.Node) {
	if n == nil || n.Kind != yaml.String || n.Value == "" {
		return
	}
	if s, ok := f.text.Scalar(n, false); ok {
		p.references = append(p.references, &Reference{
			Kind: kind, ID: n.Value, In: p.def, File: f.file, Path: n.Path(),
			Range: f.text.Range(s.Content()),
		})
	}
}

// placeholders adds the {{variables}} of a localized text.
func (f *fileOutline) placeholders(p *owner, n *yaml.Node) {
	if n == nil || n.Kind != yaml.Object && n.Kind != yaml.List {
		return
	}
	for item := range n.All() {
		value := folder.LocaleEntryOf(item).Value
		if value == nil || value.Kind != yaml.String {
			continue
		}
		at := *value
		if at.Target != (yaml.Place{}) {
			at.Place = at.Target
		}
		var s yaml.Scalar
		for piece := range ident.Pieces(value.Value) {
			if !piece.Placeholder || piece.Name() == "" || strings.ContainsFunc(piece.Name(), yaml.IsFolded) {
				continue // not an id
			}
			if s.Offsets == nil {
				var ok bool
				if s, ok = f.text.Scalar(&at, true); !ok {
					break
				}
			}
			i, id := piece.At+len("{{"), piece.Name()
			p.references = append(p.references, &Reference{
				Kind: source.KindVariable, ID: id, In: p.def, File: f.file, Path: value.Path(),
				Range: f.text.Range(s.Offsets[i], s.Offsets[i+len(id)]), // up to the braces
			})
		}
	}
}
