// Package files follows a directory by its path, replaces files completely or not at all,
// and has the cache of remote stores.
//
// If a directory is replaced, by renaming, by a link that changes, or by removing and
// creating it, the next use of its [Folder] finds the new one.
//
// A file that is replaced keeps its mode and its owner, a link stays a link, and a file
// that was edited since it was read is not overwritten.
//
// A new file is written beside the old one under a temporary name and renamed. What a
// crash leaves behind is removed by [Sweep].
//
// A [Cache] keeps copies of what a remote store has sent in a directory, so that a
// program does not fetch it again after a restart, and can start without a network.
// Nothing in it is synced to the disk, and nothing that is read is trusted: stores verify
// releases by their hashes, so a damaged copy is fetched again. Several programs may
// use a directory at the same time.
package files

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// Why a file was not replaced.
var (
	ErrChanged    = errors.New("the file has changed since it was read")
	ErrReadOnly   = errors.New("the file is read-only")
	ErrNotRegular = errors.New("not a regular file")
	ErrOwner      = errors.New("the owner and the group of the file can't be kept")
)

// Snapshot is a file as it was read.
type Snapshot struct {
	Path string
	Text []byte
	// Info is from before the first byte was read.
	Info fs.FileInfo
}

// Replace gives the file other content. It fails with [ErrChanged] if another program has
// written, touched or replaced the file since it was read; what it can't notice is an
// edit in the instant between that check and the renaming. It fails with
// [ErrReadOnly] unless readOnly allows to replace such a file, and with [ErrOwner] if
// the new file would have another owner.
func (s *Snapshot) Replace(content []byte, readOnly bool) error {
	path := ResolveLinks(s.Path)
	if !s.Info.Mode().IsRegular() {
		return ErrNotRegular
	}
	if !readOnly && (s.Info.Mode().Perm()&0o222 == 0 || !writable(path)) {
		return ErrReadOnly
	}
	mode := s.Info.Mode().Perm()
	return Replace(path, content, mode&0o600, func(temp *os.File) error {
		if err := keepOwner(temp, s.Info); err != nil {
			return ErrOwner
		}
		// The owner comes first: changing it clears bits of the mode.
		if err := errors.Join(temp.Chmod(mode), temp.Sync()); err != nil {
			return err
		}
		return s.check(path)
	})
}

// check returns [ErrChanged] if the file is no longer the one that was read. The
// content is compared, too, since two edits can have the same time; the time is
// compared last, since that is done in an instant.
func (s *Snapshot) check(path string) error {
	if err := s.checkInfo(path); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(text, s.Text):
		return ErrChanged
	}
	return s.checkInfo(path)
}

func (s *Snapshot) checkInfo(path string) error {
	info, err := os.Stat(path)
	if err == nil && (!os.SameFile(info, s.Info) || !info.ModTime().Equal(s.Info.ModTime())) {
		err = ErrChanged
	}
	return err
}

// writable reports whether the user may write to a file. The superuser may always.
func writable(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_ = f.Close() // nothing was written
	}
	return !errors.Is(err, fs.ErrPermission)
}

// Rewrite creates a file, or gives it other content. It keeps the mode and, if the user
// may, the owner. What is not a regular file, such as a pipe, is written to.
func Rewrite(path string, content []byte) error {
	path = ResolveLinks(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Replace(path, content, 0o666, (*os.File).Sync)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(path, content, 0)
	}
	return Replace(path, content, info.Mode().Perm()&0o600, func(temp *os.File) error {
		_ = keepOwner(temp, info) // whose file it is does not matter for what is new
		return errors.Join(temp.Chmod(info.Mode().Perm()), temp.Sync())
	})
}

// Replace writes a temporary file and renames it when it is ready.
func Replace(path string, content []byte, mode fs.FileMode, ready func(temp *os.File) error) error {
	temp, err := createTemp(filepath.Dir(path), mode)
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	if err == nil {
		err = ready(temp)
	}
	if err == nil {
		err = rename(temp, path)
	}
	if err != nil {
		_ = temp.Close()           // it may be closed already
		_ = os.Remove(temp.Name()) // or else by Sweep
	}
	return err
}

// ResolveLinks returns where a path leads through links, also if there is nothing yet:
// what is written there must not replace the link.
func ResolveLinks(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	target, err := os.Readlink(path)
	switch {
	case err != nil:
		return path
	case filepath.IsAbs(target):
		return target
	}
	return filepath.Join(filepath.Dir(path), target)
}

// tempPattern is the form of temporary names: hidden, so that no command reads them, and
// unlike any name that a person would choose.
var tempPattern = regexp.MustCompile(`^\.datachain-[A-Z2-7]{26}$`)

// TempName is the name of a temporary file, which [Sweep] removes if it is left.
func TempName() string { return ".datachain-" + rand.Text() }

// locked is the result of locking a temporary file.
type locked int

const (
	held    locked = iota // until the file is closed or the program ends
	busy                  // another program has locked it
	unknown               // the file system has no locks
)

// errLost is returned if a temporary file was removed before it was locked.
var errLost = errors.New("a temporary file was removed by another program")

// createTemp creates a locked temporary file. Unlike that of os.CreateTemp, its mode
// is that of any new file.
func createTemp(dir string, mode fs.FileMode) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(filepath.Join(dir, TempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		if lock(f) != busy && present(f.Name(), f) {
			return f, nil
		}
		_ = f.Close() // it was swept just now
	}
	return nil, errLost
}

// TempDir creates a temporary directory in another one. It returns its name and a
// function that removes it with its content.
func TempDir(root *os.Root) (name string, remove func() error, err error) {
	for range 100 {
		name := TempName()
		if err := root.Mkdir(name, 0o777); err != nil {
			return "", nil, err
		}
		f, err := root.Open(name)
		if err != nil {
			continue // it was swept just now
		}
		if lock(f) != busy && present(filepath.Join(root.Name(), name), f) {
			return name, func() error {
				err := root.RemoveAll(name)
				_ = f.Close() // only the lock
				return err
			}, nil
		}
		_ = f.Close()
	}
	return "", nil, errLost
}

// abandonedAfter is the age at which a temporary file can't be in use: it lives as
// long as it takes to write a file.
const abandonedAfter = time.Hour

func old(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) > abandonedAfter
}

// present reports whether a file still has its name.
func present(path string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

// Sweep removes temporary files and directories that programs left behind in a
// directory when they crashed. Those of programs that still run are kept; if the file
// system has no locks to tell, so are those of the last hour. Failing to remove one is
// not an error: it is hidden, and the next run tries again.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir) // as far as it can be read
	for _, e := range entries {
		if tempPattern.MatchString(e.Name()) && (e.Type().IsRegular() || e.IsDir()) {
			sweep(filepath.Join(dir, e.Name()))
		}
	}
}

// Folder is a path with the directory that was last found there. It is safe for
// concurrent use. Make one with [OpenFolder].
type Folder struct {
	path string

	mu  sync.Mutex
	now *Opened
}

// Opened is a directory that was found at the path. It can be read as long as it
// is in use, even if another has taken its place.
type Opened struct {
	of   *Folder
	root *os.Root
	fsys fs.FS
	info fs.FileInfo

	// Guarded by the lock of the Folder.
	users   int
	retired bool
}

// OpenFolder opens the directory at a path.
func OpenFolder(path string) (*Folder, error) {
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
		_ = root.Close() // nothing was read
		return nil, err
	}
	return &Opened{of: f, root: root, fsys: root.FS(), info: info}, nil
}

// Use returns the directory that is at the path now. If that can't be opened, it
// returns the last one and an error. The caller ends the use with Done.
func (f *Folder) Use() (*Opened, error) {
	info, err := os.Stat(f.path)
	f.mu.Lock()
	defer f.mu.Unlock()
	// No other directory can have the identity of one that is open.
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

// Close releases the directory when it is no longer in use.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now.retire()
}

// FS returns the content of the directory. Links that lead out of it are not
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

// Unsynced does not wait until a copy is on disk: after a crash, a damaged one is made again.
func Unsynced(*os.File) error { return nil }
