// Package edit changes authoring source in place: it replaces, adds and removes values where they
// are written, so that comments, order and style of everything else are kept.
//
// [Apply] makes [Changes] and returns the files that change, which [source.Preview] can compile
// before they are written.
//
// # Experimental
//
// This package may change in a minor version.
package edit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Step is one step from an object to a value in it. Exactly one field is set, except
// that a mapping has an ID and a Scheme.
type Step struct {
	// Key is the key of an object.
	Key string
	// ID is the id of an item of a list.
	ID string
	// Scheme is that of a mapping, whose ID is unique in its scheme only.
	Scheme string
	// Locale is that of a text of a localized string.
	Locale string
	// Number counts the items of a list without ids from 1.
	Number int
}

// Change sets or removes one value of the source of a schema version.
type Change struct {
	// Kind and ID name an element or a category. With neither it is the schema
	// file.
	Kind source.Kind
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

// Apply makes changes to the source of a schema version and returns the files that
// change. Texts are replaced where they are written, so that comments, order and style
// of everything else are kept. Elements are added in files of their own.
//
// It is an error if something does not exist, or is written in a way that can't be
// changed in place. Use [source.Preview] to see whether the result is valid.
func Apply(fsys fs.FS, v taxonomy.Version, changes *Changes) (source.Edits, error) {
	f := folder.New(fsys, v, folder.Options{})
	if err := f.List(); err != nil {
		return nil, fmt.Errorf("edit: %w", err)
	}
	c := &changer{Folder: f, files: make(map[string]*editedFile), objects: make(folder.Objects), added: make(map[string]*valueTree)}
	if err := c.find(); err != nil {
		return nil, err
	}
	for _, id := range changes.Add {
		if c.objects[folder.ObjectID{Kind: string(source.KindElement), ID: id}].Node != nil {
			return nil, fmt.Errorf("edit: %s has an element %s already", v, id)
		}
		c.added[id] = new(valueTree)
	}
	if err := c.change(changes.Set); err != nil {
		return nil, err
	}
	if err := c.remove(changes.Remove); err != nil {
		return nil, err
	}
	edits := c.edits()
	for _, id := range changes.Add {
		edits[c.newFile(id, edits)] = c.added[id].elementText(id)
	}
	return edits, nil
}

// valueTree is a tree of the values to set, in the order in which they were given.
type valueTree struct {
	step     Step
	isLeaf   bool
	value    any // nil removes it
	children []*valueTree
}

func (t *valueTree) set(path []Step, value any) {
	if len(path) == 0 {
		t.isLeaf, t.value = true, value
		return
	}
	i := slices.IndexFunc(t.children, func(child *valueTree) bool { return child.step == path[0] })
	if i < 0 {
		i = len(t.children)
		t.children = append(t.children, &valueTree{step: path[0]})
	}
	t.children[i].set(path[1:], value)
}

// each calls do with each value that is to be set or removed, and its path.
func (t *valueTree) each(path []Step, do func(path []Step, value any)) {
	if t.isLeaf {
		do(path, t.value)
	}
	for _, child := range t.children {
		child.each(append(slices.Clip(path), child.step), do)
	}
}

// adds reports whether something is to be set, not only removed.
func (t *valueTree) adds() bool {
	return t.value != nil || slices.ContainsFunc(t.children, (*valueTree).adds)
}

// build returns the value to write where nothing is yet.
func (t *valueTree) build() any {
	if t.isLeaf {
		return t.value
	}
	var object yaml.Mapping
	var items []yaml.Mapping
	for _, child := range t.children {
		if !child.adds() {
			continue
		}
		switch value := child.build(); {
		case child.step.Key != "":
			object = append(object, yaml.Member{Key: child.step.Key, Value: value})
		case child.step.Locale != "":
			object = append(object, yaml.Member{Key: child.step.Locale, Value: value})
		default:
			item, _ := value.(yaml.Mapping)
			if child.step.ID != "" && (len(item) == 0 || item[0].Key != "id") {
				item = append(yaml.Mapping{{Key: "id", Value: child.step.ID}}, item...)
			}
			if child.step.Scheme != "" {
				item = append(yaml.Mapping{{Key: "scheme", Value: child.step.Scheme}}, item...)
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
func (t *valueTree) elementText(id string) []byte {
	object, _ := t.build().(yaml.Mapping)
	usual := jsonfields.Names[taxonomy.Element]()
	slices.SortStableFunc(object, func(a, b yaml.Member) int { return slices.Index(usual, a.Key) - slices.Index(usual, b.Key) })
	return yaml.FileText(append(yaml.Mapping{{Key: "id", Value: id}}, object...))
}

// changer applies changes in rounds. In a round a place of a file is changed once; a
// change at the same place, such as a second text after the last one, waits until the
// file has been parsed again.
type changer struct {
	*folder.Folder
	files   map[string]*editedFile
	objects folder.Objects
	added   map[string]*valueTree // new elements by id
}

// editedFile is a file that is being changed.
type editedFile struct {
	folder.Entry
	root    *yaml.Node
	content []byte
	text    *yaml.Text
	edits   []document.Edit // of this round, in order
	changed bool            // in an earlier round
	removed bool            // all its elements are removed
}

// find reads all files and finds the objects in them. What can't be read is an error:
// it may have what is to be changed.
func (c *changer) find() error {
	for _, k := range []folder.Kind{folder.Schema, folder.Categories, folder.Elements} {
		read := make([]*editedFile, len(c.Files[k]))
		c.Read(c.Files[k], func(i int, f *folder.File) {
			if root, data := f.Parse(); root != nil {
				read[i] = &editedFile{Entry: f.Entry, root: root, content: data, text: yaml.NewText(f.Name, data)}
			}
		})
		for _, f := range read {
			if f != nil {
				c.files[f.Name] = f
				c.objects.Define(f.Entry, f.root)
			}
		}
	}
	if len(c.Errors) > 0 {
		return fmt.Errorf("edit: %s: %s", c.Version, c.Errors[0])
	}
	return nil
}

// change makes changes: first it sets values, then it removes others, so that what is
// replaced by something beside it is never empty.
func (c *changer) change(changes []Change) error {
	var set, remove []Change
	for _, change := range changes {
		switch added := c.added[change.ID]; {
		case added != nil && change.Kind == source.KindElement:
			added.set(change.Path, change.Value)
		case c.objects[folder.ObjectID{Kind: string(change.Kind), ID: change.ID}].Node == nil:
			return fmt.Errorf("edit: %s has no %s %s", c.Version, change.Kind, change.ID)
		case change.Value != nil:
			set = append(set, change)
		default:
			remove = append(remove, change)
		}
	}
	for _, list := range [][]Change{set, remove} {
		for len(list) > 0 {
			var err error
			if list, err = c.round(list); err != nil {
				return err
			}
		}
	}
	return nil
}

// round makes the changes of each object, and returns those that have to wait.
func (c *changer) round(changes []Change) (waiting []Change, err error) {
	var order []folder.ObjectID
	trees := make(map[folder.ObjectID]*valueTree)
	for _, change := range changes {
		o := folder.ObjectID{Kind: string(change.Kind), ID: change.ID}
		if trees[o] == nil {
			trees[o] = new(valueTree)
			order = append(order, o)
		}
		trees[o].set(change.Path, change.Value)
	}
	locales := c.localesOf()
	for _, o := range order {
		at := c.objects[o]
		e := editor{editedFile: c.files[at.File], locales: locales, postpone: func(path []Step, value any) {
			waiting = append(waiting, Change{Kind: source.Kind(o.Kind), ID: o.ID, Path: path, Value: value})
		}}
		if err := e.inside(at.Node, nil, trees[o]); err != nil {
			return nil, fmt.Errorf("edit: %s: %w", at.File, err)
		}
	}
	return waiting, c.rewrite()
}

// localesOf returns the locales that the schema file lists.
func (c *changer) localesOf() []string {
	var locales []string
	if at := c.objects[folder.ObjectID{}]; at.Node != nil {
		for n := range at.Node.Get("locales").All() {
			locales = append(locales, n.Value)
		}
	}
	return locales
}

// remove removes elements. A file without elements is removed.
func (c *changer) remove(ids []string) error {
	count := make(map[string]int)
	for _, id := range ids {
		at := c.objects[folder.ObjectID{Kind: string(source.KindElement), ID: id}]
		if at.Node == nil {
			return fmt.Errorf("edit: %s has no element %s", c.Version, id)
		}
		count[at.File]++
		f := c.files[at.File]
		f.removed = f.removed || at.Node.Parent == nil || count[at.File] == len(f.root.Items)
	}
	for len(ids) > 0 {
		var waiting []string
		for _, id := range ids {
			at := c.objects[folder.ObjectID{Kind: string(source.KindElement), ID: id}]
			f := c.files[at.File]
			if f.removed {
				continue
			}
			switch err := (&editor{editedFile: f}).remove(at.Node); {
			case errors.Is(err, errTaken):
				waiting = append(waiting, id)
			case err != nil:
				return fmt.Errorf("edit: %s: %w", at.File, err)
			}
		}
		if err := c.rewrite(); err != nil {
			return err
		}
		ids = waiting
	}
	return nil
}

// rewrite makes the edits of a round, and parses the files again.
func (c *changer) rewrite() error {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		f := c.files[name]
		if len(f.edits) == 0 {
			continue
		}
		text, err := document.ApplyEdits(f.content, f.edits)
		if err != nil {
			return fmt.Errorf("edit: %s: %w", name, err)
		}
		root, p := yaml.Parse(name, text)
		if p != nil {
			return fmt.Errorf("edit: %s: %w", name, errInPlace)
		}
		f.root, f.content, f.text, f.edits, f.changed = root, text, yaml.NewText(name, text), nil, true
		c.objects.Define(f.Entry, root)
	}
	return nil
}

// edits returns the new contents of the files that change.
func (c *changer) edits() source.Edits {
	all := make(source.Edits)
	for name, f := range c.files {
		switch {
		case f.removed:
			all[name] = nil
		case f.changed:
			all[name] = f.content
		}
	}
	return all
}

// errTaken means that another change of the round is at the same place.
var errTaken = errors.New("another change is at the same place")

// take adds an edit to those of the round.
func (f *editedFile) take(e document.Edit) error {
	i, _ := slices.BinarySearchFunc(f.edits, e.Range.Start, func(o document.Edit, start int) int { return cmp.Compare(o.Range.Start, start) })
	for _, o := range f.edits[max(i-1, 0):min(i+1, len(f.edits))] {
		if touch(e.Range, o.Range) {
			return errTaken
		}
	}
	f.edits = slices.Insert(f.edits, i, e)
	return nil
}

// touch reports whether two ranges overlap, or one of them is empty and beside the other.
func touch(a, b document.Range) bool {
	if a.Start == a.End || b.Start == b.End {
		return a.Start <= b.End && b.Start <= a.End
	}
	return a.Start < b.End && b.Start < a.End
}

// newFile returns a path for a new element that no file has.
func (c *changer) newFile(id string, edits source.Edits) string {
	base := path.Join(c.Dir, strings.TrimSuffix(folder.ElementFile(id), ".yaml"))
	name := base + ".yaml"
	for i := 2; ; i++ {
		if _, taken := edits[name]; !taken && c.files[name] == nil {
			return name
		}
		name = fmt.Sprintf("%s-%d.yaml", base, i)
	}
}
