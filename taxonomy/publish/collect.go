package publish

import (
	"context"
	"errors"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
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
// publishers and releases that the index does not name; those of versions that
// it does not list only if retired is set. It continues after an error.
func collect(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (removed []string, err error) {
	stored, err := t.Stored(ctx)
	errs := []error{err}
	cutoff := time.Now().Add(-keepFor)
	for _, s := range stored {
		_, listed := x.Lookup(s.Version.Ref())
		switch {
		case s.Since.After(cutoff), names(x, s.Version, s.Hash), !listed && !retired && !s.Hash.IsZero():
			continue
		}
		switch err := t.Remove(ctx, s); {
		case err == nil:
			removed = append(removed, s.Dir)
		case !errors.Is(err, ErrConflict): // or else it is in use again
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}
