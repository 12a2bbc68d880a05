package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/datachain-go/datachain/internal/wording"
)

// Vacant returns an error if a directory exists and is not empty. The error ends with what can be done
// besides naming another one.
func Vacant(dir, instead string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errors.New(wording.Reason(err))
	case len(entries) > 0:
		return errors.New("the directory is not empty: name another one" + instead)
	}
	return nil
}

// Fill fills a vacant directory. If that fails, what was written is removed. A
// directory that exists is not replaced: it may be a mounted volume or a working
// directory.
func Fill(dir string, write func(dir string) error) error {
	dir = ResolveLinks(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return errors.New(wording.Reason(err))
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
