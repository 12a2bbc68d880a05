package register

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// DirectoryOptions configure [Directory]. The zero value and nil are the defaults.
type DirectoryOptions struct {
	// Names are the slash-separated names of the files to read; nil means all.
	Names []string
}

// Directory is the origin of the documents in a directory: every .json file in it and
// below, thin or resolved, as it is now. Names that begin with a period or an underscore
// are drafts. Links that lead out of the directory are not followed. The file register.yaml
// has the settings of the register.
//
// What is shown depends on the files alone: a document has the editions that files have,
// and one whose files are removed is not found any more. Publish documents into a store
// to keep their history.
func Directory(dir string, o *DirectoryOptions) (Origin, error) {
	folder, err := files.OpenFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	d := &directory{path: dir, folder: folder}
	if o != nil {
		d.options = *o
	}
	return d, nil
}

type directory struct {
	path    string
	folder  *files.Folder
	options DirectoryOptions

	files    map[string]*liveFile
	settings settingsFile

	// What the files were validated by.
	index        *taxonomy.Index
	usedSettings *Settings
	usedSeen     string // settings.seen
}

// liveFile is a file as it was last seen.
type liveFile struct {
	name    string
	size    int64
	written time.Time
	// now is what it contains, nil if that can't be published; good is the last
	// that could.
	now, good *validated
	issues    issue.Issues // why now is nil
	id        string       // as far as it is known
	// unread is set if the file can't be read. It is tried again each time: what
	// was wrong, such as its mode, need not change its size or time.
	unread bool
}

func (d *directory) String() string { return d.path }

func (d *directory) close() error { return d.folder.Close() }

func (d *directory) load(ctx context.Context, j *validator, last *collection) (*collection, error) {
	index, err := j.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	at, err := d.folder.Use()
	defer at.Done()
	if err != nil {
		return nil, err
	}
	d.settings.read(at.FS())
	settings, seen := d.settings.last, d.settings.seen
	again := last == nil || settings != d.usedSettings
	found := make(map[string]*liveFile, len(d.files))
	var todo []*liveFile
	err = walk(at.FS(), func(name string, info fs.FileInfo, err error) {
		if d.options.Names != nil && !slices.Contains(d.options.Names, name) {
			return
		}
		f, known := &liveFile{name: name}, d.files[name]
		if err == nil {
			f.size, f.written = info.Size(), info.ModTime()
		} else {
			f.fail(err)
		}
		if known != nil {
			f.good = known.good
			if !f.unread && !known.unread && known.size == f.size && known.written.Equal(f.written) && !again && known.same(d.index, index) {
				found[name] = known
				return
			}
		}
		found[name] = f
		todo = append(todo, f)
	})
	if err != nil {
		return nil, err
	}
	err = parallel.Each(ctx, runtime.GOMAXPROCS(0), len(todo), func(_, i int) error {
		return todo[i].validate(ctx, at.FS(), j, settings, index)
	})
	if err != nil {
		return nil, err
	}
	changed := again || seen != d.usedSeen || len(found) != len(d.files) || slices.ContainsFunc(todo, func(f *liveFile) bool {
		known := d.files[f.name]
		return known == nil || !known.unread || !f.unread || known.issues[0].Message != f.issues[0].Message
	})
	d.files, d.index, d.usedSettings, d.usedSeen = found, index, settings, seen
	if !changed {
		return last, nil
	}
	c := d.collect(settings)
	c.refused = append(c.refused, d.settings.refused...)
	return c, nil
}

// same reports whether the schema version of a file has the same content in two indexes.
// A file may have been refused because its version was missing.
func (f *liveFile) same(last, now *taxonomy.Index) bool {
	if last.Equal(now) {
		return true
	}
	if f.now == nil {
		return false
	}
	e, _ := now.Lookup(f.now.Version.Ref())
	return e.ContentHash == f.now.release
}

// validate reads and validates a file. If its schema version was changed or retired, an invalid
// file does not keep its last good content.
func (f *liveFile) validate(ctx context.Context, fsys fs.FS, j *validator, settings *Settings, index *taxonomy.Index) error {
	if f.unread {
		return nil
	}
	text, err := readFile(fsys, f.name, documents.MaxDocument)
	if err != nil {
		f.fail(err)
		return nil
	}
	d, issues, err := j.validate(ctx, text, settings)
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	if len(issues) > 0 {
		f.id = cmp.Or(idOf(text), f.id)
		f.refuse(issues...)
		if f.good == nil || f.good.by == nil {
			return nil
		}
		if now, listed := index.Lookup(f.good.Version.Ref()); now.ContentHash != f.good.release {
			outdated, content := *f.good, *f.good.Content
			content.Outdated, content.Unpublished = listed, !listed
			outdated.Content = &content
			f.good = &outdated
		}
		return nil
	}
	f.id, f.now, f.good = d.id, d, d
	return nil
}

func (f *liveFile) refuse(issues ...issue.Issue) {
	for i := range issues {
		issues[i].Position.File = f.name
	}
	f.now, f.issues = nil, issues
}

// fail refuses a file that can't be read.
func (f *liveFile) fail(err error) {
	f.unread = true
	f.refuse(unreadable(f.name, err))
}

// unreadable is the finding that a file can't be read.
func unreadable(name string, err error) issue.Issue {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err // the message names the file already
	}
	why, hint := err.Error(), "replace the file, or remove it"
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "let the user of this program read it, or remove it"
	case errors.Is(err, limited.ErrTooLarge):
		hint = "shorten the document or divide it into several, or remove the file"
	case errors.Is(err, fs.ErrNotExist): // it was listed
		why, hint = "it is a link to a file that does not exist", "correct the link, or remove it"
	case strings.Contains(why, "escapes from parent"): // package os has no other sign of it
		why, hint = "it is a link that leads out of the directory", "put a copy of the file there"
	}
	return unusable(name, why, hint)
}

// unusable is the finding that a file can't be read for a reason.
func unusable(name, why, hint string) issue.Issue {
	return issue.Issue{
		Code: codes.SourceUnreadable, Severity: issue.SeverityError, Path: issue.Root,
		Message: fmt.Sprintf("%s can't be read: %s.", name, why), FixHint: hint,
	}
}

// walk calls visit with the documents below a directory. Those of a store were published.
func walk(fsys fs.FS, visit func(name string, info fs.FileInfo, err error)) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch draft := name != "." && (base[0] == '.' || base[0] == '_'); {
		case err != nil && name == ".":
			return err
		case draft && d != nil && d.IsDir(), err == nil && d.IsDir() && (base == "node_modules" || name != "." && isStore(fsys, name)):
			return fs.SkipDir
		case draft:
		case err != nil:
			visit(name, nil, err)
		case !d.IsDir() && strings.EqualFold(path.Ext(name), ".json"):
			info, err := d.Info()
			if d.Type()&fs.ModeSymlink != 0 {
				info, err = fs.Stat(fsys, name) // of what it leads to
			}
			if err == nil && info.IsDir() {
				return nil
			}
			visit(name, info, err)
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

// collect makes documents of the files.
func (d *directory) collect(settings *Settings) *collection {
	c := &collection{settings: settings}
	byID := make(map[string][]*liveFile)
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[name]
		if f.now == nil {
			c.refused = append(c.refused, Refusal{File: name, ID: f.id, Issues: f.issues})
		}
		if f.good != nil {
			byID[f.good.id] = append(byID[f.good.id], f)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		c.records = append(c.records, newRecord(byID[id]))
	}
	return c
}

// newRecord makes one document of the files with its id. The newest is current.
func newRecord(list []*liveFile) *record {
	// The same content in several files, such as thin and resolved, is one edition:
	// that of the first file by name.
	var editions []*liveFile
	for _, f := range list {
		if !slices.ContainsFunc(editions, func(e *liveFile) bool { return e.good.hash == f.good.hash }) {
			editions = append(editions, f)
		}
	}
	newest := slices.MaxFunc(editions, func(a, b *liveFile) int { return a.good.updated().Compare(b.good.updated()) })
	r := &record{live: true}
	for _, f := range editions {
		if f.good.updated().Equal(newest.good.updated()) {
			r.candidates = append(r.candidates, candidate{f.good, f.name})
		}
		r.editions = append(r.editions, Edition{Hash: f.good.hash, Time: f.good.updated(), text: heldText{f.good.text, f.good.by}})
		if s := f.good.slug; s != newest.good.slug && !slices.Contains(r.slugs, s) {
			r.slugs = append(r.slugs, s)
		}
	}
	return r
}
