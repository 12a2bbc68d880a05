package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// reason returns an error without the operation and the path that a file error
// repeats.
var reason = stores.Reason

// vacant returns an error if a directory exists and is not empty. The error ends
// with what can be done besides naming another one.
func vacant(dir, instead string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errors.New(reason(err))
	case len(entries) > 0:
		return errors.New("the directory is not empty: name another one" + instead)
	}
	return nil
}

// fill fills a vacant directory. If that fails, what was written is removed. A
// directory that exists is not replaced: it may be a mounted volume or a working
// directory.
func fill(dir string, write func(dir string) error) error {
	dir = files.Followed(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return errors.New(reason(err))
	}
	err := write(dir)
	if err == nil {
		return nil
	}
	entries, listErr := os.ReadDir(dir)
	err = errors.Join(err, listErr)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// addition is a schema version to add to a source.
type addition struct {
	id    taxonomy.Version
	files map[string][]byte
}

// install writes the files of a new version into a source, completely or not at
// all; see [replaceVersions].
func install(ctx context.Context, root *os.Root, v taxonomy.Version, files map[string][]byte, check func(fs.FS) error) error {
	if err := absent(root, v); err != nil {
		return err
	}
	return replaceVersions(ctx, root, []addition{{v, files}}, func(written fs.FS) error {
		if check != nil {
			if err := check(written); err != nil {
				return err
			}
		}
		return absent(root, v)
	})
}

// replaceVersions writes versions into a source: into a hidden directory that check
// looks at, whose parts are renamed in the end. A version that is there already is
// replaced. If a version can't be put in place, those before it are there, complete.
func replaceVersions(ctx context.Context, root *os.Root, added []addition, check func(fs.FS) error) (err error) {
	files.Sweep(root.Name())
	temp, remove, err := files.TempDir(root)
	if err != nil {
		return fmt.Errorf("can't write into %s: %s", root.Name(), reason(err))
	}
	defer func() { err = errors.Join(err, remove()) }()
	const fresh, old = "new", "old"
	for _, a := range added {
		for name, data := range a.files {
			name = filepath.FromSlash(path.Join(temp, fresh, stores.Folder(a.id), name))
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
		to := filepath.FromSlash(stores.Folder(a.id))
		aside := filepath.Join(temp, old, to)
		if err := errors.Join(root.MkdirAll(a.id.Type(), 0o777), root.MkdirAll(filepath.Dir(aside), 0o777)); err != nil {
			return err
		}
		if err := root.Rename(to, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := root.Rename(filepath.Join(temp, fresh, to), to); err != nil {
			return errors.Join(err, ignoreMissing(root.Rename(aside, to)))
		}
	}
	return nil
}

// ignoreMissing returns no error for a file that does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// absent returns an error if a version exists.
func absent(root *os.Root, v taxonomy.Version) error {
	switch _, err := root.Lstat(filepath.FromSlash(stores.Folder(v))); {
	case err == nil:
		return fmt.Errorf("%s already exists: choose another --date", v)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}
