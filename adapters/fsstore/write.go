package fsstore

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/internal/parallel"
)

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
	return parallel.Each(ctx, t.writers, n, do)
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
