package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/datachain-go/datachain/internal/rewrite"
	"github.com/datachain-go/datachain/taxonomy"
)

// reason returns an error without the operation and the path that a file error
// repeats.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}

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
	dir = rewrite.Followed(dir)
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

// install writes the files of a new version into a source, completely or not at
// all: into a hidden directory that check may look at, which is renamed in the
// end.
func install(ctx context.Context, root *os.Root, v taxonomy.Version, files map[string][]byte, check func(fs.FS) error) (err error) {
	if err := absent(root, v); err != nil {
		return err
	}
	rewrite.Sweep(root.Name())
	temp, remove, err := rewrite.TempDir(root)
	if err != nil {
		return fmt.Errorf("can't write into %s: %s", root.Name(), reason(err))
	}
	defer func() { err = errors.Join(err, remove()) }()
	for name, data := range files {
		name = filepath.FromSlash(path.Join(temp, folder(v), name))
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	if check != nil {
		written, err := fs.Sub(root.FS(), temp)
		if err != nil {
			return err
		}
		if err := check(written); err != nil {
			return err
		}
	}
	if err := errors.Join(ctx.Err(), absent(root, v)); err != nil {
		return err
	}
	if err := root.MkdirAll(v.Type(), 0o777); err != nil {
		return err
	}
	return root.Rename(filepath.FromSlash(path.Join(temp, folder(v))), filepath.FromSlash(folder(v)))
}

// absent returns an error if a version exists.
func absent(root *os.Root, v taxonomy.Version) error {
	switch _, err := root.Lstat(filepath.FromSlash(folder(v))); {
	case err == nil:
		return fmt.Errorf("%s already exists: choose another --date", v)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}
