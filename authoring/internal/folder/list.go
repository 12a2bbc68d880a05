package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
)

// Kind is what a file of a schema version defines. But for [Schema] and [Allowed], it
// is also the name of the directory.
type Kind string

// The kinds of files.
const (
	Schema     Kind = "schema"
	Categories Kind = "categories"
	Elements   Kind = "elements"
	Symbols    Kind = "symbols"
	Allowed    Kind = "allowed-changes" // intended breaking changes, beside the schema
)

// ElementFile returns the file of a new element, in the directory of its version.
func ElementFile(id string) string { return string(Elements) + "/" + id + ".yaml" }

// SymbolExt is the extension of symbols.
const SymbolExt = ".svg"

// maxSymbolSize limits how much of a symbol is read. It is above the limit of
// icons.Sanitize, whose message is more helpful.
const maxSymbolSize = 1 << 20

// List finds the files of the version, as they are after the edits. If there is no such directory,
// the error wraps [fs.ErrNotExist].
func (f *Folder) List() error {
	dir := f.Dir
	entries, err := ReadDir(f.fsys, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", f.Version, err)
	case err != nil:
		f.unreadable(dir, err)
		return nil
	}
	for _, e := range entries {
		switch k := Kind(e.Base()); {
		case k == Categories || k == Elements || k == Symbols:
			f.listDir(k, e)
		case e.Stem() == string(Schema) && IsData(e.Ext()):
			f.add(Schema, e)
		case e.Stem() == string(Allowed) && IsData(e.Ext()):
			f.add(Allowed, e)
		default:
			f.stray(e)
		}
	}
	switch found := f.Files[Schema]; {
	case len(found) == 0:
		f.Errorf(codes.SourceFileMissing, WholeFile(dir), "add schema.yaml with title, description, locales and datachain_type", "%s has no schema.yaml.", dir)
	case len(found) > 1:
		f.Errorf(codes.IDDuplicate, WholeFile(found[1].Name), "keep one of them", "There is another schema file, %s.", found[0].Name)
		f.Files[Schema] = found[:1]
	}
	f.listEdits()
	return nil
}

func (f *Folder) add(k Kind, e Entry) {
	e.Kind = k
	f.Files[k] = append(f.Files[k], e)
}

// listDir lists the categories, elements or symbols.
func (f *Folder) listDir(k Kind, dir Entry) {
	_, info, err := dir.find(f.fsys)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	var entries []Entry
	if err == nil {
		entries, err = ReadDir(f.fsys, dir.Name)
	}
	if err != nil {
		f.unreadable(dir.Name, err)
		f.Incomplete[k] = true
		return
	}
	for _, e := range entries {
		if k == Symbols && e.Ext() == SymbolExt || k != Symbols && IsData(e.Ext()) {
			f.add(k, e)
		} else {
			f.stray(e)
		}
	}
}

func (f *Folder) unreadable(dir string, err error) {
	f.Errorf(codes.SourceUnreadable, WholeFile(dir), "replace it with a readable directory", "Cannot read %s: %s.", dir, wording.Reason(err))
}

// stray reports a file that is not part of the schema version.
func (f *Folder) stray(e Entry) {
	hint := "use the extension .yaml, .yml or .json, or remove the file"
	switch dir := path.Dir(e.Name); {
	case dir == f.Dir:
		hint = "remove it"
		known := slices.Values([]string{"categories", "elements", "symbols", "schema.yaml", "allowed-changes.yaml"})
		if near := f.hints.Nearest(strings.ToLower(e.Base()), known); len(near) > 0 {
			hint = "rename it to " + wording.Or(near)
		}
	case e.entry.IsDir():
		hint = "move its files to " + dir
	case path.Base(dir) == string(Symbols):
		hint = "use the extension .svg, or remove the file"
	}
	f.Warnf(codes.SourceFileUnknown, WholeFile(e.Name), hint, "%s is ignored: it is not part of the format.", e.Name)
}

// listEdits adds and removes the files that edits add and remove.
func (f *Folder) listEdits() {
	known := make(map[string]bool)
	for k, files := range f.Files {
		f.Files[k] = slices.DeleteFunc(files, func(e Entry) bool {
			known[e.Name] = true
			content, edited := f.options.Edits[e.Name]
			return edited && content == nil
		})
	}
	for name, content := range f.options.Edits {
		k := Kind(path.Base(path.Dir(name)))
		if !known[name] && content != nil {
			f.add(k, Entry{Name: name, Real: name}) // which is not opened
		}
	}
	if len(f.options.Edits) == 0 {
		return
	}
	for _, files := range f.Files {
		slices.SortFunc(files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	}
}
