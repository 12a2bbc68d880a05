// Package publish publishes releases in a store, deprecates them and retires them. It
// decides what a release consists of, what is refused and what is written in
// which order; a [Target], such as a directory or a bucket, does the writing:
//
//	target, err := dirtarget.Create(ctx, "published")
//	if err != nil { … }
//	defer target.Close()
//	report, err := publish.Publish(ctx, target, publications, nil)
//
// # Consistent at any moment
//
// The archive of a release has its SHA-256 in its name, and is written before the index
// names it. The index is replaced in one step. So whatever happens to a publisher, readers
// find the old state or the new one, and publishing again completes the work. Archives that
// the index no longer names stay for readers that still need them, until [Collect] removes
// them.
//
// Each change of the index makes its sequence one greater, so that readers can tell an
// older index from a newer one. Once the index names a stable version, a file that is
// never replaced binds the version to its content. Other content is refused then,
// whatever the index says: it may be a copy from before the version was published.
//
// # Several publishers
//
// A target either excludes other publishers or detects them. If another
// publisher replaces the index first, the functions of this package read the new
// index, check the change against it and try again, for as long as others make
// progress or until the context ends.
//
// # Experimental
//
// This package may change in a minor version.
package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Options control [Publish] and [Bake]. A nil *Options selects the defaults.
type Options struct {
	// Icon draws the icons to store, one for each variant of each element. By
	// default none are added, and servers draw icons on demand.
	Icon IconFunc
	// Evolutions are what became of the ids of datachain types, which [Publish]
	// writes in place of what was published before: the texts of package history. An empty
	// one withdraws what was published. Other types keep theirs.
	Evolutions map[string][]byte
	// Progress is called with the number of icons drawn and the number to draw. The
	// count starts again if another publisher made it necessary to try again.
	Progress func(done, total int)
	// MaxRelease is the maximum size of an archive in bytes; 0 means 1 GiB, and a negative
	// value no limit.
	MaxRelease int64
}

// IconFunc returns the SVG of an element of a release in one of its variants.
// It must return the same bytes for the same release every time.
type IconFunc func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error)

// Report is what a function of this package has done.
type Report struct {
	// Before is the index that was found, and Index the one that is in place
	// now.
	Before, Index *taxonomy.Index
	// Changed reports whether the two differ.
	Changed bool
	// Written are the versions whose archives were written. Those of the
	// others were there already, intact.
	Written []taxonomy.Version
	// Collected are the archives that [Collect] has removed.
	Collected []string
	// Unused are the archives that the index does not name, and that a later run of
	// [Collect] removes.
	Unused []string
}

// Publish adds publications to a target. They replace those of the same
// versions; all other versions stay, with their aliases. Publishing what is
// there already changes nothing. Either all publications become visible or none:
// after an error, or if the process dies, publish again.
//
// Other content for a stable version, also for one that was retired or that the
// index has lost, wraps [taxonomy.ErrStableChanged]; a version that was retired wraps
// [listing.ErrRetired] unless [listing.Publication.Again] is set; and an alias
// that two versions would have wraps [taxonomy.ErrAliasConflict].
func Publish(ctx context.Context, t Target, pubs []listing.Publication, o *Options) (*Report, error) {
	w := newWriter(t, o)
	releases := make([]*taxonomy.Release, len(pubs))
	for i, pub := range pubs {
		releases[i] = pub.Release
	}
	var evolved *taxonomy.Index
	report, err := change{
		op: "publish",
		plan: func(_, current *taxonomy.Index) (*taxonomy.Index, error) {
			next, err := listing.Add(current, pubs...)
			if err == nil {
				err = distinctTypes(next)
			}
			for typ, text := range w.options.Evolutions {
				if err == nil {
					next = next.WithEvolution(typ, text)
				}
			}
			evolved = next
			return next, err
		},
		write: func(ctx context.Context, current *taxonomy.Index) (map[taxonomy.Version]taxonomy.Hash, error) {
			for typ := range w.options.Evolutions {
				if err := w.evolution(ctx, evolved, typ); err != nil {
					return nil, err
				}
			}
			return w.write(ctx, current, releases)
		},
	}.apply(ctx, t)
	if err != nil {
		return nil, err
	}
	report.Written = w.written
	return report, w.keep(ctx, report.Index)
}

// evolution writes the evolution of a datachain type that an index names, if there is one.
func (w *writer) evolution(ctx context.Context, x *taxonomy.Index, typ string) error {
	h := x.Record().Evolutions[typ]
	if h.IsZero() {
		return nil
	}
	err := w.target.Create(ctx, layout.Evolution(typ, h), x.EvolutionJSON(typ))
	if errors.Is(err, fs.ErrExist) {
		return nil // its name says what it contains
	}
	return err
}

// distinctTypes refuses datachain types that differ only in case, since some file systems
// would put them into the same directory, and those whose directory has another use.
func distinctTypes(index *taxonomy.Index) error {
	types := make(map[string]string)
	for _, e := range index.Entries() {
		typ, folded := e.ID.Type(), strings.ToLower(e.ID.Type())
		if folded == "documents" || folded == "log" {
			return fmt.Errorf("%s can't be a datachain type: the directories documents and log are for what a store has besides releases", typ)
		}
		if other, taken := types[folded]; taken && other != typ {
			return fmt.Errorf("the datachain types %s and %s differ only in case; a store can contain one of them", other, typ)
		}
		types[folded] = typ
	}
	return nil
}

// Bake adds the icons that o.Icon draws to releases that were published without them, and
// replaces archives that are damaged. Apart from the archives, what the index lists does not
// change. A release that is not listed wraps [taxonomy.ErrNotFound].
func Bake(ctx context.Context, t Target, releases []*taxonomy.Release, o *Options) (*Report, error) {
	w := newWriter(t, o)
	report, err := change{
		op: "bake",
		plan: func(_, current *taxonomy.Index) (*taxonomy.Index, error) {
			if w.options.Icon == nil {
				return nil, errors.New("Options.Icon is nil")
			}
			for _, r := range releases {
				e, listed := current.Lookup(r.Version().Ref())
				switch {
				case !listed:
					return listing.Remove(current, taxonomy.RetiredVersion{ID: r.Version()}) // fails, and names similar versions
				case e.ContentHash != r.ContentHash():
					return nil, fmt.Errorf("release %s: the index lists other content, %s instead of %s: read the release again",
						e.ID, e.ContentHash, r.ContentHash())
				}
			}
			return current, nil
		},
		write: func(ctx context.Context, current *taxonomy.Index) (map[taxonomy.Version]taxonomy.Hash, error) {
			return w.write(ctx, current, releases)
		},
	}.apply(ctx, t)
	if err != nil {
		return nil, err
	}
	report.Written = w.written
	return report, w.keep(ctx, report.Index)
}

// Retire removes versions from those that the index publishes, and lists them as
// retired, with what is said about them; the day is today unless it is set. Their archives
// stay until [Collect] removes them, and what ids returns of each, if anything, forever, in the file
// [layout.IDs], which the index names; ids may be nil. A version that is not listed wraps
// [taxonomy.ErrNotFound], and nothing changes.
func Retire(ctx context.Context, t Target, ids func(context.Context, taxonomy.Entry) ([]byte, error), versions ...taxonomy.RetiredVersion) (*Report, error) {
	versions = slices.Clone(versions)
	var files map[string][]byte // files by name
	for i := range versions {
		versions[i].At = cmp.Or(versions[i].At, time.Now().UTC().Format(time.DateOnly))
	}
	return change{
		op: "retire",
		plan: func(before, current *taxonomy.Index) (*taxonomy.Index, error) {
			if before != current {
				// After a conflict a version may have been retired already,
				// by another publisher or by the first attempt.
				versions = slices.DeleteFunc(versions, func(r taxonomy.RetiredVersion) bool {
					_, listed := current.Lookup(r.ID.Ref())
					return !listed
				})
			}
			files = make(map[string][]byte)
			for i := range versions {
				e, listed := current.Lookup(versions[i].ID.Ref())
				if ids == nil || !listed {
					continue
				}
				text, err := ids(ctx, e)
				if err != nil {
					return nil, err
				}
				if versions[i].IDs = (taxonomy.Hash{}); text != nil {
					versions[i].IDs = sha256.Sum256(text)
					files[layout.IDs(e.ID.Type(), versions[i].IDs)] = text
				}
			}
			return listing.Remove(current, versions...)
		},
		write: func(ctx context.Context, _ *taxonomy.Index) (map[taxonomy.Version]taxonomy.Hash, error) {
			for name, text := range files {
				if err := t.Create(ctx, name, text); err != nil && !errors.Is(err, fs.ErrExist) { // its name says what it contains
					return nil, err
				}
			}
			return nil, nil
		},
	}.apply(ctx, t)
}

// Deprecate sets the state of a published version; the zero [taxonomy.State] takes a
// deprecation back. A version that is not listed wraps [taxonomy.ErrNotFound].
func Deprecate(ctx context.Context, t Target, v taxonomy.Version, s taxonomy.State) (*Report, error) {
	return change{
		op:   "deprecate",
		plan: func(_, current *taxonomy.Index) (*taxonomy.Index, error) { return listing.SetState(current, v, s) },
	}.apply(ctx, t)
}
