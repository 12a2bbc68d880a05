package publish

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/taxonomy"
)

// defaultMaxRelease is the limit that readers have by default, too.
const defaultMaxRelease = 1 << 30

// writer writes the archives of releases into a target, as far as they are not there yet.
type writer struct {
	target  Target
	options Options
	// written are the versions that archives were written for, in all attempts.
	written []taxonomy.Version
	// reused are the archives that were there already, by the release that they are of.
	reused map[*taxonomy.Release]taxonomy.Hash
}

func newWriter(t Target, o *Options) *writer {
	w := &writer{target: t}
	if o != nil {
		w.options = *o
	}
	w.options.MaxRelease = cmp.Or(w.options.MaxRelease, defaultMaxRelease)
	return w
}

// write writes what is missing or damaged, and returns the archives of the releases.
func (w *writer) write(ctx context.Context, current *taxonomy.Index, releases []*taxonomy.Release) (map[taxonomy.Version]taxonomy.Hash, error) {
	archives := make(map[taxonomy.Version]taxonomy.Hash)
	w.reused = make(map[*taxonomy.Release]taxonomy.Hash)
	progress := w.progress(releases)
	for _, r := range releases {
		sum, err := w.release(ctx, current, r, progress)
		if err != nil {
			return nil, fmt.Errorf("release %s: %w", r.Version(), err)
		}
		archives[r.Version()] = sum
	}
	return archives, nil
}

// progress returns what counts the icons of releases, one at each call.
func (w *writer) progress(releases []*taxonomy.Release) func() {
	if w.options.Progress == nil || w.options.Icon == nil {
		return func() {}
	}
	done, total := 0, 0
	for _, r := range releases {
		for _, e := range r.Elements() {
			total += len(e.IconVariants)
		}
	}
	return func() {
		done++
		w.options.Progress(done, total)
	}
}

// release writes the archive of a release, if necessary. Without icons to add, the archive
// that the index names stays, with or without icons.
func (w *writer) release(ctx context.Context, current *taxonomy.Index, r *taxonomy.Release, progress func()) (taxonomy.Hash, error) {
	entry := taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash()}
	if e, listed := current.Lookup(entry.ID.Ref()); w.options.Icon == nil && listed && e.ContentHash == entry.ContentHash {
		if intact, err := w.isIntact(ctx, e); err != nil || intact {
			w.reused[r] = e.Archive
			return e.Archive, err
		}
	}
	data, err := w.build(r, progress)
	if err != nil {
		return entry.Archive, err
	}
	entry.Archive = sha256.Sum256(data)
	switch intact, err := w.isIntact(ctx, entry); {
	case err != nil:
		return entry.Archive, err
	case intact:
		w.reused[r] = entry.Archive
		return entry.Archive, nil
	}
	if !slices.Contains(w.written, entry.ID) {
		w.written = append(w.written, entry.ID)
	}
	return entry.Archive, w.target.Put(ctx, layout.ArchiveFile(entry), data)
}

// build returns the archive of a release.
func (w *writer) build(r *taxonomy.Release, progress func()) ([]byte, error) {
	var draw func(e *taxonomy.Element, variant string) ([]byte, error)
	if w.options.Icon != nil {
		draw = func(e *taxonomy.Element, variant string) ([]byte, error) {
			progress()
			return w.options.Icon(r, e, variant)
		}
	}
	var archive bytes.Buffer
	err := reader.WriteArchive(&archive, r, draw)
	if errors.Is(err, reader.ErrTooManyMembers) && draw != nil {
		err = fmt.Errorf("%w: publish without icons (--no-icons), which servers then draw on demand", err)
	}
	if size := int64(archive.Len()); err == nil && w.options.MaxRelease > 0 && size > w.options.MaxRelease {
		err = fmt.Errorf("its archive would have %d bytes, more than the limit of %d: publish without icons (--no-icons), or make the taxonomy smaller", size, w.options.MaxRelease)
	}
	return archive.Bytes(), err
}

// isIntact reports whether the archive of an entry is stored without damage.
func (w *writer) isIntact(ctx context.Context, e taxonomy.Entry) (bool, error) {
	stored, err := w.target.Open(ctx, layout.ArchiveFile(e))
	if err != nil {
		return false, ctx.Err() // what can't be read is written again
	}
	defer func() { _ = stored.Close() }() // it was only read
	sum := sha256.New()
	if _, err := io.Copy(sum, stored); err != nil {
		return false, ctx.Err()
	}
	return taxonomy.Hash(sum.Sum(nil)) == e.Archive, nil
}

// keep makes sure that archives that were there before the index named them are still there:
// another publisher may have removed one as unused.
func (w *writer) keep(ctx context.Context, x *taxonomy.Index) error {
	for r, sum := range w.reused {
		e, listed := x.Lookup(r.Version().Ref())
		if !listed || e.ContentHash != r.ContentHash() || e.Archive != sum {
			continue
		}
		f, err := w.target.Open(ctx, layout.ArchiveFile(e))
		if err == nil {
			_ = f.Close() // it was only opened
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			var data []byte
			if data, err = w.build(r, func() {}); err == nil && sha256.Sum256(data) == sum {
				err = w.target.Put(ctx, layout.ArchiveFile(e), data)
			} else if err == nil {
				err = errors.New("its archive was removed by another publisher: publish it again with its icons")
			}
		}
		if err != nil {
			return &Error{"publish", w.target.String(), fmt.Errorf("release %s: %w", e.ID, err)}
		}
	}
	return nil
}
