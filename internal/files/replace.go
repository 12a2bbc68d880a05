// Package files replaces files completely or not at all, creates temporary ones that are
// removed after a crash, and follows a directory by its path.
//
// A file that is replaced keeps its mode and its owner, a link stays a link, and a file that
// was edited since it was read is not overwritten. The new content is written to a temporary
// file in the same directory, which is then renamed.
//
// [Sweep] removes temporary files and directories that a crashed program has left.
//
// A [Folder] finds the directory that is at its path now, after it was renamed, replaced or
// created again, or a link was changed.
package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// Replace replaces the content of the file. It fails with [ErrChanged] if another program has
// written, touched or replaced the file since it was read; what it can't notice is an
// edit in the instant between that check and the renaming. It fails with [ErrReadOnly]
// if the file is read-only, unless readOnly allows that, and with [ErrOwner] if the new
// file would have another owner.
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

// Remove removes the file. It fails with [ErrChanged] as Replace does.
func (s *Snapshot) Remove() error {
	if err := s.Check(); err != nil {
		return err
	}
	return os.Remove(s.Path)
}

// Restore makes the file what it was after another content was written, or after it was removed, if
// that is nil. It fails with [ErrChanged] if the file has something else now.
func (s *Snapshot) Restore(written []byte) error {
	current, err := Read(s.Path)
	switch {
	case written == nil && errors.Is(err, fs.ErrNotExist):
		return create(s.Path, s.Text, s.Info.Mode().Perm()&0o600, func(temp *os.File) error {
			_ = keepOwner(temp, s.Info) // as far as the user may
			return temp.Chmod(s.Info.Mode().Perm())
		})
	case err != nil:
		return err
	case !bytes.Equal(current.Text, written):
		return ErrChanged
	}
	return current.Replace(s.Text, true)
}

// Read reads a file.
func Read(path string) (*Snapshot, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	s := &Snapshot{Path: path}
	if s.Info, err = f.Stat(); err == nil {
		s.Text, err = io.ReadAll(f)
	}
	return s, err
}

// Check returns [ErrChanged] if another program has written, touched or replaced the file since it
// was read.
func (s *Snapshot) Check() error { return s.check(ResolveLinks(s.Path)) }

// Create creates a file. It fails with [fs.ErrExist] if there is one.
func Create(path string, content []byte) error {
	return create(path, content, 0o666, func(*os.File) error { return nil })
}

func create(path string, content []byte, mode fs.FileMode, ready func(temp *os.File) error) error {
	return Replace(path, content, mode, func(temp *os.File) error {
		if err := errors.Join(ready(temp), temp.Sync()); err != nil {
			return err
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fs.ErrExist
		}
		return nil
	})
}

// check returns [ErrChanged] if the file is no longer the one that was read. It compares
// the content, too, since two edits can have the same time, and then the time again, since
// comparing takes a while.
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

// writable reports whether the user may write to a file. The superuser always may.
func writable(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_ = f.Close() // nothing was written
	}
	return !errors.Is(err, fs.ErrPermission)
}

// Rewrite creates a file or replaces its content. It keeps the mode and, if the user may, the
// owner. It writes to a file that is not regular, such as a pipe.
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
		_ = keepOwner(temp, info) // as far as the user may
		return errors.Join(temp.Chmod(info.Mode().Perm()), temp.Sync())
	})
}

// Replace writes content to a temporary file, calls ready, and renames the file to path. It
// removes the temporary file if anything fails.
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
		_ = os.Remove(temp.Name()) // if that fails, Sweep removes it
	}
	return err
}

// ResolveLinks returns where a path leads through links, even if nothing exists there yet, so
// that writing there does not replace a link.
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

// Unsynced is a function ready for [Replace] that doesn't wait until the content is on disk:
// it suits copies that can be fetched again.
func Unsynced(*os.File) error { return nil }
