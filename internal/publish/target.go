package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// writer writes releases into a target, as far as they are not there yet.
type writer struct {
	target  Target
	dir     Directory // the target, nil if it is [Shared]
	options Options
	// keepLayout stores each release in the layout that it had at first, which
	// layouts remembers: a pack that is replaced is files for a moment.
	keepLayout bool
	layouts    map[taxonomy.Version]Layout
	comparers  [readers]comparer
	// written are the versions that files were written for, in all attempts.
	written []taxonomy.Version
	// releases are those that were written or found intact.
	releases []*taxonomy.Release
	// bases are the packs that were read to keep some of their sections.
	bases map[taxonomy.Version]*published.Container

	mu          sync.Mutex // for Progress
	done, total int
}

func newWriter(t Target, o *Options) *writer {
	dir, _ := t.(Directory)
	return &writer{
		target: t, dir: dir, options: o.withDefaults(),
		layouts: make(map[taxonomy.Version]Layout), bases: make(map[taxonomy.Version]*published.Container),
	}
}

// checkLayout refuses a layout that does not exist, or that the target does not have.
func (w *writer) checkLayout() error {
	switch l := w.options.Layout; {
	case !slices.Contains(Layouts(), l):
		return fmt.Errorf("unknown Options.Layout %q: use one of %q", l, Layouts())
	case w.dir == nil && l != LayoutPack:
		return fmt.Errorf("the layout %q is only possible in a directory: use %q", l, LayoutPack)
	}
	return nil
}

// work is what has to be done for a release.
type work struct {
	release *taxonomy.Release
	jobs    []part
	// adds are files that are added to a release. In a [Directory] the release
	// is intact without them.
	adds []File
	// pack is the pack of the release, nil in [LayoutFiles].
	pack *packed
	// unpack means that the index names a good pack with other bytes. Before
	// that can be replaced, readers must read the release from files, which
	// the jobs write. So they find a good release at any time.
	unpack bool
}

// write writes what is missing or damaged of releases. Nothing is written before
// all of them have been checked.
func (w *writer) write(ctx context.Context, now *taxonomy.Index, releases []*taxonomy.Release) (*outcome, error) {
	w.releases = releases
	var all []work
	for _, r := range releases {
		todo, err := w.examine(ctx, now, r)
		if err != nil {
			return nil, fmt.Errorf("release %s: %w", r.Version(), err)
		}
		all = append(all, todo)
	}
	unpacked := slices.DeleteFunc(slices.Clone(all), func(todo work) bool { return !todo.unpack })
	if len(unpacked) > 0 {
		all = unpacked
	}
	done := &outcome{packs: make(map[taxonomy.Version]taxonomy.Hash), unfinished: len(unpacked) > 0}
	w.count(all)
	for _, todo := range all {
		if err := w.run(ctx, todo); err != nil {
			return nil, fmt.Errorf("release %s: %w", todo.release.Version(), err)
		}
		var sum taxonomy.Hash
		if todo.pack != nil && !todo.unpack {
			sum = todo.pack.sum
		}
		done.packs[todo.release.Version()] = sum
	}
	return done, nil
}

// run writes what is missing of one release.
func (w *writer) run(ctx context.Context, todo work) error {
	for _, j := range todo.jobs {
		for i := range j.files {
			if !isPack(j.files[i].Name) { // which counts its pieces
				j.files[i].Write = w.counted(j.files[i].Write)
			}
		}
		if err := w.dir.Write(ctx, j.dir, j.files); err != nil {
			return err
		}
	}
	for _, f := range todo.adds {
		if !isPack(f.Name) {
			f.Write = w.counted(f.Write)
		}
		if err := w.target.Add(ctx, published.Dir(todo.release.Version(), todo.release.ContentHash()), f); err != nil {
			return err
		}
		if sum, named := published.ParsePack(f.Name); named && sum != todo.pack.sum {
			return errors.New("a pack was built with different bytes: Options.Icon and Options.SearchIndex must always return the same bytes")
		}
	}
	if v := todo.release.Version(); len(todo.jobs)+len(todo.adds) > 0 && !slices.Contains(w.written, v) {
		w.written = append(w.written, v)
	}
	return nil
}

// trim removes what a release has besides the files of the layout that the index
// says it has.
func (w *writer) trim(ctx context.Context, index *taxonomy.Index) error {
	if w.dir == nil {
		return nil // collect does it, later
	}
	var errs []error
	for _, r := range w.releases {
		e, _ := index.Lookup(r.Version().Ref())
		superfluous := []string{published.Symbols, published.Icons, published.Search}
		if e.Pack.IsZero() {
			superfluous = []string{published.PackFile}
		}
		if err := w.dir.Trim(ctx, published.Dir(r.Version(), r.ContentHash()), superfluous...); err != nil {
			errs = append(errs, fmt.Errorf("release %s: %w", r.Version(), err))
		}
	}
	return errors.Join(errs...)
}

// count counts what is to be written, for Progress.
func (w *writer) count(all []work) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done, w.total = 0, 0
	for _, todo := range all {
		for _, j := range append(slices.Clip(todo.jobs), part{files: todo.adds}) {
			for _, f := range j.files {
				if isPack(f.Name) {
					w.total += todo.pack.steps()
				} else {
					w.total++
				}
			}
		}
	}
}

// isPack reports whether a file is a pack.
func isPack(name string) bool {
	_, named := published.ParsePack(name)
	return named || name == published.PackFile
}

// advance reports to Progress. What was written before the count is not part of
// it: packs are also built to compare them with those that are stored.
func (w *writer) advance(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.options.Progress != nil && w.done < w.total {
		w.done = min(w.done+n, w.total)
		w.options.Progress(w.done, w.total)
	}
}

// counted returns a Write that reports its first success to Progress.
func (w *writer) counted(write func(io.Writer) error) func(io.Writer) error {
	var once sync.Once
	return func(out io.Writer) error {
		err := write(out)
		if err == nil {
			once.Do(func() { w.advance(1) })
		}
		return err
	}
}

// Target is where releases are published. It is a [Directory] or a [Shared] target.
// Package enginetest proves implementations.
//
// All names are relative to the target, as package published gives them. A method
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
	// other method of this interface replaces or removes. If there is one already, it wraps
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

// Files is a [Target] that can also keep files besides releases, such as documents. They
// have names outside the directories of releases, and [Target.Create] creates them, too.
// Create, Read and Delete are called by several goroutines at once.
type Files interface {
	Target
	// Read returns the text of a file and its revision. If there is none, text is
	// nil and the revision is empty.
	Read(ctx context.Context, name string) (text []byte, rev Revision, err error)
	// Replace replaces a file in one step, or creates it if the revision is empty.
	// If the file does not have the revision, it wraps [ErrConflict] and changes
	// nothing.
	Replace(ctx context.Context, name string, text []byte, rev Revision) error
	// Delete deletes a file; it may be gone already. It is called by several
	// goroutines at once.
	Delete(ctx context.Context, name string) error
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
