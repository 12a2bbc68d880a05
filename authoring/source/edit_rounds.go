package source

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// changer applies changes in rounds. In a round a place of a file is changed once; a
// change at the same place, such as a second text after the last one, waits until the
// file has been parsed again.
type changer struct {
	*compiler
	files   map[string]*editedFile
	objects map[string]objectAt
	added   map[string]*want // new elements by id
}

// objectAt is where an element, a category or the schema is.
type objectAt struct {
	file *editedFile
	node *node
}

// editedFile is a file that is being changed.
type editedFile struct {
	file
	kind    fileKind
	root    *node
	content []byte
	text    *rawText
	edits   []document.Edit // of this round, in order
	changed bool            // in an earlier round
	gone    bool            // all its elements are removed
}

// objectKey identifies an object.
func objectKey(k Kind, id string) string { return string(k) + "\x00" + id }

// find reads all files and finds the objects in them. What can't be read is an error:
// it may have what is to be changed.
func (a *changer) find() error {
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles} {
		read := readAll(a.compiler, k, func(d *decoder, data []byte) *editedFile {
			if root := d.parse(data); root != nil {
				return &editedFile{file: d.file, kind: k, root: root, content: data, text: newRawText(d.file, data)}
			}
			return nil
		})
		for _, f := range read {
			if f != nil {
				a.files[f.name] = f
				a.define(f)
			}
		}
	}
	if len(a.errors) > 0 {
		return fmt.Errorf("source: %s: %s", a.version, a.errors[0])
	}
	return nil
}

// define notes where the objects of a file are. The first with an id counts.
func (a *changer) define(f *editedFile) {
	note := func(k Kind, n *node) {
		id := n.get("id")
		if id == nil {
			return
		}
		key := objectKey(k, id.value)
		if at := a.objects[key]; at.node == nil || at.file == f {
			a.objects[key] = objectAt{f, n}
		}
	}
	switch {
	case f.kind == schemaFiles:
		a.objects[objectKey("", "")] = objectAt{f, f.root}
	case f.kind == categoryFiles:
		note(KindCategory, f.root)
	case f.root.kind == list:
		for i := range slices.Backward(f.root.items) {
			note(KindElement, &f.root.items[i])
		}
	default:
		note(KindElement, f.root)
	}
}

// change makes changes: first it sets values, then it removes others, so that what is
// replaced by something beside it is never empty.
func (a *changer) change(changes []Change) error {
	var set, remove []Change
	for _, c := range changes {
		switch added := a.added[c.ID]; {
		case added != nil && c.Kind == KindElement:
			added.set(c.Path, c.Value)
		case a.objects[objectKey(c.Kind, c.ID)].node == nil:
			return fmt.Errorf("source: %s has no %s %s", a.version, c.Kind, c.ID)
		case c.Value != nil:
			set = append(set, c)
		default:
			remove = append(remove, c)
		}
	}
	for _, list := range [][]Change{set, remove} {
		for len(list) > 0 {
			var err error
			if list, err = a.round(list); err != nil {
				return err
			}
		}
	}
	return nil
}

// round makes the changes of each object, and returns those that have to wait.
func (a *changer) round(changes []Change) (waiting []Change, err error) {
	type objectID struct {
		kind Kind
		id   string
	}
	var order []objectID
	wanted := make(map[objectID]*want)
	for _, c := range changes {
		o := objectID{c.Kind, c.ID}
		if wanted[o] == nil {
			wanted[o] = new(want)
			order = append(order, o)
		}
		wanted[o].set(c.Path, c.Value)
	}
	locales := a.localesOf()
	for _, o := range order {
		at := a.objects[objectKey(o.kind, o.id)]
		e := editor{editedFile: at.file, locales: locales, wait: func(path []Step, value any) {
			waiting = append(waiting, Change{Kind: o.kind, ID: o.id, Path: path, Value: value})
		}}
		if err := e.object(at.node, nil, wanted[o]); err != nil {
			return nil, fmt.Errorf("source: %s: %w", at.file.name, err)
		}
	}
	return waiting, a.rewrite()
}

// localesOf returns the locales that the schema file lists.
func (a *changer) localesOf() []string {
	var codes []string
	if at := a.objects[objectKey("", "")]; at.node != nil {
		if n := at.node.get("locales"); n != nil {
			for i := range n.items {
				codes = append(codes, n.items[i].value)
			}
		}
	}
	return codes
}

// remove removes elements. A file without elements is removed.
func (a *changer) remove(ids []string) error {
	count := make(map[*editedFile]int)
	for _, id := range ids {
		at := a.objects[objectKey(KindElement, id)]
		if at.node == nil {
			return fmt.Errorf("source: %s has no element %s", a.version, id)
		}
		count[at.file]++
		at.file.gone = at.file.gone || at.node.parent == nil || count[at.file] == len(at.file.root.items)
	}
	for len(ids) > 0 {
		var waiting []string
		for _, id := range ids {
			at := a.objects[objectKey(KindElement, id)]
			if at.file.gone {
				continue
			}
			switch err := (&editor{editedFile: at.file}).removeItem(at.node); {
			case errors.Is(err, errTaken):
				waiting = append(waiting, id)
			case err != nil:
				return fmt.Errorf("source: %s: %w", at.file.name, err)
			}
		}
		if err := a.rewrite(); err != nil {
			return err
		}
		ids = waiting
	}
	return nil
}

// rewrite makes the edits of a round, and parses the files again.
func (a *changer) rewrite() error {
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		f := a.files[name]
		if len(f.edits) == 0 {
			continue
		}
		text, err := document.ApplyEdits(f.content, f.edits)
		if err != nil {
			return fmt.Errorf("source: %s: %w", name, err)
		}
		root, p := f.parse(text)
		if p != nil {
			return fmt.Errorf("source: %s: %w", name, errInPlace)
		}
		f.root, f.content, f.text, f.edits, f.changed = root, text, newRawText(f.file, text), nil, true
		a.define(f)
	}
	return nil
}

// edits returns the new contents of the files that change.
func (a *changer) edits() Edits {
	all := make(Edits)
	for name, f := range a.files {
		switch {
		case f.gone:
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
func (a *changer) newFile(id string, edits Edits) string {
	base := path.Join(directory(a.version), strings.TrimSuffix(elementFile(id), ".yaml"))
	name := base + ".yaml"
	for i := 2; ; i++ {
		if _, taken := edits[name]; !taken && a.files[name] == nil {
			return name
		}
		name = fmt.Sprintf("%s-%d.yaml", base, i)
	}
}
