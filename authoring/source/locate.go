package source

import (
	"fmt"
	"io/fs"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Locator finds the places in the files of a schema version that the parts of its
// release come from, for findings about a release, such as a change since the last
// version.
type Locator struct {
	objects   folder.Objects
	symbols   map[string]string // files by id
	directory string
}

// NewLocator reads the files of a schema version. It needs no valid source: what can be
// read can be found. If there is no such directory, the error wraps [fs.ErrNotExist].
func NewLocator(fsys fs.FS, v taxonomy.Version, o *Options) (*Locator, error) {
	opts := o.withDefaults()
	dir := folder.New(fsys, v, folder.Options{MaxFileSize: opts.MaxFileSize, MaxTotalSize: opts.MaxTotalSize})
	if err := dir.List(); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	l := &Locator{objects: make(folder.Objects), symbols: make(map[string]string), directory: Directory(v)}
	for _, k := range []folder.Kind{folder.Schema, folder.Categories, folder.Elements} {
		roots := make([]*yaml.Node, len(dir.Files[k]))
		dir.Read(dir.Files[k], func(i int, f *folder.File) { roots[i], _ = f.Parse() })
		for i, root := range roots {
			if root != nil {
				l.objects.Define(dir.Files[k][i], root)
			}
		}
	}
	for _, f := range dir.Files[folder.Symbols] {
		l.symbols[f.Stem()] = f.Name
	}
	return l, nil
}

// Find returns the place of a field of a category, an element or a symbol or, if kind
// is empty, of the schema file. The path names items of lists by their id, their
// locale or their value, as in variables.contact.label.fr; [issue.Root] is the whole
// object. If the source does not have the field, such as a variable that an element
// inherits, the place is that of the innermost object that it has, and if it does not
// have the object, that of the schema file.
func (l *Locator) Find(kind Kind, id string, path issue.Path) issue.Position {
	if file, ok := l.symbols[id]; ok && kind == KindSymbol {
		return issue.Position{File: file}
	}
	object, found := l.objects[folder.ObjectID{Kind: string(kind), ID: id}]
	if !found && kind != "" {
		path = nil
	}
	if !found {
		if object, found = l.objects[folder.ObjectID{}]; !found {
			return issue.Position{File: l.directory}
		}
	}
	n := object.Node
	for _, step := range path {
		next := itemOf(n, step.Name())
		if next == nil {
			break
		}
		n = next
	}
	return anchorOf(n).In(object.File)
}

// itemOf returns the value of a key of an object, or the item of a list that a key
// names.
func itemOf(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.List {
		return n.Get(key)
	}
	for item := range n.All() {
		if item.Kind == yaml.String && item.Value == key {
			return item
		}
		for _, by := range []string{"id", "locale"} {
			if named := item.Get(by); named != nil && named.Value == key {
				if value := item.Get("value"); value != nil && by == "locale" {
					return value
				}
				return item
			}
		}
	}
	return nil
}

// anchorOf returns the place to show for a node: a list or an object begins at its key.
func anchorOf(n *yaml.Node) yaml.Place {
	if n.InObject() && (n.Kind == yaml.List || n.Kind == yaml.Object) {
		return n.KeyAt
	}
	return n.Place
}
