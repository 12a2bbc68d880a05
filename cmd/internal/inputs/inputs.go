// Package inputs lists, reads and replaces the documents that a command line names.
package inputs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/wording"
)

// Input is a document that the user named: a file, or standard input.
type Input struct {
	// Name is the name to print.
	Name string
	// Path is the file, or "" for standard input.
	Path string
	// Dir is the directory that was named, or "" if the file itself was.
	Dir string
}

// Named returns the document that was typed in a working directory; "-" is standard input.
func Named(dir, typed string) Input {
	if typed == "-" {
		return Input{Name: "stdin"}
	}
	return Input{Name: typed, Path: files.Absolute(dir, typed)}
}

// Below lists the .json files below a directory in order. Hidden ones, node_modules and stores are
// skipped. A directory that can't be listed is listed itself, and so is a link that leads
// nowhere: reading it returns the error.
func Below(dir string) []string {
	var list []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			list = append(list, path)
			return nil //nolint:nilerr // reading the directory returns it
		}
		switch name := d.Name(); {
		case path == dir:
		case d.IsDir() && (strings.HasPrefix(name, ".") || name == "node_modules" || sources.IsStore(path)):
			return fs.SkipDir
		case strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".json"):
		case !d.IsDir() && !isLinkedDir(path, d):
			list = append(list, path)
		}
		return nil
	})
	return list
}

// isLinkedDir reports whether an entry is a link to a directory.
func isLinkedDir(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// MaxSize is the size limit of a document. Real ones have a few thousand bytes, and a resolved
// one at most half a million.
const MaxSize = 16 << 20

// Read reads the document. The snapshot of standard input has no file.
func (d Input) Read(stdin io.Reader) (*files.Snapshot, error) {
	s := &files.Snapshot{Path: d.Path}
	in := stdin
	if d.Dir != "" { // no file was chosen
		if err := checkListed(d.Path); err != nil {
			return nil, err
		}
	}
	if d.Path != "" {
		f, err := os.Open(d.Path)
		if err != nil {
			return nil, errors.New(wording.Reason(err))
		}
		defer func() { _ = f.Close() }() // only read
		if s.Info, err = f.Stat(); err != nil {
			return nil, errors.New(wording.Reason(err))
		}
		if s.Info.IsDir() {
			return nil, errors.New("is a directory: name a file")
		}
		in = f
	}
	var err error
	s.Text, err = limited.Read(in, MaxSize, 0)
	switch {
	case errors.Is(err, limited.ErrTooLarge):
		return nil, fmt.Errorf("too large for a datachain document: more than %d MiB", MaxSize>>20)
	case err != nil:
		return nil, errors.New(wording.Reason(err))
	}
	return s, nil
}

// checkListed returns an error if a file of a directory is a link to nothing, or can't be read to
// its end, such as a pipe. A file that was typed may be one, such as that of a process
// substitution.
func checkListed(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("a link to a file that does not exist")
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return errors.New("not a regular file")
	}
	return nil
}

// ReplaceOptions say which files may be replaced.
type ReplaceOptions struct {
	// Force allows read-only files.
	Force bool
	// FollowLinks allows files outside a directory that links in it lead to.
	FollowLinks bool
}

// Replace replaces the document that was read. The error says what to do.
func (d Input) Replace(read *files.Snapshot, text []byte, o *ReplaceOptions) error {
	if d.Dir != "" && !o.FollowLinks {
		dir, dirErr := filepath.EvalSymlinks(d.Dir)
		file, fileErr := filepath.EvalSymlinks(d.Path)
		if within, err := filepath.Rel(dir, file); dirErr != nil || fileErr != nil || err != nil || !filepath.IsLocal(within) {
			return errors.New("not written, because it is a link to a file outside the directory: name the file, or use --follow-links")
		}
	}
	err := read.Replace(text, o.Force)
	advice := ""
	switch {
	case err == nil:
		return nil
	case errors.Is(err, files.ErrChanged):
		return errors.New("not written, because the file was changed while it was validated: run the command again")
	case errors.Is(err, files.ErrReadOnly):
		advice = ": make it writable, or use --force"
	case errors.Is(err, files.ErrOwner):
		advice = ": run the command as the owner of the file"
	}
	return fmt.Errorf("can't write the file: %s%s", wording.Reason(err), advice)
}
