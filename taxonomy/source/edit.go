package source

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
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
	edits, err := a.edits()
	if err != nil {
		return nil, err
	}
	for _, id := range changes.Add {
		edits[a.newFile(id, edits)] = a.added[id].elementText(id)
	}
	return edits, nil
}

// changer applies changes.
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
	root    *node
	content []byte
	text    *rawText
	edits   []document.Edit
	gone    int // the number of elements that are removed
}

// objectKey identifies an object.
func objectKey(k Kind, id string) string { return string(k) + "\x00" + id }

// find reads all files and finds the objects in them. What can't be read is an error:
// it may have what is to be changed.
func (a *changer) find() error {
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles} {
		read := readAll(a.compiler, k, func(d *decoder, data []byte) *editedFile {
			if root := d.parse(data); root != nil {
				return &editedFile{file: d.file, root: root, content: data, text: newRawText(d.file, data)}
			}
			return nil
		})
		for _, f := range read {
			if f == nil {
				continue
			}
			a.files[f.name] = f
			switch {
			case k == schemaFiles:
				a.objects[objectKey("", "")] = objectAt{f, f.root}
			case k == categoryFiles:
				a.define(KindCategory, f, f.root)
			case f.root.kind == list:
				for i := range f.root.items {
					a.define(KindElement, f, &f.root.items[i])
				}
			default:
				a.define(KindElement, f, f.root)
			}
		}
	}
	if len(a.errors) > 0 {
		return fmt.Errorf("source: %s: %s", a.version, a.errors[0])
	}
	return nil
}

func (a *changer) define(k Kind, f *editedFile, n *node) {
	if id := n.get("id"); id != nil && a.objects[objectKey(k, id.value)].node == nil {
		a.objects[objectKey(k, id.value)] = objectAt{f, n}
	}
}

// change collects the changes of each object and makes the edits.
func (a *changer) change(changes []Change) error {
	var order []string
	wanted := make(map[string]*want)
	for _, c := range changes {
		if added := a.added[c.ID]; added != nil && c.Kind == KindElement {
			added.set(c.Path, c.Value)
			continue
		}
		key := objectKey(c.Kind, c.ID)
		if wanted[key] == nil {
			if a.objects[key].node == nil {
				return fmt.Errorf("source: %s has no %s %s", a.version, c.Kind, c.ID)
			}
			wanted[key] = new(want)
			order = append(order, key)
		}
		wanted[key].set(c.Path, c.Value)
	}
	for _, key := range order {
		at := a.objects[key]
		e := editor{editedFile: at.file, locales: a.localesOf()}
		if err := e.object(at.node, wanted[key]); err != nil {
			return fmt.Errorf("source: %s: %w", at.file.name, err)
		}
	}
	return nil
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
	for _, id := range ids {
		at := a.objects[objectKey(KindElement, id)]
		if at.node == nil {
			return fmt.Errorf("source: %s has no element %s", a.version, id)
		}
		at.file.gone++
		if at.node.parent == nil || at.file.gone == len(at.file.root.items) {
			continue // the whole file
		}
		e := editor{editedFile: at.file}
		if err := e.removeItem(at.node); err != nil {
			return fmt.Errorf("source: %s: %w", at.file.name, err)
		}
	}
	return nil
}

// edits returns the new contents of the files that change.
func (a *changer) edits() (Edits, error) {
	all := make(Edits)
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		f := a.files[name]
		switch {
		case f.gone > 0 && (f.root.kind != list || f.gone == len(f.root.items)):
			all[name] = nil
		case len(f.edits) > 0:
			text, err := document.ApplyEdits(f.content, f.edits)
			if err != nil {
				return nil, fmt.Errorf("source: %s: the changes can't be made in place: %w", name, err)
			}
			all[name] = text
		}
	}
	return all, nil
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
	usual := []string{
		"title", "description", "category_id", "symbol_id", "status", "replaced_by", "keywords", "max_placements", "order", "variables",
	}
	rank := func(m member) int {
		if i := slices.Index(usual, m.key); i >= 0 {
			return i
		}
		return len(usual)
	}
	slices.SortStableFunc(object, func(a, b member) int { return rank(a) - rank(b) })
	return yamlText(append(mapping{{"id", id}}, object...))
}
