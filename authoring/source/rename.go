package source

import (
	"fmt"
	"path"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

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
		if same.Kind == KindSymbol {
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
func (r *Renaming) edit(file string, at document.Range, written spelling, id string) {
	newText := id
	if written != quoted && (plainKind(id) != text || strings.HasPrefix(id, "-")) {
		newText = `"` + id + `"`
	}
	r.Edits[file] = append(r.Edits[file], document.Edit{Range: at, Text: []byte(newText)})
}

// canRename returns why a definition can't have another id.
func (o *Outline) canRename(d *Definition, id string) error {
	valid := taxonomy.ValidID
	if d.Kind == KindElement {
		valid = taxonomy.ValidElementID
	}
	switch {
	case !valid(id):
		return fmt.Errorf("source: %q is not a valid %s id: use letters, digits, _ and -, at most %d", id, d.Kind, taxonomy.MaxIDLength)
	case d.Kind == KindContextValue && (strings.EqualFold(id, taxonomy.VariantDefault) || strings.EqualFold(id, taxonomy.VariantDark)):
		return fmt.Errorf("source: %s is reserved for icon variants: choose another id", id)
	case len(o.Unread) > 0:
		return fmt.Errorf("source: %s can't be read, and may refer to %s: fix the file first", o.Unread[0], d.ID)
	}
	for _, renamed := range o.Group(d) {
		for _, other := range o.Definitions {
			if other.Kind == d.Kind && other.ID != d.ID && strings.EqualFold(other.ID, id) && o.neighbours(renamed, other) {
				return fmt.Errorf("source: the %s %s is already defined in %s: choose another id", other.Kind, other.ID, other.File)
			}
		}
	}
	return nil
}

// neighbours reports whether two definitions of a kind can't have the same id. A
// variable of an element would override that of its category.
func (o *Outline) neighbours(a, b *Definition) bool {
	if a.In == b.In || a.Kind != KindVariable {
		return a.In == b.In
	}
	return o.categoryOf(a.In) == o.categoryOf(b.In) && (a.In.kindIs(KindCategory) || b.In.kindIs(KindCategory))
}

// categoryOf returns a category itself, and the category of an element.
func (o *Outline) categoryOf(d *Definition) *Definition {
	if !d.kindIs(KindElement) {
		return d
	}
	for _, r := range o.References {
		if r.In == d && r.Kind == KindCategory {
			return r.Definition
		}
	}
	return nil
}

// kindIs reports whether d is a definition of a kind.
func (d *Definition) kindIs(k Kind) bool { return d != nil && d.Kind == k }
