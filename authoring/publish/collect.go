package publish

import (
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// Collect removes the files of all releases that the index does not name,
// including retired versions, if they have not been used for at least keepFor.
// The report lists what was removed even if there is an error, too.
func Collect(ctx context.Context, t Target, keepFor time.Duration) (*Report, error) {
	return collectAll(ctx, t, keepFor, collect)
}

// Unused changes nothing, and reports as collected what [Collect] would remove.
func Unused(ctx context.Context, t Target, keepFor time.Duration) (*Report, error) {
	return collectAll(ctx, t, keepFor, func(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (all []string, err error) {
		found, err := unused(ctx, t, x, keepFor, retired)
		for _, u := range found {
			all = append(all, u.paths()...)
		}
		return all, err
	})
}

// collector removes or lists what has not been used for keepFor; what belongs to
// versions that the index does not list only if retired is set.
type collector func(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) ([]string, error)

func collectAll(ctx context.Context, t Target, keepFor time.Duration, collect collector) (*Report, error) {
	text, _, err := t.Index(ctx)
	report := new(Report)
	if err == nil {
		report.Index, err = decodeIndex(text)
	}
	if err == nil {
		report.Before = report.Index
		report.Collected, err = collect(ctx, t, report.Index, keepFor, true)
	}
	if err != nil {
		return report, &Error{"collect", t.String(), err}
	}
	return report, nil
}

// collect is a [collector] that removes. It continues after an error.
func collect(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (removed []string, err error) {
	found, err := unused(ctx, t, x, keepFor, retired)
	errs := []error{err}
	for _, u := range found {
		switch err := u.remove(ctx, t); {
		case err == nil:
			removed = append(removed, u.paths()...)
		case !errors.Is(err, ErrConflict): // or else it is in use again
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

// unusedFiles are files that the index does not name.
type unusedFiles struct {
	Stored
	// packs are packs of a release that is in use; if there are none, all files are
	// unused.
	packs []taxonomy.Hash
}

// unused returns what has not been used for keepFor: leftovers of interrupted
// publishers, and releases and packs that the index does not name. After an error it
// returns the rest.
func unused(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (found []unusedFiles, err error) {
	stored, err := t.Stored(ctx)
	cutoff := time.Now().Add(-keepFor)
	for _, s := range stored {
		e, listed := x.Lookup(s.Version.Ref())
		u := unusedFiles{Stored: s}
		switch {
		case s.Since.After(cutoff), !listed && !retired && !s.Hash.IsZero():
			continue
		case names(x, s.Version, s.Hash):
			u.packs = slices.DeleteFunc(slices.Clone(s.Packs), func(sum taxonomy.Hash) bool { return sum == e.Pack })
			if _, shared := t.(Shared); !shared || len(u.packs) == 0 {
				continue
			}
		}
		found = append(found, u)
	}
	return found, err
}

// paths returns the names of the files, or of the directory that they are in.
func (u *unusedFiles) paths() []string {
	if len(u.packs) == 0 {
		return []string{u.Dir}
	}
	var packs []string
	for _, sum := range u.packs {
		packs = append(packs, path.Join(u.Dir, published.PackOf(sum)))
	}
	return packs
}

func (u *unusedFiles) remove(ctx context.Context, t Target) error {
	if shared, ok := t.(Shared); ok && len(u.packs) > 0 {
		return shared.RemovePacks(ctx, u.Stored, u.packs...)
	}
	return t.Remove(ctx, u.Stored)
}
