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

// reason returns an error without the operation and the path that a file error
// repeats.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}

// followed returns where a path leads through links, also if there is nothing
// yet: what is written there must not replace the link.
func followed(path string) string {
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

// replace writes a file completely or not at all. An existing file keeps its mode,
// and a link stays a link.
func replace(path string, content []byte) (err error) {
	path = followed(path)
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(path, content, 0) // a pipe or a device
	default:
		mode = info.Mode().Perm()
	}
	// Unlike os.CreateTemp, with the mode of any new file.
	temp, err := os.OpenFile(filepath.Join(filepath.Dir(path), tempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	_, err = temp.Write(content)
	if err == nil && info != nil {
		err = temp.Chmod(mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// tempName returns a new hidden name, which no command reads.
func tempName() string { return ".datachain-" + rand.Text() }

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
	dir = followed(dir)
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
	temp := tempName()
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
