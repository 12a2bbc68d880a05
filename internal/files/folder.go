package files

import (
	"io/fs"
	"os"
	"sync"
)

// Folder is a path with the directory that was last found there. It is safe for
// concurrent use. Make one with [OpenFolder].
type Folder struct {
	path string

	mu      sync.Mutex
	current *Opened
}

// Opened is a directory that was found at the path. It can be read until [Opened.Done], even
// if it was replaced.
type Opened struct {
	folder *Folder
	root   *os.Root
	fsys   fs.FS
	info   fs.FileInfo

	// Guarded by the lock of the Folder.
	users   int
	retired bool
}

// OpenFolder opens the directory at a path.
func OpenFolder(path string) (*Folder, error) {
	f := &Folder{path: path}
	var err error
	if f.current, err = f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *Folder) open() (*Opened, error) {
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err != nil {
		_ = root.Close() // nothing was read
		return nil, err
	}
	return &Opened{folder: f, root: root, fsys: root.FS(), info: info}, nil
}

// Use returns the directory that is at the path now. If that can't be opened, it returns the
// last one and an error. The caller must call [Opened.Done].
func (f *Folder) Use() (*Opened, error) {
	info, err := os.Stat(f.path)
	f.mu.Lock()
	defer f.mu.Unlock()
	// A directory that is open keeps its identity, so another one has another.
	if err == nil && !f.current.retired && !os.SameFile(info, f.current.info) {
		var next *Opened
		if next, err = f.open(); err == nil {
			_ = f.current.retire() // it was only read
			f.current = next
		}
	}
	f.current.users++
	return f.current, err
}

// Close releases the directory when it is no longer in use.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.retire()
}

// FS returns the content of the directory. Links that lead out of it are not
// followed.
func (o *Opened) FS() fs.FS { return o.fsys }

// Done ends a use.
func (o *Opened) Done() {
	o.folder.mu.Lock()
	defer o.folder.mu.Unlock()
	if o.users--; o.retired && o.users == 0 {
		_ = o.root.Close() // it was only read
	}
}

// retire closes the directory, or lets its last user do so.
func (o *Opened) retire() error {
	if o.retired {
		return nil
	}
	o.retired = true
	if o.users > 0 {
		return nil
	}
	return o.root.Close()
}
