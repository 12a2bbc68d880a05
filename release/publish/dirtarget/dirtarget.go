// Package dirtarget publishes into directories, which package fsstore reads.
//
// # Experimental
//
// This package may change in a minor version.
package dirtarget

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Names that only publishers use. The lock keeps publishers apart, so what one of them finds in
// the directory of temporary files was left behind by an interrupted one.
const (
	lockFile = ".lock"
	tempDir  = ".new"
)

// lockDelay is how often a publisher checks whether the lock is free.
const lockDelay = 20 * time.Millisecond

// Target is a directory that releases are published into, with package publish.
// While it is open, other publishers wait. Get one from [Open] or
// [Create].
type Target struct {
	dir  string
	root *os.Root
	fsys fs.FS
	disk disk
	lock *flock.Flock
}

var _ publish.Target = (*Target)(nil)

// Open opens a directory for publishing. It waits until no other publisher
// has it open, or ctx ends.
func Open(ctx context.Context, dir string) (*Target, error) {
	return openOn(ctx, dir, newRootDisk)
}

// Create is like [Open], but creates the directory, and those above
// it, if necessary.
func Create(ctx context.Context, dir string) (*Target, error) {
	err := ctx.Err()
	if err == nil {
		err = makeDir(dir)
	}
	if err != nil {
		return nil, &publish.Error{Op: "open", Target: dir, Err: advise(err)}
	}
	return Open(ctx, dir)
}

// Publish adds versions to a directory of published releases, which it creates if
// necessary, as datachain schema publish does: the index is replaced last and atomically,
// a stable version never changes, and a version that is already there with the same
// content stays as it is. Icons are left to the servers that read the
// directory. Publish waits until no other publisher has it open, or ctx ends.
func Publish(ctx context.Context, dir string, versions ...listing.Publication) (err error) {
	target, err := Create(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	_, err = publish.Publish(ctx, target, versions, nil)
	return err
}

func openOn(ctx context.Context, dir string, newDisk func(*os.Root) disk) (_ *Target, err error) {
	t := &Target{dir: dir}
	defer func() {
		if err != nil {
			_ = t.Close() // nothing was written
			err = &publish.Error{Op: "open", Target: dir, Err: advise(err)}
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if t.root, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	t.fsys, t.disk = t.root.FS(), newDisk(t.root)
	t.lock = flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o644))
	if _, err := t.lock.TryLockContext(ctx, lockDelay); err != nil {
		return nil, fmt.Errorf("lock for publishing: %w", err)
	}
	if _, err := t.root.Lstat(tempDir); err == nil {
		return t, t.disk.removeAll(tempDir)
	}
	return t, nil
}

// makeDir creates a directory and those above it, durably.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read
	return rootDisk{root}.syncDir(".")
}

// Close lets other publishers in.
func (t *Target) Close() error {
	var errs [2]error
	if t.disk != nil {
		_ = t.root.Remove(tempDir) // what is left in it is removed by the next publisher
	}
	if t.lock != nil {
		errs[0] = t.lock.Close()
	}
	if t.root != nil {
		errs[1] = t.root.Close()
	}
	return errors.Join(errs[:]...)
}

// String returns the directory.
func (t *Target) String() string { return t.dir }

// Read returns the content of a file, which is also its revision.
func (t *Target) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	text, _, err := files.ReadFile(t.fsys, name, layout.MaxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	return text, publish.Revision(text), err
}

// Replace replaces a file. The lock excludes other publishers, but not a copying
// program.
func (t *Target) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	_, current, err := t.Read(ctx, name)
	if err == nil && current != rev {
		err = fmt.Errorf("%s: %w", name, publish.ErrConflict)
	}
	if err != nil {
		return advise(err)
	}
	return t.Put(ctx, name, text)
}

// Delete deletes a file durably, and the directories above it that are empty then. Several
// calls may do so at once, so a directory may not exist any more.
func (t *Target) Delete(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := t.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := t.disk.removeAll(name); err != nil {
		return advise(err)
	}
	err := t.disk.syncDir(path.Dir(name))
	if err == nil {
		err = t.removeEmpty(path.Dir(name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return advise(err)
}

// removeEmpty removes a directory, and those above it, as far as they are empty.
func (t *Target) removeEmpty(dir string) error {
	for ; dir != "."; dir = path.Dir(dir) {
		if empty, err := t.empty(dir); err != nil || !empty {
			return err
		}
		if err := t.disk.removeAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// empty reports whether a directory has no entries. It does not read all of them.
func (t *Target) empty(dir string) (bool, error) {
	f, err := t.root.Open(dir)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	_, err = f.ReadDir(1)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// Put writes a file, and the directories above it if necessary. It writes a temporary file and
// renames that when it is on disk.
func (t *Target) Put(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	temp := path.Join(tempDir, rand.Text())
	err := t.makeParents(name)
	if err == nil {
		if err = t.disk.mkdir(tempDir); errors.Is(err, fs.ErrExist) {
			err = nil
		}
	}
	if err == nil {
		err = createFile(t.disk, temp, data)
	}
	if err == nil {
		err = t.disk.rename(temp, name)
	}
	if err == nil {
		err = t.disk.syncDir(path.Dir(name))
	}
	if err != nil {
		return advise(fmt.Errorf("%s: %w", name, err)) // the next publisher removes the temporary file
	}
	return nil
}

// Create creates a file, and the directories above it if necessary. The lock
// excludes other publishers.
func (t *Target) Create(ctx context.Context, name string, text []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := t.root.Lstat(name); err == nil {
		return fmt.Errorf("%s: %w", name, fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return t.Put(ctx, name, text)
}

// List returns the names of the files below a directory.
func (t *Target) List(ctx context.Context, dir string) (names []string, err error) {
	err = fs.WalkDir(t.fsys, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == dir && errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil && name != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case err == nil && !d.IsDir():
			names = append(names, strings.TrimPrefix(name, dir+"/"))
		}
		return err
	})
	return names, err
}

// Open opens a regular file.
func (t *Target) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, _, err := files.OpenFile(t.fsys, name)
	return f, err
}

// advise adds to an error of the file system what to do about it.
func advise(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w (free some space, then try again)", err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (make the directory writable for this user, then try again)", err)
	}
	return err
}

// makeParents creates the directories above a name.
func (t *Target) makeParents(name string) error {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	if err := t.makeParents(dir); err != nil {
		return err
	}
	if err := t.disk.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Even if it existed: its creator may have died before this.
	return t.disk.syncDir(path.Dir(dir))
}

// createFile creates a file durably.
func createFile(d disk, name string, data []byte) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// disk is every way in which a [Target] changes its directory, so that tests can
// make each of them fail. Names are relative to that, slash-separated.
type disk interface {
	// mkdir creates a directory, whose parent must exist.
	mkdir(name string) error
	// create creates a file, which must not exist.
	create(name string) (file, error)
	rename(from, to string) error
	// removeAll removes what is there, if anything.
	removeAll(name string) error
	// syncDir makes the names in a directory survive a power failure.
	syncDir(name string) error
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	// Sync makes what was written survive a power failure.
	Sync() error
}

// rootDisk is the disk of the operating system. It does not follow links that
// lead out of the root.
type rootDisk struct{ root *os.Root }

func newRootDisk(root *os.Root) disk { return rootDisk{root} }

func (d rootDisk) mkdir(name string) error { return d.root.Mkdir(name, 0o755) }

func (d rootDisk) create(name string) (file, error) {
	return d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

func (d rootDisk) rename(from, to string) error { return d.root.Rename(from, to) }

func (d rootDisk) removeAll(name string) error { return d.root.RemoveAll(name) }

func (d rootDisk) syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil // not possible there, and not needed
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return f.Sync()
}
