package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/datachain-go/datachain/taxonomy"
)

// install writes the files of a new version into a source tree, whole or not at
// all: they are written into a hidden folder, which lint does not read, are
// looked at by check if there is one, and get their name when all is good.
func install(ctx context.Context, root *os.Root, v taxonomy.Version, files map[string][]byte, check func(fs.FS) error) (err error) {
	if err := absent(root, v); err != nil {
		return err
	}
	temp := ".datachain-" + rand.Text()
	if err := root.Mkdir(temp, 0o777); err != nil {
		return fmt.Errorf("can't write into %s: %s", root.Name(), reason(err))
	}
	defer func() { err = errors.Join(err, root.RemoveAll(temp)) }()
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

// absent refuses a version that is there.
func absent(root *os.Root, v taxonomy.Version) error {
	switch _, err := root.Lstat(filepath.FromSlash(folder(v))); {
	case err == nil:
		return fmt.Errorf("%s is there already: choose another --date", v)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// createTemp makes a hidden file that has the mode of any new file, unlike that
// of os.CreateTemp, and so can take the place of another.
func createTemp(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, ".datachain-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
