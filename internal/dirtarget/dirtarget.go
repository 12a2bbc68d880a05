// Package dirtarget publishes into directories, which package fsstore reads.
package dirtarget

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// Names that only publishers use. The lock keeps publishers apart, so what one
// of them finds under a temporary name was left behind by an interrupted one.
const (
	lockFile  = ".lock"
	newPrefix = ".new-" // of what is being written
	oldPrefix = ".old-" // of a damaged directory that is being replaced
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
	// writers is how many files are written at a time.
	writers int
}

var _ publish.Files = (*Target)(nil)

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

func openOn(ctx context.Context, dir string, newDisk func(*os.Root) disk) (_ *Target, err error) {
	t := &Target{dir: dir, writers: defaultWriters}
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

// Index returns the content of index.json, which is also its revision.
func (t *Target) Index(ctx context.Context) ([]byte, publish.Revision, error) {
	return t.Read(ctx, published.IndexFile)
}

// ReplaceIndex replaces index.json.
func (t *Target) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	return t.Replace(ctx, published.IndexFile, text, rev)
}

// Read returns the content of a file, which is also its revision.
func (t *Target) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	text, _, err := published.ReadFile(t.fsys, name, published.MaxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	return text, publish.Revision(text), err
}

// Replace replaces a file. The lock excludes other publishers, but not a copying
// program.
func (t *Target) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	_, now, err := t.Read(ctx, name)
	if err == nil && now != rev {
		err = fmt.Errorf("%s: %w", name, publish.ErrConflict)
	}
	if err == nil {
		err = t.makeParents(name)
	}
	if err != nil {
		return advise(err)
	}
	return t.put(name, text)
}

// Delete deletes a file durably, and the directories above it that are empty then. Several
// calls may do so at once, so a directory may be gone already.
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

// put writes a file into a temporary one and renames that when it is on disk.
func (t *Target) put(name string, text []byte) error {
	dir, base := path.Split(name)
	temp := dir + newPrefix + base
	if err := t.disk.removeAll(temp); err != nil {
		return advise(err)
	}
	err := createFile(t.disk, temp, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err == nil {
		err = t.disk.rename(temp, name)
	}
	if err != nil {
		_ = t.disk.removeAll(temp) // or else the next publisher removes it
		return advise(err)
	}
	return advise(t.disk.syncDir(path.Dir(name)))
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
	if err := t.makeParents(name); err != nil {
		return advise(err)
	}
	return t.put(name, text)
}

// List returns the names of the files below a directory.
func (t *Target) List(ctx context.Context, dir string) (names []string, err error) {
	err = fs.WalkDir(t.fsys, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == dir && errors.Is(err, fs.ErrNotExist):
			return nil
		case err == nil && name != dir && !d.IsDir():
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
	f, _, err := published.OpenFile(t.fsys, name)
	return f, err
}

// Trim removes files and subdirectories from a directory.
func (t *Target) Trim(ctx context.Context, dir string, names ...string) error {
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		name = path.Join(dir, name)
		if _, err := t.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := t.disk.removeAll(name); err != nil {
			return advise(err)
		}
	}
	return nil
}

// Touch sets the modification time of a directory to now.
func (t *Target) Touch(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.disk.touch(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return advise(err)
	}
	return nil
}

// Stored lists the directories of releases and those that interrupted publishers
// have left behind. It ignores everything that is not part of the published.
func (t *Target) Stored(ctx context.Context) (stored []publish.Stored, err error) {
	var errs []error
	var version taxonomy.Version // whose directory is being walked
	err = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			errs = append(errs, err)
			return nil
		case name == "." || !d.IsDir():
			return nil
		}
		switch parts := strings.Split(name, "/"); len(parts) {
		case 1:
			if !prose.IsID(name) {
				return fs.SkipDir
			}
		case 2:
			if version, err = taxonomy.ParseVersion(parts[0] + "@" + parts[1]); err != nil {
				return fs.SkipDir
			}
		case 3:
			var hash taxonomy.Hash
			err := hash.UnmarshalText([]byte(parts[2]))
			if err != nil && !strings.HasPrefix(parts[2], newPrefix) && !strings.HasPrefix(parts[2], oldPrefix) {
				return fs.SkipDir
			}
			info, err := d.Info()
			if err != nil {
				errs = append(errs, err)
				return fs.SkipDir
			}
			stored = append(stored, publish.Stored{Dir: name, Version: version, Hash: hash, Since: info.ModTime()})
			return fs.SkipDir
		}
		return nil
	})
	return stored, errors.Join(append(errs, err)...)
}

// Remove removes a directory, and those above it that are empty then.
func (t *Target) Remove(ctx context.Context, s publish.Stored) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := t.root.Lstat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.ModTime().Equal(s.Since):
		return fmt.Errorf("%s: %w", s.Dir, publish.ErrConflict)
	}
	if err := t.disk.removeAll(s.Dir); err != nil {
		return err
	}
	return t.removeEmpty(path.Dir(s.Dir))
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

// defaultWriters is more than there are CPUs: a writer mostly waits for its file
// to reach the disk, and disks serve several of them at once.
const defaultWriters = 8

// Write writes the files into a temporary directory and renames that when all of
// it is on disk.
func (t *Target) Write(ctx context.Context, dir string, files []publish.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	temp := beside(newPrefix, dir)
	if err := t.makeParents(temp); err != nil {
		return advise(err)
	}
	err := t.fill(ctx, temp, files)
	if err == nil {
		err = t.swap(temp, dir)
	}
	if err != nil {
		_ = t.disk.removeAll(temp) // or else a later publisher collects it
	}
	return advise(err)
}

// Add writes a file into a temporary directory and renames it when it is on disk.
func (t *Target) Add(ctx context.Context, dir string, f publish.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	temp := beside(newPrefix, path.Join(dir, f.Name))
	err := t.fill(ctx, temp, []publish.File{f})
	if err == nil {
		err = t.disk.rename(path.Join(temp, f.Name), path.Join(dir, f.Name))
	}
	for _, changed := range []string{dir, path.Dir(temp)} {
		if err == nil {
			err = t.disk.syncDir(changed)
		}
	}
	if removed := t.disk.removeAll(temp); err == nil {
		err = removed // or else a later publisher collects it
	}
	return advise(err)
}

// beside returns a name with a prefix in the directory of the version. A release
// may be in use, so even a subdirectory of one is not written inside it.
func beside(prefix, dir string) string {
	rest := ""
	for strings.Count(dir, "/") > 2 {
		dir, rest = path.Dir(dir), "-"+path.Base(dir)+rest
	}
	version, release := path.Split(dir)
	return version + prefix + release + rest
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

// fill creates a directory with files, durably.
func (t *Target) fill(ctx context.Context, dir string, files []publish.File) error {
	if err := t.disk.removeAll(dir); err != nil {
		return err
	}
	levels := subdirs(dir, files)
	for _, level := range levels {
		if err := t.each(ctx, len(level), func(_, i int) error { return t.disk.mkdir(level[i]) }); err != nil {
			return err
		}
	}
	buffers := make([]*bufio.Writer, t.writers)
	err := t.each(ctx, len(files), func(worker, i int) error {
		if buffers[worker] == nil {
			buffers[worker] = bufio.NewWriterSize(nil, 1<<16)
		}
		buffer := buffers[worker]
		return createFile(t.disk, path.Join(dir, files[i].Name), func(w io.Writer) error {
			buffer.Reset(w)
			if err := files[i].Write(buffer); err != nil {
				return err
			}
			return buffer.Flush()
		})
	})
	if err != nil {
		return err
	}
	dirs := slices.Concat(levels...)
	return t.each(ctx, len(dirs), func(_, i int) error { return t.disk.syncDir(dirs[i]) })
}

func (t *Target) each(ctx context.Context, n int, do func(worker, i int) error) error {
	return concurrent.Each(ctx, t.writers, n, do)
}

// subdirs returns a directory and those that files need below it, by depth:
// directories of the same depth can be created at the same time.
func subdirs(root string, files []publish.File) [][]string {
	levels := [][]string{{root}}
	seen := make(map[string]bool)
	for _, f := range files {
		for dir := path.Dir(f.Name); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			depth := strings.Count(dir, "/") + 1
			for len(levels) <= depth {
				levels = append(levels, nil)
			}
			levels[depth] = append(levels[depth], path.Join(root, dir))
		}
	}
	return levels
}

// createFile creates a file durably.
func createFile(d disk, name string, write func(io.Writer) error) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// swap puts a finished directory in its place.
func (t *Target) swap(temp, dir string) error {
	if _, err := t.root.Lstat(dir); err == nil {
		old := beside(oldPrefix, dir)
		if err := t.disk.removeAll(old); err != nil {
			return err
		}
		if err := t.disk.rename(dir, old); err != nil {
			return err
		}
		defer func() { _ = t.disk.removeAll(old) }() // or else a later publisher collects it
	}
	if err := t.disk.rename(temp, dir); err != nil {
		return err
	}
	if from := path.Dir(temp); from != path.Dir(dir) {
		if err := t.disk.syncDir(from); err != nil {
			return err
		}
	}
	return t.disk.syncDir(path.Dir(dir))
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
	// touch sets the modification time of a directory to now.
	touch(name string) error
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

func (d rootDisk) touch(name string) error {
	now := time.Now()
	return d.root.Chtimes(name, now, now)
}

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
