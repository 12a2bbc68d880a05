package files

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/datachain-go/datachain/internal/limited"
)

// OpenFile opens a regular file.
func OpenFile(fsys fs.FS, name string) (fs.File, fs.FileInfo, error) {
	f, info, err := limited.Open(fsys, name)
	return f, info, withName(name, err)
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, fs.FileInfo, error) {
	data, info, err := limited.ReadFile(fsys, name, limit)
	if errors.Is(err, limited.ErrTooLarge) {
		return nil, nil, fmt.Errorf("%s: has %d bytes, more than the limit of %d", name, max(info.Size(), limit+1), limit)
	}
	return data, info, withName(name, err)
}

// withName adds the name of a file to an error of package limited.
func withName(name string, err error) error {
	if errors.Is(err, limited.ErrNotRegular) {
		return fmt.Errorf("%s: is not a regular file", name)
	}
	return err
}
