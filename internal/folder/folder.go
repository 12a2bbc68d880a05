// Package folder follows a folder by its path. A folder that was replaced, by
// renaming, by a link that leads elsewhere, or by removing it and making another,
// is the new one at the next use.
package folder

import (
	"io/fs"
	"os"
	"sync"
)

// Folder is a path with the folder that was there last. It is safe for
// concurrent use. Make one with [Open].
type Folder struct {
	path string

	mu  sync.Mutex
	now *Opened
}

// Opened is a folder that was found at the path. It can be read as long as it
// is used, also where another has taken its place.
type Opened struct {
	of   *Folder
	root *os.Root
	fsys fs.FS
	info fs.FileInfo

	// Guarded by the lock of the folder.
	users   int
	retired bool
}

// Open opens the folder at a path.
func Open(path string) (*Folder, error) {
	f := &Folder{path: path}
	var err error
	if f.now, err = f.open(); err != nil {
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
		_ = root.Close() // it was not even read
		return nil, err
	}
	return &Opened{of: f, root: root, fsys: root.FS(), info: info}, nil
}

// Use returns the folder that is at the path now. Where there is none, it is the
// last one, with the error that says so. The caller ends the use with Done.
func (f *Folder) Use() (*Opened, error) {
	info, err := os.Stat(f.path)
	f.mu.Lock()
	defer f.mu.Unlock()
	// The one that is held open can't lose its identity to another.
	if err == nil && !f.now.retired && !os.SameFile(info, f.now.info) {
		var next *Opened
		if next, err = f.open(); err == nil {
			_ = f.now.retire() // it was only read
			f.now = next
		}
	}
	f.now.users++
	return f.now, err
}

// Close releases the folder when nobody uses it any more.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now.retire()
}

// FS returns the content of the folder. Links that lead out of it are not
// followed.
func (o *Opened) FS() fs.FS { return o.fsys }

// Done ends a use.
func (o *Opened) Done() {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	if o.users--; o.retired && o.users == 0 {
		_ = o.root.Close() // it was only read
	}
}

// retire closes what nobody uses, and has the last user close the rest.
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
