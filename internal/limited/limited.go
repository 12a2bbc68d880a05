// Package limited reads streams and files with a limit on their size.
package limited

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

var (
	// ErrTooLarge is returned for what is larger than a limit.
	ErrTooLarge = errors.New("it is too large")
	// ErrNotRegular is returned for a directory, a pipe or a device.
	ErrNotRegular = errors.New("it is not a regular file")
)

// Read reads a stream of at most limit bytes, and allocates memory for the expected size. If the
// stream is longer, it returns limit+1 bytes and [ErrTooLarge].
func Read(r io.Reader, limit, size int64) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(min(max(0, size), limit)) + bytes.MinRead)
	n, err := data.ReadFrom(io.LimitReader(r, max(limit, limit+1))) // limit+1 can overflow
	if err == nil && n > limit {
		err = ErrTooLarge
	}
	return data.Bytes(), err
}

// Open opens a regular file. It does not open anything else, such as a pipe, on which opening
// could block.
func Open(fsys fs.FS, name string) (fs.File, fs.FileInfo, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, ErrNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	// The file may have been replaced between the two calls.
	if info, err = f.Stat(); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// ReadFile reads a regular file of at most limit bytes. If it is larger, it returns its
// information and [ErrTooLarge].
func ReadFile(fsys fs.FS, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := Open(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() > limit {
		return nil, info, ErrTooLarge
	}
	data, err := Read(f, limit, info.Size()) // it may grow meanwhile
	return data, info, err
}
