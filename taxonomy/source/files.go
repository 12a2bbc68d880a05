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

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// file is a source file by its name in the tree.
type file struct {
	name  string // slash-separated, from the root
	real  string // the same with the links to its folder resolved
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
	resolved, err := resolve(fsys, dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, resolved)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || about(name) {
			continue
		}
		files = append(files, file{name: path.Join(dir, e.Name()), real: path.Join(resolved, e.Name()), entry: e})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// about reports whether a file tells of the folder and is no part of it.
func about(name string) bool {
	ext := path.Ext(name)
	if isData(ext) || ext == symbolExt {
		return false
	}
	stem := strings.ToUpper(strings.TrimSuffix(name, ext))
	return slices.Contains([]string{"README", "LICENSE", "LICENCE", "CHANGELOG", "NOTICE"}, stem)
}

// isDir reports whether f is a folder or a link to one in the tree.
func (f file) isDir(fsys fs.FS) bool {
	if !f.isLink() {
		return f.entry.IsDir()
	}
	_, info, err := f.find(fsys)
	return err == nil && info.IsDir()
}

func (f file) isLink() bool { return f.entry.Type()&fs.ModeSymlink != 0 }

// find returns the name of f without links, and what is there. It opens
// nothing: to open a pipe or a device could block for ever.
func (f file) find(fsys fs.FS) (string, fs.FileInfo, error) {
	if !f.isLink() {
		info, err := f.entry.Info()
		return f.real, info, err
	}
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return "", nil, errors.New("it is a link, and this file system does not tell where it leads")
	}
	name, err := resolve(fsys, f.real)
	if err != nil {
		return "", nil, err
	}
	info, err := fs.Lstat(fsys, name)
	return name, info, err
}

// errOutside is a link that leads out of the tree.
var errOutside = errors.New("it leads out of the source tree")

// maxLinks is how many links a name may go through.
const maxLinks = 16

// resolve follows the links on the way to name, one step after the other as an
// operating system does, and returns a name without links. It fails where a
// link leaves the tree, whatever the file system itself would allow.
func resolve(fsys fs.FS, name string) (string, error) {
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return name, nil
	}
	rest := strings.Split(name, "/")
	at := "."
	for links := 0; len(rest) > 0; {
		step := rest[0]
		rest = rest[1:]
		if step == ".." {
			if at == "." {
				return "", errOutside
			}
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, step)
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", errors.New("it goes through too many links")
		}
		target, err := fs.ReadLink(fsys, next)
		if err != nil {
			return "", err
		}
		target = strings.ReplaceAll(target, `\`, "/")
		if path.IsAbs(target) || strings.Contains(target, ":") {
			return "", errOutside
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at, nil
}

// read returns the content of a file, at most limit bytes of it.
func (f file) read(fsys fs.FS, limit int64) ([]byte, error) {
	name, info, err := f.find(fsys)
	switch {
	case err != nil:
		return nil, f.unreadable(errText(err))
	case !info.Mode().IsRegular():
		return nil, f.unreadable("it is not a regular file")
	case info.Size() > limit:
		return nil, f.tooLarge(limit)
	}
	r, err := fsys.Open(name)
	if err != nil {
		return nil, f.unreadable(errText(err))
	}
	defer func() { _ = r.Close() }() // only read
	// The file may be larger than it said, or grow as we read.
	var data bytes.Buffer
	data.Grow(int(max(info.Size(), 0)) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(r, limit)); err != nil {
		return nil, f.unreadable(errText(err))
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return nil, f.tooLarge(limit)
	}
	return data.Bytes(), nil
}

func (f file) unreadable(why string) error {
	return &syntaxError{
		code: issue.CodeSourceUnreadable, message: fmt.Sprintf("can't read %s: %s", f.name, why),
		hint: "put a regular, readable file here",
	}
}

func (f file) tooLarge(limit int64) error {
	e := &syntaxError{
		code: issue.CodeSourceTooLarge, message: fmt.Sprintf("%s is larger than %d bytes", f.name, limit),
		hint: "split the file; several files of elements may stand side by side",
	}
	if f.ext() == symbolExt {
		e.hint = "simplify the drawing"
	}
	return e
}

// errText leaves out what a PathError repeats: the operation and the path.
func errText(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return errOutside.Error()
	}
	return err.Error()
}

// parse reads the content of a YAML or JSON file into nodes.
func (f file) parse(data []byte) (*node, error) {
	data = trimBOM(data)
	switch {
	case !utf8.Valid(data):
		return nil, bad(f.invalidUTF8(data), "the file is not UTF-8", "save the file as UTF-8")
	case f.ext() == ".json":
		return parseJSON(data)
	}
	return parseYAML(data)
}

// invalidUTF8 finds the first byte that is not UTF-8.
func (f file) invalidUTF8(data []byte) place {
	for i, line := range f.lines(data) {
		for col := 1; len(line) > 0; col++ {
			r, size := utf8.DecodeRune(line)
			if r == utf8.RuneError && size == 1 {
				return place{i + 1, col}
			}
			line = line[size:]
		}
	}
	return place{1, 1}
}

// lines cuts a text into lines as they are counted in positions, each with its
// end.
func (f file) lines(data []byte) [][]byte {
	if f.ext() == ".json" {
		return bytes.SplitAfter(data, []byte("\n"))
	}
	return yamlLines(data)
}

// trimBOM takes off the byte order mark that some editors put before a text.
func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }
