package dtpr

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/icons"
)

// The default limits of [Options].
const (
	DefaultMaxFiles     = 50_000
	DefaultMaxTotalSize = 256 << 20
)

// maxDepth limits the nesting of directories.
const maxDepth = 16

// tree is a source tree. It is listed once.
type tree struct {
	fsys fs.FS
	opts Options
	// files and dirs are slash-separated paths from the root, sorted.
	files []string
	dirs  []string
	drawn map[string][]string // SVG files by their base name
	size  int64               // of what was read
}

// Limits of a tree that were exceeded.
var (
	errTooManyFiles = errors.New("the tree has too many files: name the directory of the taxonomy, or raise the limit")
	errTooLarge     = errors.New("the files of the tree are too large in total: name the directory of the taxonomy, or raise the limit")
)

// newTree lists a tree. Hidden directories and those of package managers are skipped.
func newTree(fsys fs.FS, o Options, n *notes) (*tree, error) {
	t := &tree{fsys: fsys, opts: o, drawn: make(map[string][]string)}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			n.file(lossOf(name), name, "can't be read: %v", reason(err))
			return nil
		case o.Interrupt != nil && len(t.files)%256 == 0 && o.Interrupt() != nil:
			return o.Interrupt()
		case name == ".":
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		case d.IsDir():
			t.dirs = append(t.dirs, name)
		case strings.HasPrefix(d.Name(), "."):
		case !d.Type().IsRegular():
			n.file(lossOf(name), name, "the file is not a regular file; links are not followed")
		default:
			t.files = append(t.files, name)
		}
		if len(t.files)+len(t.dirs) > o.MaxFiles {
			return errTooManyFiles
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("dtpr: %w", reason(err))
	}
	slices.Sort(t.files)
	for _, f := range t.files {
		if path.Ext(f) == ".svg" {
			t.drawn[path.Base(f)] = append(t.drawn[path.Base(f)], f)
		}
	}
	slices.Sort(t.dirs)
	return t, nil
}

// lossOf returns the kind of the note on a file or directory that is skipped: Lost if the
// layouts have elements, categories, symbols or datachain types there.
func lossOf(name string) Kind {
	for part := range strings.SplitSeq(name, "/") {
		switch strings.TrimSuffix(part, path.Ext(part)) {
		case "elements", "categories", "symbols", "datachain_types", "meta", "datachain-type":
			return Lost
		}
	}
	return Dropped
}

// reason returns an error without the operation and the path of a PathError.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
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
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			break
		}
		if !strings.Contains(rest, "/") {
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

// read reads a file within the limits. It reports why it can't, and then returns false;
// an error ends the import.
func (t *tree) read(name string, limit int64, n *notes) (content []byte, ok bool, err error) {
	if t.opts.Interrupt != nil {
		if err := t.opts.Interrupt(); err != nil {
			return nil, false, err
		}
	}
	f, err := t.fsys.Open(name)
	if err != nil {
		n.file(Lost, name, "can't be read: %v", reason(err))
		return nil, false, nil
	}
	defer func() { _ = f.Close() }() // only read
	content, err = io.ReadAll(io.LimitReader(f, limit+1))
	switch t.size += int64(len(content)); {
	case err != nil:
		n.file(Lost, name, "can't be read: %v", reason(err))
		return nil, false, nil
	case int64(len(content)) > limit:
		n.file(Lost, name, "is larger than %d bytes", limit)
		return nil, false, nil
	case t.size > t.opts.MaxTotalSize:
		return nil, false, fmt.Errorf("dtpr: %w", errTooLarge)
	}
	return content, true, nil
}

// readValue reads a YAML or JSON file, or the front matter of a Markdown file.
func (t *tree) readValue(name string, n *notes) (source.Value, bool, error) {
	content, ok, err := t.read(name, source.DefaultMaxFileSize, n)
	if !ok {
		return source.Value{}, false, err
	}
	if path.Ext(name) == ".md" {
		if content, ok = frontMatter(name, content, n); !ok {
			return source.Value{}, false, nil
		}
	}
	v, problem := source.ParseValue(name, content)
	switch {
	case problem != nil:
		n.add(Note{Kind: Lost, Message: "the file can't be read: " + problem.Message, Position: problem.Position})
	case !v.IsObject():
		n.at(Lost, v, "", "the file is not an object with keys")
	default:
		return v, true, nil
	}
	return source.Value{}, false, nil
}

// frontMatter returns the YAML between the lines --- at the start of a Markdown file,
// at the same lines.
func frontMatter(name string, content []byte, n *notes) ([]byte, bool) {
	lines := strings.SplitAfter(strings.TrimPrefix(string(content), "\ufeff"), "\n")
	isMark := func(line string) bool { return strings.TrimRight(line, " \t\r\n") == "---" }
	if !isMark(lines[0]) {
		n.file(Lost, name, "has no front matter between lines of ---")
		return nil, false
	}
	end := slices.IndexFunc(lines[1:], isMark)
	if end < 0 {
		n.file(Lost, name, "has front matter without a closing line ---")
		return nil, false
	}
	if strings.TrimSpace(strings.Join(lines[end+2:], "")) != "" {
		n.file(Dropped, name, "the text after the front matter has no place in the format")
	}
	return []byte("\n" + strings.Join(lines[1:end+1], "")), true
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

// symbolLimit is how much of a symbol is read: more than [icons.Sanitize] takes, whose
// message is more helpful.
const symbolLimit = icons.MaxSymbolBytes + 1

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxFiles = cmp.Or(d.MaxFiles, DefaultMaxFiles)
	d.MaxTotalSize = cmp.Or(d.MaxTotalSize, DefaultMaxTotalSize)
	return d
}
