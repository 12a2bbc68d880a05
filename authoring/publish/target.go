package publish

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// Target is where releases are published. It is a [Directory] or a [Shared] target.
// Package publishtest checks implementations.
//
// All names are relative to the target, as package layout gives them. A method
// returns the error of its context if that has ended, and what a method has
// written is durable when it returns. Open and List are called by several
// goroutines at once, the other methods by one.
//
// A target that does not exclude other publishers detects them: any method may
// return an error that wraps [ErrConflict], and the change is tried again from
// the start. Two publishers must never both succeed in replacing the same
// revision of the index, nor may Remove delete files that another publisher has
// just written, or touched to use them again.
type Target interface {
	// String names the target in errors, for example by its path or URL.
	String() string

	// Index returns the text of the index and its revision. If there is no
	// index yet, text is nil and the revision is empty.
	Index(ctx context.Context) (text []byte, rev Revision, err error)
	// ReplaceIndex replaces the index in one step. If the index does not have
	// the revision, it wraps [ErrConflict] and changes nothing.
	ReplaceIndex(ctx context.Context, text []byte, rev Revision) error

	// List returns the names of all files below a directory, relative to it.
	// A directory that does not exist has none.
	List(ctx context.Context, dir string) ([]string, error)
	// Open opens a file for reading. If there is none, it wraps
	// [fs.ErrNotExist].
	Open(ctx context.Context, name string) (io.ReadCloser, error)
	// Add writes a file directly into the directory of a release, in place of
	// one that is there. The others stay, and readers find the old file or the
	// new one. In a [Directory] the release is stored already.
	Add(ctx context.Context, dir string, f File) error

	// Create creates a file outside the directories of releases, which no
	// other method replaces or removes. If there is one already, it wraps
	// [fs.ErrExist] and changes nothing.
	Create(ctx context.Context, name string, text []byte) error

	// Touch sets the time from which the release in a directory counts as
	// unused to now. It does nothing if the directory does not exist.
	Touch(ctx context.Context, dir string) error
	// Stored lists the releases that the target contains, and what interrupted
	// publishers have left behind. After an error it lists the rest. A target
	// that does not exclude other publishers leaves out what one of them may
	// just be writing.
	Stored(ctx context.Context) ([]Stored, error)
	// Remove removes what Stored has listed; it may be gone already. If it
	// has been written or touched since, Remove wraps [ErrConflict].
	Remove(ctx context.Context, s Stored) error
}

// Directory is a [Target] in which files can be replaced safely: other publishers
// are excluded, or each call is one step. Releases are stored in any [Layout].
type Directory interface {
	Target
	// Write makes a directory contain the given files and no others: that of a
	// release, or one directly below that of a stored release. After an error
	// it may contain only some of the files, and can be written again.
	Write(ctx context.Context, dir string, files []File) error
	// Trim removes files and subdirectories from the directory of a stored
	// release. What does not exist is ignored.
	Trim(ctx context.Context, dir string, names ...string) error
}

// Shared is a [Target] that several publishers use at the same time, such as a
// bucket. Releases are packed, and a pack has its SHA-256 in its name: publishers that
// pack the same release differently do not replace the packs of one another, and each
// pack stays until no index has named it for a while.
type Shared interface {
	Target
	// RemovePacks removes packs of a release that Stored has listed. If the
	// release has been written or touched since, it wraps [ErrConflict].
	RemovePacks(ctx context.Context, s Stored, packs ...taxonomy.Hash) error
}

// Revision identifies the text of an index. Only the target knows its form;
// the empty revision is that of a missing index.
type Revision string

// ErrConflict reports that another publisher has changed the target meanwhile.
var ErrConflict = errors.New("another publisher changed the store")

// File is a file to be written.
type File struct {
	// Name is relative to the directory that is written, slash-separated.
	Name string
	// Write writes the content. It may be called again and writes the same
	// bytes each time. The Writes of different files may run concurrently.
	Write func(w io.Writer) error
}

// Stored is a directory in a target.
type Stored struct {
	Dir string
	// Version and Hash are those of the release. The hash is zero for what an
	// interrupted publisher has left behind.
	Version taxonomy.Version
	Hash    taxonomy.Hash
	// Packs are the packs of the release in a [Shared] target.
	Packs []taxonomy.Hash
	// Since is when the directory was last written or touched.
	Since time.Time
}

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
