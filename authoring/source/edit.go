package source

import (
	"fmt"
	"io/fs"
	"slices"

	wire "github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
)

// Step is one step from an object to a value in it. Exactly one field is set.
type Step struct {
	// Key is the key of an object.
	Key string
	// ID is the id of an item of a list.
	ID string
	// Locale is that of a text of a localized string.
	Locale string
	// Number counts the items of a list without ids from 1.
	Number int
}

// Change sets or removes one value of the source of a schema version.
type Change struct {
	// Kind and ID name an element or a category. With neither it is the schema
	// file.
	Kind Kind
	ID   string
	Path []Step
	// Value is a string, int, bool or []string. Nil removes the value, and what is
	// empty without it.
	Value any
}

// Changes are what to change in the source of a schema version.
type Changes struct {
	Set []Change
	// Add are the ids of new elements, whose values are in Set.
	Add []string
	// Remove are the ids of elements to remove.
	Remove []string
}

// Edits are the new contents of files, by their paths. Nil removes a file.
type Edits map[string][]byte

// Apply makes changes to the source of a schema version and returns the files that
// change. Texts are replaced where they are written, so that comments, order and style
// of everything else are kept. Elements are added in files of their own.
//
// It is an error if something does not exist, or is written in a way that can't be
// changed in place. Use [Preview] to see whether the result is valid.
func Apply(fsys fs.FS, v taxonomy.Version, changes *Changes, o *Options) (Edits, error) {
	c := newCompiler(fsys, v, o)
	if err := c.list(); err != nil {
		return nil, err
	}
	a := &changer{compiler: c, files: make(map[string]*editedFile), objects: make(map[string]objectAt), added: make(map[string]*want)}
	if err := a.find(); err != nil {
		return nil, err
	}
	for _, id := range changes.Add {
		if a.objects[objectKey(KindElement, id)].node != nil {
			return nil, fmt.Errorf("source: %s has an element %s already", v, id)
		}
		a.added[id] = new(want)
	}
	if err := a.change(changes.Set); err != nil {
		return nil, err
	}
	if err := a.remove(changes.Remove); err != nil {
		return nil, err
	}
	edits := a.edits()
	for _, id := range changes.Add {
		edits[a.newFile(id, edits)] = a.added[id].elementText(id)
	}
	return edits, nil
}

// want is a tree of the values to set, in the order in which they were given.
type want struct {
	step     Step
	isLeaf   bool
	value    any // nil removes it
	children []*want
}

func (w *want) set(path []Step, value any) {
	if len(path) == 0 {
		w.isLeaf, w.value = true, value
		return
	}
	i := slices.IndexFunc(w.children, func(c *want) bool { return c.step == path[0] })
	if i < 0 {
		i = len(w.children)
		w.children = append(w.children, &want{step: path[0]})
	}
	w.children[i].set(path[1:], value)
}

// each calls do with each value that is to be set or removed, and its path.
func (w *want) each(path []Step, do func(path []Step, value any)) {
	if w.isLeaf {
		do(path, w.value)
	}
	for _, c := range w.children {
		c.each(append(slices.Clip(path), c.step), do)
	}
}

// adds reports whether something is to be set, not only removed.
func (w *want) adds() bool {
	return w.value != nil || slices.ContainsFunc(w.children, (*want).adds)
}

// build returns the value to write where nothing is yet.
func (w *want) build() any {
	if w.isLeaf {
		return w.value
	}
	var object mapping
	var items []mapping
	for _, c := range w.children {
		if !c.adds() {
			continue
		}
		switch value := c.build(); {
		case c.step.Key != "":
			object = append(object, member{c.step.Key, value})
		case c.step.Locale != "":
			object = append(object, member{c.step.Locale, value})
		default:
			item, _ := value.(mapping)
			if c.step.ID != "" && (len(item) == 0 || item[0].key != "id") {
				item = append(mapping{{"id", c.step.ID}}, item...)
			}
			items = append(items, item)
		}
	}
	if items != nil {
		return items
	}
	return object
}

// elementText returns the file of a new element, with its keys in the usual order.
func (w *want) elementText(id string) []byte {
	object, _ := w.build().(mapping)
	usual := wire.Names[taxonomy.Element]()
	slices.SortStableFunc(object, func(a, b member) int { return slices.Index(usual, a.key) - slices.Index(usual, b.key) })
	return yamlText(append(mapping{{"id", id}}, object...))
}
