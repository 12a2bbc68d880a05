package publish

import (
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/layout"
)

// Collect removes the files of all releases that the index does not name,
// including retired versions, if they have not been used for at least keepFor.
// The report lists what was removed even if there is an error, too.
func Collect(ctx context.Context, t Target, keepFor time.Duration) (*Report, error) {
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

// collect removes what has not been used for keepFor: leftovers of interrupted
// publishers, and releases and packs that the index does not name; those of versions
// that it does not list only if retired is set. It continues after an error.
func collect(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (removed []string, err error) {
	stored, err := t.Stored(ctx)
	errs := []error{err}
	cutoff := time.Now().Add(-keepFor)
	for _, s := range stored {
		e, listed := x.Lookup(s.Version.Ref())
		var gone []string
		var err error
		switch {
		case s.Since.After(cutoff), !listed && !retired && !s.Hash.IsZero():
			continue
		case names(x, s.Version, s.Hash):
			gone, err = collectPacks(ctx, t, s, e.Pack)
		default:
			gone, err = []string{s.Dir}, t.Remove(ctx, s)
		}
		switch {
		case err == nil:
			removed = append(removed, gone...)
		case !errors.Is(err, ErrConflict): // or else it is in use again
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

// collectPacks removes the packs of a release except the one that the index names.
func collectPacks(ctx context.Context, t Target, s Stored, named taxonomy.Hash) (removed []string, err error) {
	shared, ok := t.(Shared)
	unused := slices.DeleteFunc(slices.Clone(s.Packs), func(sum taxonomy.Hash) bool { return sum == named })
	if !ok || len(unused) == 0 {
		return nil, nil
	}
	for _, sum := range unused {
		removed = append(removed, path.Join(s.Dir, layout.PackOf(sum)))
	}
	return removed, shared.RemovePacks(ctx, s, unused...)
}
