package register

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/taxonomy"
)

// DirectoryOptions configure [Directory] and [OpenDirectory]. The zero value and nil are the defaults.
type DirectoryOptions struct {
	// Name names the directory in messages; "" means "documents", and the path for [OpenDirectory].
	Name string
	// Names are the slash-separated names of the files to read; nil means all.
	Names []string
}

// Directory is the origin of the documents in a file system: every .json file in it, thin or
// resolved, as it is now. Names that begin with a period or an underscore are drafts. The file
// register.yaml has the settings of the register. A file is read again if its size or its time of
// modification has changed.
//
// What is shown depends on the files alone: a document has the editions that files have,
// and one whose files are removed is not found any more. Publish documents into a store
// to keep their history.
func Directory(fsys fs.FS, o *DirectoryOptions) Origin {
	d := &directory{now: fsys}
	if o != nil {
		d.options = *o
	}
	d.options.Name = cmp.Or(d.options.Name, "documents")
	return d
}

// OpenDirectory is [Directory] for a path. If there is another directory at the path, such as after a
// link was changed, that is read. Links that lead out of the directory are not followed.
func OpenDirectory(dir string, o *DirectoryOptions) (Origin, error) {
	folder, err := files.OpenFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	d := &folderDirectory{directory: directory{options: DirectoryOptions{Name: dir}}, folder: folder}
	if o != nil {
		d.options = DirectoryOptions{Name: cmp.Or(o.Name, dir), Names: o.Names}
	}
	return d, nil
}

type directory struct {
	now      fs.FS
	options  DirectoryOptions
	settings settingsFile
}

func (d *directory) String() string { return d.options.Name }

// List lists the files as they are now.
func (d *directory) List(context.Context) (*Listing, error) {
	fsys := d.now
	d.settings.read(fsys)
	l := &Listing{
		Read: func(_ context.Context, name string) ([]byte, error) {
			return readFile(fsys, name, documents.MaxDocument)
		},
		settings: d.settings.last, refused: d.settings.refused,
	}
	err := walk(fsys, func(name string, info fs.FileInfo) {
		if d.options.Names != nil && !slices.Contains(d.options.Names, name) {
			return
		}
		f := File{Name: name}
		if info != nil {
			f.Tag = strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
		}
		l.Files = append(l.Files, f)
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// folderDirectory is a directory at a path. What was listed can be read until the next listing.
type folderDirectory struct {
	directory

	folder *files.Folder
	opened *files.Opened // nil before the first listing
}

// List lists the files that are at the path now.
func (d *folderDirectory) List(ctx context.Context) (*Listing, error) {
	opened, err := d.folder.Use()
	d.done()
	d.opened, d.now = opened, opened.FS()
	if err != nil {
		return nil, err
	}
	return d.directory.List(ctx)
}

func (d *folderDirectory) done() {
	if d.opened != nil {
		d.opened.Done()
		d.opened = nil
	}
}

// Close closes the directory.
func (d *folderDirectory) Close() error {
	d.done()
	return d.folder.Close()
}

// walk calls visit with the documents below a directory, without information if there is none, such as
// of a link that leads nowhere: reading it says why. Those of a store were published.
func walk(fsys fs.FS, visit func(name string, info fs.FileInfo)) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch draft := name != "." && (base[0] == '.' || base[0] == '_'); {
		case err != nil && name == ".":
			return err
		case draft && d != nil && d.IsDir(), err == nil && d.IsDir() && (base == "node_modules" || name != "." && isStore(fsys, name)):
			return fs.SkipDir
		case draft:
		case err != nil:
			visit(name, nil)
		case !d.IsDir() && strings.EqualFold(path.Ext(name), ".json"):
			info, err := d.Info()
			if d.Type()&fs.ModeSymlink != 0 {
				info, err = fs.Stat(fsys, name) // of what it leads to
			}
			switch {
			case err != nil:
				visit(name, nil)
			case !info.IsDir():
				visit(name, info)
			}
		}
		return nil
	})
}

func isStore(fsys fs.FS, dir string) bool {
	text, err := readFile(fsys, path.Join(dir, layout.IndexFile), layout.MaxIndex)
	if err == nil {
		_, err = taxonomy.DecodeIndex(text)
	}
	return err == nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	text, _, err := limited.ReadFile(fsys, name, limit)
	if errors.Is(err, limited.ErrTooLarge) {
		err = fmt.Errorf("%w: more than %d MiB", err, limit>>20)
	}
	return text, err
}
