package source

import (
	"io/fs"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Locator finds the places in the files of a schema version that the parts of its
// release come from, for findings about a release, such as a change since the last
// version.
type Locator struct {
	schema               *located
	categories, elements map[string]located
	symbols              map[string]string // files by id
	directory            string
}

// located is an object of a file.
type located struct {
	file string
	node *node
}

// NewLocator reads the files of a schema version. It needs no valid source: what can be
// read can be found. If there is no such directory, the error wraps [fs.ErrNotExist].
func NewLocator(fsys fs.FS, v taxonomy.Version, o *Options) (*Locator, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, err
	}
	l := &Locator{
		categories: make(map[string]located), elements: make(map[string]located),
		symbols: make(map[string]string), directory: directory(v),
	}
	for _, found := range readAll(c, schemaFiles, parsed(asLocated)) {
		if found.node != nil {
			l.schema = &found
		}
	}
	for _, found := range readAll(c, categoryFiles, parsed(asLocated)) {
		l.add(l.categories, found)
	}
	for _, found := range readAll(c, elementFiles, parsed(asLocated)) {
		if found.node != nil && found.node.kind == list {
			for i := range found.node.items {
				l.add(l.elements, located{found.file, &found.node.items[i]})
			}
			continue
		}
		l.add(l.elements, found)
	}
	for _, f := range c.files[symbolFiles] {
		l.symbols[f.stem()] = f.name
	}
	return l, nil
}

func asLocated(d *decoder, root *node) located { return located{d.file.name, root} }

// add adds an object by its id. If there are several with an id, the first is found.
func (l *Locator) add(to map[string]located, found located) {
	if found.node == nil {
		return
	}
	if id := found.node.get("id"); id != nil && to[id.value].node == nil {
		to[id.value] = found
	}
}

// Find returns the place of a field of a category, an element or a symbol or, if kind
// is empty, of the schema file. The path names items of lists by their id, their
// locale or their value, as in variables.contact.label.fr; [issue.Root] is the whole
// part. If the source does not have the field, such as a variable that an element
// inherits, the place is that of the innermost object that it has, and if it does not
// have the part, that of the schema file.
func (l *Locator) Find(kind Kind, id string, path issue.Path) issue.Position {
	var part located
	switch kind {
	case KindCategory:
		part = l.categories[id]
	case KindElement:
		part = l.elements[id]
	case KindSymbol:
		if file, ok := l.symbols[id]; ok {
			return issue.Position{File: file}
		}
	}
	if part.node == nil && kind != "" {
		path = nil
	}
	if part.node == nil {
		if l.schema == nil {
			return issue.Position{File: l.directory}
		}
		part = *l.schema
	}
	n := part.node
	for _, step := range path {
		next := n.item(step.Name())
		if next == nil {
			break
		}
		n = next
	}
	return n.anchor().in(part.file)
}

// item returns the value of a key of an object, or the item of a list that a key
// names.
func (n *node) item(key string) *node {
	if n.kind != list {
		return n.get(key)
	}
	for i := range n.items {
		item := &n.items[i]
		if item.kind == text && item.value == key {
			return item
		}
		for _, by := range []string{"id", "locale"} {
			if named := item.get(by); named != nil && named.value == key {
				if value := item.get("value"); value != nil && by == "locale" {
					return value
				}
				return item
			}
		}
	}
	return nil
}

// anchor returns the place to show for a node: a list or an object begins at its key.
func (n *node) anchor() place {
	if n.inObject() && (n.kind == list || n.kind == object) {
		return n.keyAt
	}
	return n.place
}
