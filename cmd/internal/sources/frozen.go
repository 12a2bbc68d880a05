package sources

import (
	"bytes"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/files"
)

// frozen is the file system of a source in which each file is read once, so that everything that is
// planned goes by the same content, and what is edited meanwhile is noticed before it is overwritten.
type frozen struct {
	fs.FS
	dir string

	mu      sync.Mutex
	read    map[string]*files.Snapshot // by real path
	folders map[string][]fs.DirEntry
}

// Freeze reads each file of the source at most once from now on, until [Edits.Write].
func (s *Source) Freeze() {
	if s.frozen == nil {
		s.frozen = &frozen{FS: s.Root.FS(), dir: s.Root.Name()}
		s.frozen.thaw()
	}
}

// fsys returns the files of the source.
func (s *Source) fsys() fs.FS {
	switch {
	case s.samples != nil:
		return s.samples
	case s.frozen != nil:
		return s.frozen
	}
	return s.Root.FS()
}

// thaw forgets what was read.
func (f *frozen) thaw() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.read, f.folders = make(map[string]*files.Snapshot), make(map[string][]fs.DirEntry)
}

// snapshot returns a file as it was read, or nil if it was not.
func (f *frozen) snapshot(name string) *files.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read[f.real(name)]
}

// real returns the path of a file without links, so that a file with two names is read once.
func (f *frozen) real(name string) string {
	file := filepath.Join(f.dir, filepath.FromSlash(name))
	if target, err := filepath.EvalSymlinks(file); err == nil {
		return target
	}
	return file
}

// Open opens a file as it was read first. What is not a regular file, or is too large, is not kept.
func (f *frozen) Open(name string) (fs.File, error) {
	if s := f.snapshot(name); s != nil {
		return memory{bytes.NewReader(s.Text), s.Info}, nil
	}
	file, err := f.FS.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > source.DefaultMaxFileSize {
		return file, err
	}
	defer func() { _ = file.Close() }() // only read
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.real(name)
	if f.read[at] == nil {
		f.read[at] = &files.Snapshot{Path: at, Text: text, Info: info}
	}
	return memory{bytes.NewReader(f.read[at].Text), f.read[at].Info}, nil
}

// ReadDir lists a directory as it was first.
func (f *frozen) ReadDir(name string) ([]fs.DirEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if list, ok := f.folders[name]; ok {
		return list, nil
	}
	list, err := fs.ReadDir(f.FS, name)
	if err == nil {
		f.folders[name] = list
	}
	return list, err
}

func (f *frozen) Stat(name string) (fs.FileInfo, error) {
	if s := f.snapshot(name); s != nil {
		return s.Info, nil
	}
	return fs.Stat(f.FS, name)
}

func (f *frozen) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(f.FS, name) }

func (f *frozen) ReadLink(name string) (string, error) { return fs.ReadLink(f.FS, name) }

// memory is a file in memory.
type memory struct {
	*bytes.Reader
	info fs.FileInfo
}

func (m memory) Stat() (fs.FileInfo, error) { return m.info, nil }

func (m memory) Close() error { return nil }
