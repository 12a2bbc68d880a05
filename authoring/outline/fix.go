package outline

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Fixes returns the fixes of issues as edits of the files, by their paths, and the issues
// that they fix. The issues are those of compiling the version of the outline, and the
// files must not have changed since. Comments, order and quotes stay as they are.
//
// A fix is left out if its value is not a string, if the object has its key already, or if
// it has no place in its file, such as one in a file that can't be parsed. Of several for
// the same value or key the first counts.
func (o *Outline) Fixes(fsys fs.FS, issues issue.Issues) (map[string][]document.Edit, issue.Issues) {
	byFile := make(map[string]issue.Issues)
	for _, i := range issues {
		if i.Fix != nil {
			byFile[i.Position.File] = append(byFile[i.Position.File], i)
		}
	}
	edits, fixed := make(map[string][]document.Edit), issue.Issues{}
	for i := range o.files {
		f := &o.files[i]
		if wanted := byFile[f.Name]; len(wanted) > 0 && f.Kind != folder.Symbols {
			folder.New(fsys, o.Version, folder.Options{}).Read([]folder.Entry{f.Entry}, func(_ int, file *folder.File) {
				root, data := file.Parse()
				if root == nil {
					return
				}
				if made, done := fix(root, yaml.NewText(file.Name, data), wanted); len(made) > 0 {
					edits[f.Name], fixed = made, append(fixed, done...)
				}
			})
		}
	}
	return edits, fixed
}

// fix returns the edits of a file that fix issues, in the order of the text, and the issues
// that they fix.
func fix(root *yaml.Node, raw *yaml.Text, issues issue.Issues) ([]document.Edit, issue.Issues) {
	var fixed issue.Issues
	r := &Renaming{Edits: make(map[string][]document.Edit)}
	taken := make(map[document.Range]bool)
	for _, i := range issues {
		n := root.Find(i.Fix.Path)
		value := i.Fix.Key
		switch {
		case n == nil:
			continue
		case value != "":
			if !n.InObject() || n.Parent.Get(value) != nil {
				continue
			}
			n = &yaml.Node{Kind: yaml.String, Place: n.KeyAt, Value: n.Key}
		case n.Kind != yaml.String || json.Unmarshal(i.Fix.Value, &value) != nil:
			continue
		}
		s, ok := raw.Scalar(n, false)
		at := raw.Range(s.Content())
		if !ok || taken[at] || value == n.Value {
			continue
		}
		taken[at] = true
		r.edit("", at, quotingOf(s.Style), value)
		fixed = append(fixed, i)
	}
	edits := r.Edits[""]
	slices.SortFunc(edits, func(a, b document.Edit) int { return cmp.Compare(a.Range.Start, b.Range.Start) })
	return edits, fixed
}

// Renaming is what to change to rename a definition.
type Renaming struct {
	// Edits are the changes of each file, by its path. Their ranges are those of
	// the files as they were read, and do not overlap.
	Edits map[string][]document.Edit
	// Files are the files to rename, from the old path to the new one.
	Files map[string]string
}

// Rename returns the changes that give a definition, its references and the
// definitions of its [Outline.Group] another id. It returns an error if the id is
// malformed or taken, or if a file can't be read, since that could have references.
func (o *Outline) Rename(d *Definition, id string) (*Renaming, error) {
	if err := o.canRename(d, id); err != nil {
		return nil, err
	}
	r := &Renaming{Edits: make(map[string][]document.Edit), Files: make(map[string]string)}
	for _, same := range o.Group(d) {
		if same.Kind == source.KindSymbol {
			r.Files[same.File] = path.Join(path.Dir(same.File), id+path.Ext(same.File))
			continue
		}
		r.edit(same.File, same.IDRange, same.written, id)
	}
	for _, ref := range o.ReferencesTo(d) {
		r.edit(ref.File, ref.Range, ref.written, id)
	}
	return r, nil
}

// edit adds an edit. An alias becomes a plain value, since its anchor may mean something
// else, and a plain value is quoted if YAML would not read it as text.
func (r *Renaming) edit(file string, at document.Range, written quoting, id string) {
	newText := id
	if written != quoted && (yaml.PlainKind(id) != yaml.String || strings.HasPrefix(id, "-")) {
		newText = `"` + id + `"`
	}
	r.Edits[file] = append(r.Edits[file], document.Edit{Range: at, Text: []byte(newText)})
}

// canRename returns why a definition can't have another id.
func (o *Outline) canRename(d *Definition, id string) error {
	valid := ident.IsID
	if d.Kind == source.KindElement {
		valid = ident.IsElementID
	}
	switch {
	case !valid(id):
		return fmt.Errorf("outline: %q is not a valid %s id: use letters, digits, _ and -, at most %d", id, d.Kind, ident.MaxIDLength)
	case d.Kind == source.KindContextValue && (strings.EqualFold(id, taxonomy.VariantDefault) || strings.EqualFold(id, taxonomy.VariantDark)):
		return fmt.Errorf("outline: %s is reserved for icon variants: choose another id", id)
	case len(o.Unread) > 0:
		return fmt.Errorf("outline: %s can't be read, and may refer to %s: fix the file first", o.Unread[0], d.ID)
	}
	for _, renamed := range o.Group(d) {
		for _, other := range o.Definitions {
			if other.Kind == d.Kind && other.ID != d.ID && strings.EqualFold(other.ID, id) && o.neighbours(renamed, other) {
				return fmt.Errorf("outline: the %s %s is already defined in %s: choose another id", other.Kind, other.ID, other.File)
			}
		}
	}
	return nil
}

// neighbours reports whether two definitions of a kind can't have the same id. A
// variable of an element would override that of its category.
func (o *Outline) neighbours(a, b *Definition) bool {
	if a.In == b.In || a.Kind != source.KindVariable {
		return a.In == b.In
	}
	return o.categoryOf(a.In) == o.categoryOf(b.In) && (a.In.kindIs(source.KindCategory) || b.In.kindIs(source.KindCategory))
}

// categoryOf returns a category itself, and the category of an element.
func (o *Outline) categoryOf(d *Definition) *Definition {
	if !d.kindIs(source.KindElement) {
		return d
	}
	for _, r := range o.References {
		if r.In == d && r.Kind == source.KindCategory {
			return r.Definition
		}
	}
	return nil
}

// kindIs reports whether d is a definition of a kind.
func (d *Definition) kindIs(k source.Kind) bool { return d != nil && d.Kind == k }
