package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// document is a text that the user named: a file, or standard input.
type input struct {
	// name is how the user would call it.
	name string
	// path is the file, or "" for standard input.
	path string
}

// stdinName is how standard input is called in answers.
const stdinName = "stdin"

// documents lists what was typed: files as they are, folders with every .json
// file below them, and - for standard input. Each is listed once.
func (p *program) documents(cmd *cobra.Command, typed []string) ([]input, error) {
	var list []input
	seen := make(map[string]bool)
	add := func(d input) {
		if !seen[d.path] {
			seen[d.path] = true
			list = append(list, d)
		}
	}
	for _, t := range typed {
		if t == "-" {
			add(input{name: stdinName})
			continue
		}
		if t == "" {
			return nil, badUsage(cmd, "a file has no name")
		}
		path := p.path(t)
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			add(input{name: t, path: path}) // reading it says what is wrong
			continue
		}
		below := jsonFiles(path)
		if len(below) == 0 {
			return nil, fmt.Errorf("%s: no .json files here", t)
		}
		for _, file := range below {
			add(input{name: p.shown(file, t), path: file})
		}
	}
	return list, nil
}

// jsonFiles lists the .json files below a folder in order. What is hidden is
// skipped, and so is what npm installs. A folder that can't be listed stands for
// its files: reading it says what is wrong.
func jsonFiles(dir string) []string {
	var files []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			files = append(files, path)
			return nil //nolint:nilerr // it is said when the folder is read
		}
		switch name := d.Name(); {
		case path == dir:
		case d.IsDir() && (strings.HasPrefix(name, ".") || name == "node_modules"):
			return fs.SkipDir
		case strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".json"):
		case d.Type().IsRegular() || d.Type()&fs.ModeSymlink != 0 && isFile(path):
			files = append(files, path)
		}
		return nil
	})
	return files
}

// isFile reports whether a link leads to a file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// maxDocument is the most bytes that are read of a document. Real ones have a
// few thousand, and a resolved one at most half a million.
const maxDocument = 16 << 20

var errDocumentTooLarge = fmt.Errorf("too large for a datachain: more than %d MiB", maxDocument>>20)

// read reads a document.
func (p *program) read(d input) ([]byte, error) {
	in := p.stdin
	if d.path != "" {
		f, err := os.Open(d.path)
		if err != nil {
			return nil, errors.New(reason(err))
		}
		defer func() { _ = f.Close() }() // only read
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	switch {
	case err != nil:
		return nil, errors.New(reason(err))
	case len(text) > maxDocument:
		return nil, errDocumentTooLarge
	}
	return text, nil
}

// followed returns where a path leads, through links, one to nothing included:
// what is written there must not take the place of the link.
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

// replace gives a file new content, whole or not at all. An old file keeps its
// mode, and a link stays a link.
func replace(path string, content []byte) (err error) {
	path = followed(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return os.WriteFile(path, content, 0) // a pipe or a device
	}
	temp, err := createTemp(filepath.Dir(path))
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
		err = temp.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = temp.Sync()
	}
	closed := temp.Close()
	if err != nil || closed != nil {
		return errors.Join(err, closed)
	}
	return os.Rename(temp.Name(), path)
}
