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

// tempPattern matches temporary names. They are hidden, so that no command reads the files,
// and unlike any name that a person would choose.
var tempPattern = regexp.MustCompile(`^\.datachain-[A-Z2-7]{26}$`)

// TempName returns a new name for a temporary file, which [Sweep] recognizes.
func TempName() string { return ".datachain-" + rand.Text() }

// lockState is the result of locking a temporary file.
type lockState int

const (
	lockHeld    lockState = iota // until the file is closed or the program ends
	lockBusy                     // another program has locked it
	lockUnknown                  // the file system has no locks
)

// errLost is returned if a temporary file was removed before it was locked.
var errLost = errors.New("a temporary file was removed by another program")

// createTemp creates a locked temporary file. Unlike with os.CreateTemp, its mode is the
// given one, less the umask.
func createTemp(dir string, mode fs.FileMode) (*os.File, error) {
	for range 100 {
		f, err := os.OpenFile(filepath.Join(dir, TempName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		if lock(f) != lockBusy && isPresent(f.Name(), f) {
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
		name := TempName()
		if err := root.Mkdir(name, 0o777); err != nil {
			return "", nil, err
		}
		f, err := root.Open(name)
		if err != nil {
			continue // it was swept just now
		}
		if lock(f) != lockBusy && isPresent(filepath.Join(root.Name(), name), f) {
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

// abandonedAfter is the age after which a temporary file can't be in use: writing it takes
// less.
const abandonedAfter = time.Hour

func isOld(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) > abandonedAfter
}

// isPresent reports whether a file still has its name.
func isPresent(path string, f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

// Sweep removes temporary files and directories that crashed programs have left in a
// directory. It keeps those of running programs, and if the file system has no locks, those
// of the last hour. Failing to remove one is not an error: it is hidden, and the next run
// tries again.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir) // what can be read
	for _, e := range entries {
		if tempPattern.MatchString(e.Name()) && (e.Type().IsRegular() || e.IsDir()) {
			sweep(filepath.Join(dir, e.Name()))
		}
	}
}
