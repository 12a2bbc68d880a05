package fsstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// PublishOptions say how [Publish] writes. A nil *PublishOptions is the
// defaults.
type PublishOptions struct {
	// Icon draws the pre-baked icons: one for each variant of each element.
	// It is called by several goroutines at once. By default none are
	// written, and whoever serves the store draws them on demand.
	Icon IconFunc
	// SearchIndex makes the search indexes: one for each locale. By default
	// none are written, and whoever serves the store makes them when needed.
	SearchIndex IndexFunc
	// Progress is told after each file how many files of how many are
	// written. Calls come one at a time.
	Progress func(done, total int)
	// KeepFor is how long files that are no longer needed stay, for readers
	// that have begun to read them; by default 24 hours, and not at all if
	// it is negative.
	KeepFor time.Duration
}

// IconFunc returns the SVG of an element of a release in one of its variants.
// It must return the same bytes for the same release every time.
type IconFunc func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error)

// IndexFunc returns the serialised search index of a release in a locale. It
// must return the same bytes for the same release every time.
type IndexFunc func(r *taxonomy.Release, locale string) ([]byte, error)

func (o *PublishOptions) withDefaults() PublishOptions {
	var d PublishOptions
	if o != nil {
		d = *o
	}
	d.KeepFor = cmp.Or(d.KeepFor, 24*time.Hour)
	return d
}

// Report is what [Publish] has done.
type Report struct {
	// Index is the index as it stands now.
	Index *taxonomy.Index
	// Changed reports whether the index differs from the one before.
	Changed bool
	// Written are the versions that files were written for. The others were
	// there already, whole.
	Written []taxonomy.Version
	// Collected are folders that were no longer needed and are gone.
	Collected []string
	// Uncollected is why some could not be removed. The publication stands
	// all the same, and the next one tries again.
	Uncollected error
}

// Publish adds publications to the store in a folder, which it makes if need
// be, and replaces those of the same versions; all other versions stay, with
// their aliases. Publishing what is there already changes nothing. It does all
// or nothing: after an error, or if the process dies, readers find the old
// state or the new one, and publishing again is all there is to do.
//
// Other content for a stable version wraps [taxonomy.ErrStableChanged], and an
// alias that two versions would claim [taxonomy.ErrAliasConflict]; in both
// cases nothing has been written. Publishers wait for one another until ctx
// ends.
//
// Files of a beta that is replaced, and what a publisher that died has left
// behind, are removed by a later call; see [PublishOptions.KeepFor].
func Publish(ctx context.Context, dir string, pubs []taxonomy.Publication, o *PublishOptions) (*Report, error) {
	p, err := begin(ctx, dir, true, newRootDisk)
	if err != nil {
		return nil, err
	}
	defer p.end()
	report, err := p.publish(ctx, pubs, o.withDefaults())
	return report, p.explain(err)
}

// Bake draws the icons of versions of the store in a folder with o.Icon, those
// of all versions where none is named, and returns the versions whose icons
// were missing or not as they should be, and now are. The index stays as it is,
// and so does what releases say. A version that is not listed wraps
// [taxonomy.ErrNotFound].
func Bake(ctx context.Context, dir string, versions []taxonomy.Version, o *PublishOptions) ([]taxonomy.Version, error) {
	p, err := begin(ctx, dir, false, newRootDisk)
	if err != nil {
		return nil, err
	}
	defer p.end()
	baked, err := p.bake(ctx, versions, o.withDefaults())
	return baked, p.explain(err)
}

// Retire takes versions out of the index. Their files stay until [Collect]
// removes them. A version that is not listed wraps [taxonomy.ErrNotFound], and
// nothing is changed.
func Retire(ctx context.Context, dir string, versions ...taxonomy.Version) error {
	p, err := begin(ctx, dir, false, newRootDisk)
	if err != nil {
		return err
	}
	defer p.end()
	return p.explain(p.retire(ctx, versions))
}

// Collect removes the files of all that the index does not list, retired
// versions too, if they have not been needed for at least keepFor, and returns
// the folders that are gone.
func Collect(ctx context.Context, dir string, keepFor time.Duration) ([]string, error) {
	p, err := begin(ctx, dir, false, newRootDisk)
	if err != nil {
		return nil, err
	}
	defer p.end()
	removed, err := p.collect(p.index, time.Now().Add(-keepFor), true)
	return removed, p.explain(err)
}

func (p *publisher) publish(ctx context.Context, pubs []taxonomy.Publication, o PublishOptions) (*Report, error) {
	index, err := p.index.With(pubs...)
	if err != nil {
		return nil, err
	}
	if err := distinctTypes(index); err != nil {
		return nil, err
	}
	report := &Report{Index: index}
	w := &writer{publisher: p, options: o}
	for _, pub := range pubs {
		if err := w.plan(ctx, pub.Release); err != nil {
			return nil, err
		}
	}
	if report.Written, err = w.run(ctx); err != nil {
		return nil, err
	}
	if report.Changed, err = p.replaceIndex(ctx, index); err != nil {
		return nil, err
	}
	report.Collected, report.Uncollected = p.collect(index, time.Now().Add(-o.KeepFor), false)
	return report, nil
}

func (p *publisher) bake(ctx context.Context, versions []taxonomy.Version, o PublishOptions) ([]taxonomy.Version, error) {
	if o.Icon == nil {
		return nil, errors.New("PublishOptions.Icon is missing: it draws the icons")
	}
	// Whatever is not listed is named before anything is read.
	if _, err := p.index.Without(versions...); err != nil {
		return nil, err
	}
	w := &writer{publisher: p, options: o}
	for _, e := range p.index.Entries() {
		if len(versions) > 0 && !slices.Contains(versions, e.ID) {
			continue
		}
		r, err := readRelease(p.fsys, e, new((*Options)(nil).withDefaults()))
		if err == nil {
			err = w.plan(ctx, r)
		}
		if err != nil {
			return nil, fmt.Errorf("release %s: %w", e.ID, err)
		}
	}
	return w.run(ctx)
}

func (p *publisher) retire(ctx context.Context, versions []taxonomy.Version) error {
	index, err := p.index.Without(versions...)
	if err != nil {
		return err
	}
	_, err = p.replaceIndex(ctx, index)
	return err
}
