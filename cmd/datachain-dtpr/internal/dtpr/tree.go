package dtpr

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
)

// maxDepth limits the nesting of directories.
const maxDepth = 16

// tree is a source tree. It is listed once.
type tree struct {
	fsys  fs.FS
	opts  Options
	notes notes
	// files and dirs are slash-separated paths from the root, sorted.
	files []string
	dirs  []string
	svgs  map[string][]string // SVG files by their base name
	size  int64               // of what was read
}

// Limits of a tree that were exceeded.
var (
	errTooManyFiles = errors.New("the tree has too many files: name the directory of the taxonomy")
	errTooLarge     = errors.New("the files of the tree are too large in total: name the directory of the taxonomy")
)

// newTree lists a tree. Hidden directories and those of package managers are skipped.
func newTree(fsys fs.FS, o Options) (*tree, error) {
	t := &tree{fsys: fsys, opts: o, svgs: make(map[string][]string)}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return errors.New(wording.Reason(err))
		case err != nil:
			t.notes.file(lossOf(name), name, "can't be read: %s", wording.Reason(err))
			return nil
		case len(t.files)%256 == 0 && o.Interrupt() != nil:
			return o.Interrupt()
		case name == ".":
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		case d.IsDir():
			t.dirs = append(t.dirs, name)
		case strings.HasPrefix(d.Name(), "."):
		case !d.Type().IsRegular():
			t.notes.file(lossOf(name), name, "the file is not a regular file; links are not followed")
		default:
			t.files = append(t.files, name)
		}
		if len(t.files)+len(t.dirs) > o.MaxFiles {
			return errTooManyFiles
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("dtpr: %w", err)
	}
	slices.Sort(t.files)
	for _, f := range t.files {
		if path.Ext(f) == ".svg" {
			t.svgs[path.Base(f)] = append(t.svgs[path.Base(f)], f)
		}
	}
	slices.Sort(t.dirs)
	return t, nil
}

// lossOf returns the kind of a note about a skipped file or directory: Lost if the layouts have
// elements, categories, symbols or datachain types there.
func lossOf(name string) Kind {
	for dir := range strings.SplitSeq(name, "/") {
		switch strings.TrimSuffix(dir, path.Ext(dir)) {
		case "elements", "categories", "symbols", "datachain_types", "meta", "datachain-type":
			return Lost
		}
	}
	return Dropped
}

// in returns the files directly in a directory.
func (t *tree) in(dir string) []string { return children(t.files, dir) }

// dirsIn returns the directories directly in a directory.
func (t *tree) dirsIn(dir string) []string { return children(t.dirs, dir) }

func children(sorted []string, dir string) []string {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	at, _ := slices.BinarySearch(sorted, prefix)
	var list []string
	for _, name := range sorted[at:] {
		below, ok := strings.CutPrefix(name, prefix)
		if !ok {
			break
		}
		if !strings.Contains(below, "/") {
			list = append(list, name)
		}
	}
	return list
}

// has reports whether a directory exists.
func (t *tree) has(dir string) bool {
	_, ok := slices.BinarySearch(t.dirs, dir)
	return ok
}

// read reads a file within the limits. If it can't, it notes why and returns false. An error ends the
// import.
func (t *tree) read(name string, limit int64) (content []byte, ok bool, err error) {
	if err := t.opts.Interrupt(); err != nil {
		return nil, false, err
	}
	f, err := t.fsys.Open(name)
	if err != nil {
		t.notes.file(Lost, name, "can't be read: %s", wording.Reason(err))
		return nil, false, nil
	}
	defer func() { _ = f.Close() }() // only read
	content, err = limited.Read(f, limit, 0)
	switch t.size += int64(len(content)); {
	case errors.Is(err, limited.ErrTooLarge):
		t.notes.file(Lost, name, "is larger than %d bytes", limit)
		return nil, false, nil
	case err != nil:
		t.notes.file(Lost, name, "can't be read: %s", wording.Reason(err))
		return nil, false, nil
	case t.size > t.opts.MaxTotalSize:
		return nil, false, fmt.Errorf("dtpr: %w", errTooLarge)
	}
	return content, true, nil
}

// readValue reads a YAML or JSON file, or the front matter of a Markdown file.
func (t *tree) readValue(name string) (source.Value, bool, error) {
	content, ok, err := t.read(name, source.DefaultMaxFileSize)
	if !ok {
		return source.Value{}, false, err
	}
	if path.Ext(name) == ".md" {
		if content, ok = t.frontMatter(name, content); !ok {
			return source.Value{}, false, nil
		}
	}
	v, problem := source.ParseValue(name, content)
	switch {
	case problem != nil:
		t.notes.add(Note{Kind: Lost, Message: "the file can't be read: " + problem.Message, Position: problem.Position})
	case !v.IsObject():
		t.notes.at(Lost, v, "", "the file is not an object with keys")
	default:
		return v, true, nil
	}
	return source.Value{}, false, nil
}

// isData reports whether a file is YAML or JSON.
func isData(name string) bool {
	ext := path.Ext(name)
	return ext == ".yaml" || ext == ".yml" || ext == ".json"
}

// stem returns the base name of a file without its extension.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// dataFile returns the YAML or JSON file of a directory with a name, or "".
func (t *tree) dataFile(dir, name string) string {
	for _, f := range t.in(dir) {
		if isData(f) && stem(f) == name {
			return f
		}
	}
	return ""
}
