// Package publish puts releases into a store and takes them out of it again. It
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
// The files of a release lie under its content hash and are written before the
// index names them. The index is replaced in one step. So whatever happens to a
// publisher, readers find the old state or the new one, and publishing again
// completes the work. Files that the index no longer names are kept for a while
// for readers that still need them; a later call removes them (see
// [Options.KeepFor]).
//
// Each change of the index makes its sequence one greater, so that readers can tell an
// older index from a newer one. Once the index names a stable version, a file that is
// never replaced binds the version to its content. Other content is refused then,
// whatever the index says: it may be a copy from before the version was published.
//
// # Layouts
//
// A release is stored as a pack or as separate files (see [Layout]); its index
// entry says which. Publishing it again can change the layout, or what a pack
// contains. Then the new files are written beside those that the index names. In a
// [Directory] a pack has a fixed name, so before it is replaced, the index is made to
// name the release as files for a moment. In a [Shared] target a pack has its SHA-256
// in its name, and the other one is removed later.
//
// # Several publishers
//
// A target either excludes other publishers or detects them. If another
// publisher replaces the index first, the functions of this package read the new
// index, check the change against it and try again, for as long as others make
// progress or until the context ends.
package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options control [Publish] and [Bake]. A nil *Options selects the defaults.
type Options struct {
	// Layout is how [Publish] stores releases, by default [LayoutPack], the only
	// one in a [Shared] target. Those that are stored in the other layout are
	// converted. [Bake] ignores it, and keeps the layout of each release.
	Layout Layout
	// Icon draws the icons to store, one for each variant of each element. By
	// default none are added, and servers draw icons on demand. Icon is called
	// by several goroutines at once, and may be called twice for an icon.
	Icon IconFunc
	// SearchIndex builds the search indexes to store, one for each locale. By
	// default none are added, and servers build them on demand. SearchIndex is
	// called by several goroutines at once.
	SearchIndex IndexFunc
	// Evolutions are what became of the ids of datachain types, which [Publish]
	// writes in place of what was published before. Other types keep theirs.
	Evolutions map[string]*taxonomy.Evolution
	// Progress is called with the number of files and packed icons done and
	// the number to do. Calls do not overlap. The count starts again if another
	// publisher made it necessary to try again.
	Progress func(done, total int)
	// KeepFor is how long files that the index no longer names are kept for
	// readers that still use them. The default is 24 hours; a negative value
	// removes them at once, unless the target keeps them for longer.
	KeepFor time.Duration
}

// Layout is how the files of a release are stored.
type Layout string

const (
	// LayoutPack stores a release as two files, release.json and release.pack.
	// The pack holds each distinct icon once.
	LayoutPack Layout = "pack"
	// LayoutFiles stores symbols, icons and search indexes in files of their
	// own, for programs and static hosts that use them by name.
	LayoutFiles Layout = "files"
)

// Layouts returns all layouts.
func Layouts() []Layout { return []Layout{LayoutPack, LayoutFiles} }

// IconFunc returns the SVG of an element of a release in one of its variants.
// It must return the same bytes for the same release every time.
type IconFunc func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error)

// IndexFunc returns the serialized search index of a release in a locale. It
// must return the same bytes for the same release every time.
type IndexFunc func(r *taxonomy.Release, locale string) ([]byte, error)

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.KeepFor = cmp.Or(d.KeepFor, 24*time.Hour)
	d.Layout = cmp.Or(d.Layout, LayoutPack)
	return d
}

// Report is what a function of this package has done.
type Report struct {
	// Before is the index that was found, and Index the one that is in place
	// now.
	Before, Index *taxonomy.Index
	// Changed reports whether the two differ.
	Changed bool
	// Written are the versions for which files were written. All files of the
	// others were there already, intact.
	Written []taxonomy.Version
	// Collected are the directories and packs that were no longer used and have
	// been removed.
	Collected []string
	// Uncollected is why files that are no longer used could not be removed.
	// What was asked for is complete nevertheless, and the next call tries
	// again.
	Uncollected error
}

// Publish adds publications to a target. They replace those of the same
// versions; all other versions stay, with their aliases. Publishing what is
// there already changes nothing. Either all publications become visible or none:
// after an error, or if the process dies, publish again.
//
// Other content for a stable version, also for one that was retired or that the
// index has lost, wraps [taxonomy.ErrStableChanged]; a version that was retired wraps
// [taxonomy.ErrRetired] unless [taxonomy.Publication.Again] is set; and an alias
// that two versions would have wraps [taxonomy.ErrAliasConflict].
func Publish(ctx context.Context, t Target, pubs []taxonomy.Publication, o *Options) (*Report, error) {
	w := newWriter(t, o)
	var evolved *taxonomy.Index
	report, err := change{
		op: "publish",
		plan: func(_, now *taxonomy.Index) (*taxonomy.Index, error) {
			if err := w.checkLayout(); err != nil {
				return nil, err
			}
			next, err := now.With(pubs...)
			if err == nil {
				err = distinctTypes(next)
			}
			for typ, e := range w.options.Evolutions {
				if err == nil {
					next, err = next.WithEvolution(typ, e)
				}
			}
			evolved = next
			return next, err
		},
		write: func(ctx context.Context, now *taxonomy.Index) (*outcome, error) {
			for typ := range w.options.Evolutions {
				if err := w.evolution(ctx, evolved, typ); err != nil {
					return nil, err
				}
			}
			releases := make([]*taxonomy.Release, len(pubs))
			for i, pub := range pubs {
				releases[i] = pub.Release
			}
			return w.write(ctx, now, releases)
		},
		leaves: func(v taxonomy.Version) (int64, error) {
			for _, pub := range pubs {
				if pub.Release.Version() == v {
					return pub.Release.Leaves(), nil
				}
			}
			return 0, errors.New("it is not among what is published")
		},
	}.apply(ctx, t)
	if err != nil {
		return nil, err
	}
	report.Written = w.written
	trimmed := w.trim(ctx, report.Index)
	report.Collected, report.Uncollected = collect(ctx, t, report.Index, w.options.KeepFor, false)
	report.Uncollected = errors.Join(trimmed, report.Uncollected)
	return report, nil
}

// evolution writes the evolution of a datachain type that an index names, if there is one.
func (w *writer) evolution(ctx context.Context, x *taxonomy.Index, typ string) error {
	h := x.Record().Evolutions[typ]
	if h.IsZero() {
		return nil
	}
	err := w.target.Create(ctx, published.Evolution(typ, h), x.EvolutionJSON(typ))
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

// Bake adds the icons that o.Icon draws, and the search indexes that
// o.SearchIndex builds, to releases that were published without them, and
// replaces those that are damaged. Each release keeps its layout, and what the
// index lists does not change. A release that is not listed wraps
// [taxonomy.ErrNotFound].
func Bake(ctx context.Context, t Target, releases []*taxonomy.Release, o *Options) (*Report, error) {
	w := newWriter(t, o)
	w.keepLayout = true
	report, err := change{
		op: "bake",
		plan: func(_, now *taxonomy.Index) (*taxonomy.Index, error) {
			if w.options.Icon == nil && w.options.SearchIndex == nil {
				return nil, errors.New("Options.Icon and Options.SearchIndex are nil: set at least one of them")
			}
			for _, r := range releases {
				e, listed := now.Lookup(r.Version().Ref())
				switch {
				case !listed:
					return now.Without(taxonomy.Retired{ID: r.Version()}) // fails, and names similar versions
				case e.ContentHash != r.ContentHash():
					return nil, fmt.Errorf("release %s: the index lists other content, %s instead of %s: read the release again",
						e.ID, e.ContentHash, r.ContentHash())
				}
			}
			return now, nil
		},
		write: func(ctx context.Context, now *taxonomy.Index) (*outcome, error) { return w.write(ctx, now, releases) },
	}.apply(ctx, t)
	if err != nil {
		return nil, err
	}
	report.Written = w.written
	report.Uncollected = w.trim(ctx, report.Index)
	return report, nil
}

// Retire removes versions from those that the index publishes, and lists them as
// retired, with what is said about them; the day is today unless it is set. Their files
// stay until [Collect] removes them, and what ids returns of each, if anything, for ever, in the file
// [published.IDs], which the index names; ids may be nil. A version that is not listed wraps
// [taxonomy.ErrNotFound], and nothing changes.
func Retire(ctx context.Context, t Target, ids func(context.Context, taxonomy.Entry) ([]byte, error), versions ...taxonomy.Retired) (*Report, error) {
	versions = slices.Clone(versions)
	var kept map[string][]byte // files by name
	for i := range versions {
		versions[i].At = cmp.Or(versions[i].At, time.Now().UTC().Format(time.DateOnly))
	}
	return change{
		op: "retire",
		plan: func(before, now *taxonomy.Index) (*taxonomy.Index, error) {
			if before != now {
				// After a conflict a version may have been retired already,
				// by another publisher or by the first attempt.
				versions = slices.DeleteFunc(versions, func(r taxonomy.Retired) bool {
					_, listed := now.Lookup(r.ID.Ref())
					return !listed
				})
			}
			kept = make(map[string][]byte)
			for i := range versions {
				e, listed := now.Lookup(versions[i].ID.Ref())
				if ids == nil || !listed {
					continue
				}
				text, err := ids(ctx, e)
				if err != nil {
					return nil, err
				}
				if versions[i].IDs = (taxonomy.Hash{}); text != nil {
					versions[i].IDs = sha256.Sum256(text)
					kept[published.IDs(e.ID.Type(), versions[i].IDs)] = text
				}
			}
			return now.Without(versions...)
		},
		write: func(ctx context.Context, _ *taxonomy.Index) (*outcome, error) {
			for name, text := range kept {
				if err := t.Create(ctx, name, text); err != nil && !errors.Is(err, fs.ErrExist) { // its name says what it contains
					return nil, err
				}
			}
			return new(outcome), nil
		},
	}.apply(ctx, t)
}

// Deprecate sets the state of a published version; the zero [taxonomy.State] takes a
// deprecation back. A version that is not listed wraps [taxonomy.ErrNotFound].
func Deprecate(ctx context.Context, t Target, v taxonomy.Version, s taxonomy.State) (*Report, error) {
	return change{
		op:   "deprecate",
		plan: func(_, now *taxonomy.Index) (*taxonomy.Index, error) { return now.WithState(v, s) },
	}.apply(ctx, t)
}

// part is a directory of a release that is written as a whole.
type part struct {
	dir   string
	files []File
}

// releaseJSON returns the file that holds a release without its symbols.
func releaseJSON(r *taxonomy.Release) File {
	return File{published.ReleaseFile, func(w io.Writer) error {
		_, err := r.WriteTo(w)
		return err
	}}
}

// symbols returns the files of symbols.
func symbols(r *taxonomy.Release) part {
	p := part{dir: published.Symbols}
	for _, id := range r.SymbolIDs() {
		p.files = append(p.files, File{published.Symbol(id), func(w io.Writer) error {
			svg, _ := r.Symbol(id)
			_, err := io.WriteString(w, svg)
			return err
		}})
	}
	return p
}

// content returns the files that the content hash covers, in [LayoutFiles].
func content(r *taxonomy.Release) []File {
	files := []File{releaseJSON(r)}
	for _, f := range symbols(r).files {
		files = append(files, File{path.Join(published.Symbols, f.Name), f.Write})
	}
	return files
}

// derived returns the files that follow from the content, by subdirectory.
func derived(r *taxonomy.Release, o *Options) []part {
	icons, search := part{dir: published.Icons}, part{dir: published.Search}
	if o.Icon != nil {
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				icons.files = append(icons.files, File{published.Icon(e.ID, variant), func(w io.Writer) error {
					svg, err := o.Icon(r, e, variant)
					if err != nil {
						return fmt.Errorf("icon of %s as %s: %w", e.ID, variant, err)
					}
					_, err = w.Write(svg)
					return err
				}})
			}
		}
	}
	if o.SearchIndex != nil {
		for _, locale := range searchLocales(r) {
			name, _ := published.SearchIndex(locale)
			search.files = append(search.files, File{name, func(w io.Writer) error {
				data, err := o.SearchIndex(r, locale)
				if err != nil {
					return fmt.Errorf("search index for %s: %w", locale, err)
				}
				_, err = w.Write(data)
				return err
			}})
		}
	}
	return []part{icons, search}
}
