//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

import (
	"errors"
	"io/fs"
	"os"
)

// lock does nothing: here an open file can't be renamed, or there are no locks.
func lock(*os.File) lockState { return lockUnknown }

// sweep removes a temporary file that is too old to be in use.
func sweep(path string) {
	if isOld(path) {
		_ = os.RemoveAll(path) // the next run tries again
	}
}

// rename gives a temporary file its name.
func rename(temp *os.File, path string) error {
	return errors.Join(temp.Close(), os.Rename(temp.Name(), path))
}

// keepOwner does nothing: a new file gets the owner of the directory, or of the user.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
