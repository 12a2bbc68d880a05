package lsp

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Source is authoring source that the client edits.
type Source struct {
	// Root is the URI of its directory.
	Root string
	// Files are the files in that directory, as they are saved.
	Files fs.FS
}

// files is a source as the client sees it: saved files, and the texts of those that
// are open. It does not change, except that saved files do.
type files struct {
	saved fs.FS
	root  string
	open  map[string]*text // by path
	good  map[string]*text // the last ones that could be parsed
	// lastGood is set if the open texts are the last ones that could be parsed.
	lastGood bool
}

// versionOf returns the version that a file of a source belongs to.
func versionOf(file string) (taxonomy.Version, bool) {
	parts := strings.SplitN(file, "/", 3)
	if len(parts) < 3 {
		return taxonomy.Version{}, false
	}
	v, err := taxonomy.ParseVersion(parts[0] + "@" + parts[1])
	return v, err == nil
}

// evolutionType returns the datachain type whose evolution a file of a source is, or "".
func evolutionType(file string) string {
	typ, _, _ := strings.Cut(file, "/")
	if !slices.Contains(source.EvolutionFiles(typ), file) {
		return ""
	}
	return typ
}

// files returns a source as it is now, or nil if there is none. The caller has the
// lock.
func (s *session) files(r *openReleases) *files {
	src := r.Source
	if src == nil {
		return nil
	}
	f := &files{saved: src.Files, root: src.Root, open: make(map[string]*text), good: r.linter.lastGood}
	for _, d := range s.documents {
		if d.file.releases == r && d.text.tooLarge == 0 {
			f.open[d.file.path] = d.text
		}
	}
	return f
}

// uri returns the URI of a file: that of the client if the file is open.
func (f *files) uri(file string) string {
	if t := f.open[file]; t != nil {
		return t.uri
	}
	return join(f.root, file)
}

// text returns a file as text; what can't be read is empty.
func (f *files) text(file string, e encoding) *text {
	if t := f.open[file]; t != nil {
		return t
	}
	content, err := fs.ReadFile(f.saved, file)
	if err != nil {
		content = nil
	}
	return newText(f.uri(file), 0, string(content), e)
}

// texts returns a function that reads each file as text once.
func (f *files) texts(e encoding) func(file string) *text {
	known := make(map[string]*text)
	return func(file string) *text {
		if known[file] == nil {
			known[file] = f.text(file, e)
		}
		return known[file]
	}
}

// parsed returns the last texts that could be parsed, by the findings in the current
// ones. An empty text is about to be typed, so the one before it is more useful.
func (f *files) parsed(issues issue.Issues) map[string]*text {
	good := maps.Clone(f.open)
	broken := func(file string) {
		delete(good, file)
		if last := f.good[file]; last != nil {
			good[file] = last
		}
	}
	for _, i := range issues {
		if i.Code == codes.SourceSyntax {
			broken(i.Position.File)
		}
	}
	for file, t := range f.open {
		if len(bytes.TrimSpace(t.content)) == 0 {
			broken(file)
		}
	}
	return good
}

// readable returns the files with the last good text in place of each open one that
// can't be parsed; without one, it is as it was saved.
func (f *files) readable(broken []string) *files {
	g := *f
	g.lastGood = true
	g.open = maps.Clone(f.open)
	for _, file := range broken {
		delete(g.open, file)
		if last := f.good[file]; last != nil {
			g.open[file] = last
		}
	}
	return &g
}

// openIn returns the open texts of a version.
func (f *files) openIn(v taxonomy.Version) map[string]*text {
	open := make(map[string]*text)
	for file, t := range f.open {
		if in, ok := versionOf(file); ok && in == v {
			open[file] = t
		}
	}
	return open
}

// Lstat describes a file or a directory; see [fs.ReadLinkFS].
func (f *files) Lstat(name string) (fs.FileInfo, error) {
	if t := f.open[name]; t != nil {
		return openInfo{name: path.Base(name), size: int64(len(t.content))}, nil
	}
	info, err := fs.Lstat(f.saved, name)
	if errors.Is(err, fs.ErrNotExist) && len(f.unsaved(name)) > 0 {
		return openInfo{name: path.Base(name), dir: true}, nil
	}
	return info, err
}

// ReadDir lists a directory with the open files in it, which may not be saved yet; see
// [fs.ReadDirFS].
func (f *files) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.saved, name)
	added := f.unsaved(name)
	if err != nil && (len(added) == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return list, err
	}
	for _, e := range list {
		delete(added, e.Name())
	}
	for _, info := range added {
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// unsaved returns the open files in a directory, and the directories that contain some.
func (f *files) unsaved(dir string) map[string]openInfo {
	list := make(map[string]openInfo)
	for file, t := range f.open {
		rest, ok := strings.CutPrefix(file, dir+"/")
		if dir == "." {
			rest, ok = file, true
		}
		if !ok {
			continue
		}
		name, _, below := strings.Cut(rest, "/")
		list[name] = openInfo{name: name, size: int64(len(t.content)), dir: below}
	}
	return list
}

// ReadLink reads a symbolic link; see [fs.ReadLinkFS].
func (f *files) ReadLink(name string) (string, error) { return fs.ReadLink(f.saved, name) }

// Open opens a file; see [fs.FS].
func (f *files) Open(name string) (fs.File, error) {
	if t := f.open[name]; t != nil {
		return &openFile{Reader: bytes.NewReader(t.content), info: openInfo{name: path.Base(name), size: int64(len(t.content))}}, nil
	}
	return f.saved.Open(name)
}

// openFile is a text as a file.
type openFile struct {
	*bytes.Reader
	info openInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

// openInfo describes a text as a file, or a directory that has only such files.
type openInfo struct {
	name string
	size int64
	dir  bool
}

func (i openInfo) Name() string       { return i.name }
func (i openInfo) Size() int64        { return i.size }
func (i openInfo) ModTime() time.Time { return time.Time{} }
func (i openInfo) IsDir() bool        { return i.dir }
func (i openInfo) Sys() any           { return nil }
func (i openInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
