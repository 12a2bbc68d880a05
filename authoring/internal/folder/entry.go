package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
)

// Entry is a file or directory of the source tree.
type Entry struct {
	Name  string // slash-separated, from the root
	Real  string // the same, with links to its directory resolved
	Kind  Kind
	entry fs.DirEntry
}

// Base returns the name without the directory.
func (e Entry) Base() string { return path.Base(e.Name) }

// Ext returns the extension, with its period.
func (e Entry) Ext() string { return path.Ext(e.Name) }

// Stem returns the base name without its extension.
func (e Entry) Stem() string { return strings.TrimSuffix(e.Base(), e.Ext()) }

// IsData reports whether files with an extension are YAML or JSON.
func IsData(ext string) bool { return ext == ".yaml" || ext == ".yml" || ext == ".json" }

// ReadDir lists a directory by name, without hidden files, backups and texts
// about the directory.
func ReadDir(fsys fs.FS, dir string) ([]Entry, error) {
	resolved, err := resolve(fsys, dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, resolved)
	if err != nil {
		return nil, err
	}
	var files []Entry
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "~") && !isAbout(name) {
			files = append(files, Entry{Name: path.Join(dir, name), Real: path.Join(resolved, name), entry: e})
		}
	}
	slices.SortFunc(files, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// isAbout reports whether a file is about its directory, such as README.md.
func isAbout(name string) bool {
	ext := path.Ext(name)
	if IsData(ext) || ext == SymbolExt {
		return false
	}
	stem := strings.ToUpper(strings.TrimSuffix(name, ext))
	return slices.Contains([]string{"README", "LICENSE", "LICENCE", "CHANGELOG", "NOTICE"}, stem)
}

// IsDir reports whether the entry is a directory or a link to one in the tree.
func (e Entry) IsDir(fsys fs.FS) bool {
	_, info, err := e.find(fsys)
	return err == nil && info.IsDir()
}

// find returns the name of the entry with links resolved, and its file info. It does
// not open the file, since opening a pipe or a device may block.
func (e Entry) find(fsys fs.FS) (string, fs.FileInfo, error) {
	if e.entry.Type()&fs.ModeSymlink == 0 {
		info, err := e.entry.Info()
		return e.Real, info, err
	}
	if _, ok := fsys.(fs.ReadLinkFS); !ok {
		return "", nil, errors.New("it is a symbolic link, which this file system cannot resolve")
	}
	name, err := resolve(fsys, e.Real)
	if err != nil {
		return "", nil, err
	}
	info, err := fs.Lstat(fsys, name)
	return name, info, err
}

var errOutside = errors.New("it is a symbolic link that leaves the source tree")

// maxLinks is how many links [resolve] follows.
const maxLinks = 16

// resolve follows the links in name step by step, as an operating system does,
// and returns a name without links. It fails if a link leaves the tree, even if
// the file system would allow it.
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
			return "", errors.New("it is a symbolic link that leads through too many others")
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

// read returns the content of a file of at most limit bytes.
func (e Entry) read(fsys fs.FS, limit int64) ([]byte, *yaml.Problem) {
	name, info, err := e.find(fsys)
	switch {
	case err != nil:
		return nil, e.unreadable(err)
	case !info.Mode().IsRegular():
		return nil, e.unreadable(limited.ErrNotRegular)
	case info.Size() > limit:
		return nil, e.tooLarge(limit)
	}
	r, err := fsys.Open(name)
	if err != nil {
		return nil, e.unreadable(err)
	}
	defer func() { _ = r.Close() }()                 // only read
	data, err := limited.Read(r, limit, info.Size()) // the file may be larger than its info says
	switch {
	case errors.Is(err, limited.ErrTooLarge):
		return nil, e.tooLarge(limit)
	case err != nil:
		return nil, e.unreadable(err)
	}
	return data, nil
}

func (e Entry) unreadable(err error) *yaml.Problem {
	return &yaml.Problem{
		Code: codes.SourceUnreadable, Hint: "replace it with a readable regular file",
		Message: fmt.Sprintf("Cannot read %s: %s.", e.Name, wording.Reason(err)),
	}
}

func (e Entry) tooLarge(limit int64) *yaml.Problem {
	hint := "split the file; elements can be in several files"
	if e.Ext() == SymbolExt {
		hint = "simplify the drawing"
	}
	return &yaml.Problem{Code: codes.SourceTooLarge, Hint: hint, Message: fmt.Sprintf("%s is larger than %d bytes.", e.Name, limit)}
}
