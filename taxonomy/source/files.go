package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// file is a source file by its name in the tree.
type file struct {
	name  string // slash-separated, from the root
	entry fs.DirEntry
}

func (f file) base() string { return path.Base(f.name) }

// ext returns the ending that decides how a file is read.
func (f file) ext() string { return path.Ext(f.name) }

// stem returns the name without its ending.
func (f file) stem() string { return strings.TrimSuffix(f.base(), f.ext()) }

func isData(ext string) bool { return ext == ".yaml" || ext == ".yml" || ext == ".json" }

// readDir lists a folder by name, without what no tool means to be read:
// hidden files, backups, and texts about the folder.
func readDir(fsys fs.FS, dir string) ([]file, error) {
	if err := within(fsys, dir); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || about(name) {
			continue
		}
		files = append(files, file{name: path.Join(dir, e.Name()), entry: e})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

func about(name string) bool {
	for _, prefix := range []string{"README", "LICENSE", "LICENCE", "CHANGELOG", "NOTICE"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// isDir reports whether f is a folder or a link to one in the tree.
func (f file) isDir(fsys fs.FS) bool {
	if f.entry.Type()&fs.ModeSymlink == 0 {
		return f.entry.IsDir()
	}
	if within(fsys, f.name) != nil {
		return false
	}
	info, err := fs.Stat(fsys, f.name)
	return err == nil && info.IsDir()
}

// errOutside is a link that leads out of the tree.
var errOutside = errors.New("it leads out of the source tree")

// maxLinks is how many links a name may go through.
const maxLinks = 16

// within follows the links on the way to name and fails where one leaves the
// tree, whatever the file system itself would allow.
func within(fsys fs.FS, name string) error {
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return nil // without links there is no way out
	}
	rest := strings.Split(name, "/")
	at := "."
	for links := 0; len(rest) > 0; {
		next := path.Join(at, rest[0])
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at, rest = next, rest[1:]
			continue
		}
		if links++; links > maxLinks {
			return errors.New("it goes through too many links")
		}
		target, err := fs.ReadLink(fsys, next)
		if err != nil {
			return err
		}
		target = strings.ReplaceAll(target, `\`, "/")
		resolved := path.Join(path.Dir(next), target)
		if path.IsAbs(target) || strings.Contains(target, ":") || !fs.ValidPath(resolved) {
			return errOutside
		}
		at, rest = ".", append(strings.Split(resolved, "/"), rest[1:]...)
	}
	return nil
}

// read returns the content of a file, at most limit bytes of it.
func (f file) read(fsys fs.FS, limit int64) ([]byte, error) {
	unreadable := func(why string) error {
		return &syntaxError{
			code: taxonomy.CodeSourceUnreadable, message: fmt.Sprintf("can't read %s: %s", f.name, why),
			hint: "put a regular, readable file here",
		}
	}
	if f.entry.Type()&fs.ModeSymlink != 0 {
		if err := within(fsys, f.name); err != nil {
			return nil, unreadable(errText(err))
		}
	}
	info, err := fs.Stat(fsys, f.name)
	if err != nil {
		return nil, unreadable(errText(err))
	}
	if !info.Mode().IsRegular() {
		// Opening a pipe or a device could block for ever.
		return nil, unreadable("it is not a regular file")
	}
	tooLarge := &syntaxError{
		code: taxonomy.CodeSourceTooLarge, message: fmt.Sprintf("%s is larger than %d bytes", f.name, limit),
		hint: "split the file; several files of elements may stand side by side",
	}
	if info.Size() > limit {
		return nil, tooLarge
	}
	r, err := fsys.Open(f.name)
	if err != nil {
		return nil, unreadable(errText(err))
	}
	defer func() { _ = r.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, unreadable(errText(err))
	case int64(len(data)) > limit:
		return nil, tooLarge
	}
	return data, nil
}

// errText leaves out what a PathError repeats: the operation and the path.
func errText(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return errOutside.Error()
	}
	return err.Error()
}

// parse reads the content of a YAML or JSON file into nodes.
func (f file) parse(data []byte) (*node, error) {
	if !utf8.Valid(data) {
		line, col := invalidUTF8(data)
		return nil, &syntaxError{code: taxonomy.CodeSourceSyntax, line: line, col: col, message: "the file is not UTF-8", hint: "save the file as UTF-8"}
	}
	if f.ext() == ".json" {
		return parseJSON(data)
	}
	return parseYAML(trimBOM(data))
}

// invalidUTF8 finds the first byte that is not UTF-8.
func invalidUTF8(data []byte) (line, col int) {
	line, col = 1, 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size <= 1:
			return line, col
		case r == '\n':
			line, col = line+1, 1
		default:
			col++
		}
		data = data[size:]
	}
	return line, col
}

// trimBOM takes off the byte order mark that some editors put before YAML.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }
