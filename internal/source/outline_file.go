package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// part is a category, an element, a subchain or the datachain type, with what it
// contains.
type part struct {
	def        *Definition // nil for the datachain type
	category   string      // of an element
	variables  []*Definition
	inside     []*Definition // options and context values
	references []*Reference
}

// outlinedFile is a file of an outline.
type outlinedFile struct {
	file
	kind fileKind
	// done is set if the file was read, and content what was found: nil if it can't
	// be read or parsed. It is shared by outlines, and does not change.
	done    bool
	content *fileOutline
	// references are those of the content, with their definitions in this outline.
	references []*Reference
}

// read reads the files that were not read yet, on all CPUs.
func (o *Outline) read(c *compiler) {
	at := make(map[string]int)
	c.files = make(map[fileKind][]file)
	for i := range o.files {
		f := &o.files[i]
		switch {
		case f.done && f.content != nil:
			c.size.Add(f.content.size)
		case f.done:
		case f.kind == symbolFiles:
			f.done, f.content = true, newSymbolOutline(f.file)
		default:
			at[f.name] = i
			c.files[f.kind] = append(c.files[f.kind], f.file)
		}
	}
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles} {
		read := readAll(c, k, func(d *decoder, data []byte) *fileOutline {
			root := d.parse(data)
			if root == nil {
				return nil
			}
			r := &fileOutline{file: d.file.name, size: int64(len(data)), text: newRawText(d.file, data)}
			r.read(k, root)
			r.finish()
			return r
		})
		for i, content := range read {
			f := &o.files[at[c.files[k][i].name]]
			f.done, f.content, f.references = true, content, nil
		}
	}
}

// fileOutline collects the parts of one file.
type fileOutline struct {
	file  string
	size  int64
	text  *rawText // while the file is read
	parts []part
	// locales are those of the schema file.
	locales []string
	// definitions and references are those of all parts, in the order of their
	// places.
	definitions []*Definition
	references  []placedReference
}

// placedReference is a reference before its definition is known.
type placedReference struct {
	*Reference
	part *part
	// again is set if the one before is at the same place, because an alias of
	// YAML gives two owners the same text.
	again bool
}

func newSymbolOutline(f file) *fileOutline {
	return &fileOutline{file: f.name, definitions: []*Definition{{Kind: KindSymbol, ID: f.stem(), File: f.name, Path: issue.Root}}}
}

// definedAt identifies a definition in a file: an alias of YAML can give two owners the
// same object.
type definedAt struct {
	kind Kind
	id   document.Range
}

// finish collects definitions and references. Definitions at the same place are one.
func (r *fileOutline) finish() {
	r.text = nil
	seen := make(map[definedAt]*Definition)
	one := func(d *Definition) *Definition {
		if d == nil {
			return nil
		}
		at := definedAt{d.Kind, d.IDRange}
		if seen[at] == nil {
			r.definitions = append(r.definitions, d)
			seen[at] = d
		}
		return seen[at]
	}
	for i := range r.parts {
		p := &r.parts[i]
		p.def = one(p.def)
		for k := range p.variables {
			p.variables[k] = one(p.variables[k])
		}
		for k := range p.inside {
			p.inside[k] = one(p.inside[k])
		}
		for _, ref := range p.references {
			r.references = append(r.references, placedReference{Reference: ref, part: p})
		}
	}
	slices.SortStableFunc(r.definitions, compareDefinitions)
	slices.SortStableFunc(r.references, func(a, b placedReference) int {
		return cmp.Or(cmp.Compare(a.Range.Start, b.Range.Start), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	for i := range r.references[min(1, len(r.references)):] {
		a, b := &r.references[i], &r.references[i+1]
		b.again = a.Kind == b.Kind && a.Range == b.Range
	}
}

// read reads a file of a kind. It takes what has the right type, and ignores the rest.
func (r *fileOutline) read(k fileKind, root *node) {
	switch {
	case k == schemaFiles:
		r.schema(root)
	case k == categoryFiles:
		r.category(root)
	case root.kind == list:
		for item := range root.all() {
			r.element(item)
		}
	default:
		r.element(root)
	}
}

// schema reads the categories of the datachain type and its subchains.
func (r *fileOutline) schema(root *node) {
	r.each(root, "locales", func(item *node) {
		if item.kind == text {
			r.locales = append(r.locales, item.value)
		}
	})
	history := &part{}
	r.each(root, "removed", func(item *node) { r.successors(history, item) })
	r.parts = append(r.parts, *history)
	typ := root.get("datachain_type")
	if typ == nil {
		return
	}
	p := &part{}
	r.each(typ, "categories", func(item *node) { r.refer(p, KindCategory, item) })
	r.parts = append(r.parts, *p)
	r.each(typ, "subchains", func(item *node) {
		p := &part{def: r.define(KindSubchain, item, nil)}
		r.each(item, "categories", func(item *node) { r.refer(p, KindCategory, item) })
		r.parts = append(r.parts, *p)
	})
}

func (r *fileOutline) category(root *node) {
	p := &part{def: r.define(KindCategory, root, nil)}
	r.variables(p, root)
	if context := root.get("context"); context != nil {
		r.each(context, "values", func(item *node) {
			if d := r.define(KindContextValue, item, p.def); d != nil {
				p.inside = append(p.inside, d)
			}
		})
	}
	r.placeholders(p, root.get("description"))
	r.parts = append(r.parts, *p)
}

func (r *fileOutline) element(n *node) {
	p := &part{def: r.define(KindElement, n, nil)}
	if id := n.get("category_id"); id != nil && id.kind == text {
		p.category = id.value
	}
	r.refer(p, KindCategory, n.get("category_id"))
	r.refer(p, KindSymbol, n.get("symbol_id"))
	r.successors(p, n)
	r.variables(p, n)
	r.placeholders(p, n.get("title"))
	r.placeholders(p, n.get("description"))
	r.parts = append(r.parts, *p)
}

// successors reads replaced_by: an element id, or a list of ids or of objects with an
// id.
func (r *fileOutline) successors(p *part, n *node) {
	r.refer(p, KindElement, n.get("replaced_by"))
	r.each(n, "replaced_by", func(item *node) {
		if item.kind == object {
			item = item.get("id")
		}
		r.refer(p, KindElement, item)
	})
}

// variables reads the variables of a category or an element.
func (r *fileOutline) variables(p *part, n *node) {
	r.each(n, "variables", func(item *node) {
		v := r.define(KindVariable, item, p.def)
		if v == nil {
			return
		}
		p.variables = append(p.variables, v)
		r.each(item, "options", func(item *node) {
			if d := r.define(KindOption, item, v); d != nil {
				p.inside = append(p.inside, d)
			}
			r.each(item, "applies_to", func(item *node) { r.refer(p, KindElement, item) })
		})
	})
}

// each calls a function for the items of a list.
func (r *fileOutline) each(n *node, key string, visit func(*node)) {
	if items := n.get(key); items != nil && items.kind == list {
		for item := range items.all() {
			visit(item)
		}
	}
}

// define returns the definition of an object with an id, or nil.
func (r *fileOutline) define(kind Kind, n *node, in *Definition) *Definition {
	id := n.get("id")
	if id == nil || id.kind != text || id.value == "" {
		return nil
	}
	s, ok := r.text.scalar(id, false)
	if !ok {
		return nil
	}
	start, end := r.text.span(n)
	d := &Definition{Kind: kind, ID: id.value, In: in, File: r.file, Path: n.path(), Range: r.text.in(start, end), written: quotingOf(s.style)}
	d.IDRange = r.text.in(s.content())
	for _, key := range []string{"title", "name", "label"} {
		if d.Title == nil {
			d.Title = textsOf(n.get(key))
		}
	}
	d.Description = textsOf(n.get("description"))
	if status := n.get("status"); kind == KindElement && status != nil {
		d.Deprecated = status.value == string(codes.StatusDeprecated)
	}
	d.RenamedFrom = writtenIDs(n.get("renamed_from"))
	if shape := n.get("shape"); kind == KindCategory && shape != nil && shape.kind == text {
		d.Shape = taxonomy.Shape(shape.value)
	}
	return d
}

// writtenIDs returns the ids of an id or a list of them.
func writtenIDs(n *node) (ids []string) {
	switch {
	case n == nil:
	case n.kind == text:
		ids = append(ids, n.value)
	case n.kind == list:
		for item := range n.all() {
			ids = append(ids, writtenIDs(item)...)
		}
	}
	return ids
}

// textsOf returns the texts of a localized string that can be read.
func textsOf(n *node) taxonomy.Localized {
	if n == nil || n.kind != object && n.kind != list {
		return nil
	}
	var texts taxonomy.Localized
	for item := range n.all() {
		if e := entryOf(item); e.locale != "" && e.value != nil && e.value.kind == text {
			texts = append(texts, taxonomy.Text{Locale: e.locale, Value: e.value.value})
		}
	}
	return texts
}

// refer adds a reference, if the value is a string.
func (r *fileOutline) refer(p *part, kind Kind, n *node) {
	if n == nil || n.kind != text || n.value == "" {
		return
	}
	if s, ok := r.text.scalar(n, false); ok {
		p.references = append(p.references, &Reference{
			Kind: kind, ID: n.value, In: p.def, File: r.file, Path: n.path(),
			Range: r.text.in(s.content()), written: quotingOf(s.style),
		})
	}
}

func quotingOf(style byte) quoting {
	switch style {
	case 0:
		return plain
	case '*':
		return alias
	}
	return quoted
}

// placeholders adds the {{variables}} of a localized text.
func (r *fileOutline) placeholders(p *part, n *node) {
	if n == nil || n.kind != object && n.kind != list {
		return
	}
	for item := range n.all() {
		value := entryOf(item).value
		if value == nil || value.kind != text {
			continue
		}
		at := *value
		if at.target != (place{}) {
			at.place = at.target
		}
		var s rawScalar
		for piece := range ident.Pieces(value.value) {
			if !piece.Placeholder || piece.Name() == "" || strings.ContainsFunc(piece.Name(), isFolded) {
				continue // not an id
			}
			if s.offsets == nil {
				var ok bool
				if s, ok = r.text.scalar(&at, true); !ok {
					break
				}
			}
			i, id := piece.At+len("{{"), piece.Name()
			p.references = append(p.references, &Reference{
				Kind: KindVariable, ID: id, In: p.def, File: r.file, Path: value.path(),
				Range: r.text.in(s.offsets[i], s.offsets[i+len(id)]), // up to the braces
			})
		}
	}
}
