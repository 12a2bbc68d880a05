package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Addition is a schema version to add to a source.
type Addition struct {
	ID    taxonomy.Version
	Files map[string][]byte
}

// Install adds a new version to the source, completely or not at all.
func (s *Source) Install(ctx context.Context, added Addition, check func(fs.FS) error) error {
	if err := s.Absent(added.ID); err != nil {
		return err
	}
	return replace(ctx, s.Root, []Addition{added}, func(written fs.FS) error {
		return errors.Join(check(written), s.Absent(added.ID))
	})
}

// Absent returns an error if a version exists.
func (s *Source) Absent(v taxonomy.Version) error {
	switch _, err := s.Root.Lstat(filepath.FromSlash(source.Directory(v))); {
	case err == nil:
		return fmt.Errorf("%s already exists: choose another --date", v)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// replace writes versions into a source, in place of those with the same id. It writes them into a
// hidden directory, calls check, and renames their directories. If that fails for a version, those
// before it have been replaced completely.
func replace(ctx context.Context, root *os.Root, added []Addition, check func(fs.FS) error) (err error) {
	files.Sweep(root.Name())
	temp, remove, err := files.TempDir(root)
	if err != nil {
		return fmt.Errorf("can't write into %s: %s", root.Name(), wording.Reason(err))
	}
	defer func() { err = errors.Join(err, remove()) }()
	const fresh, old = "new", "old"
	for _, a := range added {
		for name, data := range a.Files {
			name = filepath.FromSlash(path.Join(temp, fresh, source.Directory(a.ID), name))
			if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := root.WriteFile(name, data, 0o666); err != nil {
				return err
			}
		}
	}
	written, err := fs.Sub(root.FS(), path.Join(temp, fresh))
	if err != nil {
		return err
	}
	if err := errors.Join(check(written), ctx.Err()); err != nil {
		return err
	}
	for _, a := range added {
		to := filepath.FromSlash(source.Directory(a.ID))
		aside := filepath.Join(temp, old, to)
		if err := errors.Join(root.MkdirAll(a.ID.Type(), 0o777), root.MkdirAll(filepath.Dir(aside), 0o777)); err != nil {
			return err
		}
		if err := root.Rename(to, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := root.Rename(filepath.Join(temp, fresh, to), to); err != nil {
			if back := root.Rename(aside, to); !errors.Is(back, fs.ErrNotExist) {
				err = errors.Join(err, back)
			}
			return err
		}
	}
	return nil
}

// Add writes versions into the source in a directory, which may be new. It replaces those with the
// same id. If it fails, it removes a directory that it has created.
func Add(ctx context.Context, dir string, added []Addition, check func(fs.FS) error) (err error) {
	_, statErr := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return errors.New(wording.Reason(err))
	}
	defer func() {
		if err != nil && errors.Is(statErr, fs.ErrNotExist) {
			err = errors.Join(err, os.Remove(dir))
		}
	}()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return errors.New(wording.Reason(err))
	}
	defer func() { _ = root.Close() }() // everything is written
	return replace(ctx, root, added, check)
}
