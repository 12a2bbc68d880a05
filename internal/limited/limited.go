// Package limited reads streams and files that may be larger than expected, or never end.
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

// Read reads at most limit bytes until the end of a stream, and reserves memory for the size
// that is expected. If there are more, it returns one more byte and [ErrTooLarge].
func Read(r io.Reader, limit, size int64) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(min(max(0, size), limit)) + bytes.MinRead)
	n, err := data.ReadFrom(io.LimitReader(r, max(limit, limit+1))) // the largest limit has no next
	if err == nil && n > limit {
		err = ErrTooLarge
	}
	return data.Bytes(), err
}

// Open opens a regular file. Anything else, such as a pipe that would never end, is not
// even opened.
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
