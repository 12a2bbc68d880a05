package files

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// tempForm is the form of temporary names: hidden, so that no command reads them, and
// unlike any name that a person would choose.
var tempForm = regexp.MustCompile(`^\.datachain-[A-Z2-7]{26}$`)

func tempName() string { return ".datachain-" + rand.Text() }

// locked is the result of locking a temporary file.
type locked int

const (
	held    locked = iota // until the file is closed or the program ends
	busy                  // another program has locked it
	unknown               // the file system has no locks
)

// errLost is returned if a temporary file was removed before it was locked.
var errLost = errors.New("a temporary file was removed by another program")

// createTemp creates a locked temporary file. Unlike that of os.CreateTemp, its mode
// is that of any new file.
func createTemp(dir string, mode fs.FileMode) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(filepath.Join(dir, tempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		if lock(f) != busy && present(f.Name(), f) {
			return f, nil
		}
		_ = f.Close() // it was swept just now
	}
	return nil, errLost
}

// TempDir creates a temporary directory in another one. It returns its name and a
// function that removes it with its content.
func TempDir(root *os.Root) (name string, remove func() error, err error) {
	for range 100 {
		name := tempName()
		if err := root.Mkdir(name, 0o777); err != nil {
			return "", nil, err
		}
		f, err := root.Open(name)
		if err != nil {
			continue // it was swept just now
		}
		if lock(f) != busy && present(filepath.Join(root.Name(), name), f) {
			return name, func() error {
				err := root.RemoveAll(name)
				_ = f.Close() // only the lock
				return err
			}, nil
		}
		_ = f.Close()
	}
	return "", nil, errLost
}

// abandonedAfter is the age at which a temporary file can't be in use: it lives as
// long as it takes to write a file.
const abandonedAfter = time.Hour

func old(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) > abandonedAfter
}

// present reports whether a file still has its name.
func present(path string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

// Sweep removes temporary files and directories that programs left behind in a
// directory when they crashed. Those of programs that still run are kept; if the file
// system has no locks to tell, so are those of the last hour. Failing to remove one is
// not an error: it is hidden, and the next run tries again.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir) // as far as it can be read
	for _, e := range entries {
		if tempForm.MatchString(e.Name()) && (e.Type().IsRegular() || e.IsDir()) {
			sweep(filepath.Join(dir, e.Name()))
		}
	}
}
