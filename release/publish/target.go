package publish

import (
	"context"
	"errors"
	"io"
)

// Target is where releases, documents and the log are published: a directory or a bucket.
// Package targettest proves implementations.
//
// All names are relative to the target, as package layout gives them. A method
// returns the error of its context if that has ended, and what a method has
// written is durable when it returns. Methods are called by several goroutines at once.
//
// A target that does not exclude other publishers detects them: any method may
// return an error that wraps [ErrConflict], and the change is tried again from
// the start. Two publishers must never both succeed in replacing the same
// revision of a file.
type Target interface {
	// String names the target in errors, for example by its path or URL.
	String() string

	// Read returns the text of a small file, such as an index, and its revision. If there
	// is none, text is nil and the revision is empty.
	Read(ctx context.Context, name string) (text []byte, rev Revision, err error)
	// Replace replaces a file in one step, or creates it if the revision is empty.
	// If the file does not have the revision, it wraps [ErrConflict] and changes
	// nothing.
	Replace(ctx context.Context, name string, text []byte, rev Revision) error
	// Create creates a file. If there is one already, it wraps [fs.ErrExist] and changes
	// nothing.
	Create(ctx context.Context, name string, text []byte) error
	// Put creates a file, or replaces it in one step. It is for files whose name says what
	// they contain, and so only ever replaces a damaged one.
	Put(ctx context.Context, name string, data []byte) error

	// Open opens a file for reading. If there is none, it wraps
	// [fs.ErrNotExist].
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// List returns the names of all files below a directory, relative to it; "." is the
	// whole target. A directory that does not exist has none, and files whose names begin
	// with a period are not listed.
	List(ctx context.Context, dir string) ([]string, error)
	// Delete deletes a file, which may not exist any more.
	Delete(ctx context.Context, name string) error
}

// Revision identifies the text of a file. Only the target knows its form;
// the empty revision is that of a missing file.
type Revision string

// ErrConflict reports that another publisher has changed the target meanwhile.
var ErrConflict = errors.New("another publisher changed the store")

// Error is the error that the functions of this package return, and that
// targets return from their constructors.
type Error struct {
	// Op is what failed: "publish", "retire", "bake", "collect" or "open".
	Op string
	// Target is the name of the target.
	Target string
	Err    error
}

// Error returns the operation, the target and the cause.
func (e *Error) Error() string { return e.Op + " " + e.Target + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
