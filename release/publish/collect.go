package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/taxonomy"
)

// unusedArchive is an archive that the index does not name, in collect.json.
type unusedArchive struct {
	Name string `json:"name"`
	// Since is when a collector found it first.
	Since time.Time `json:"since"`
}

// collection is the content of collect.json.
type collection struct {
	Unused []unusedArchive `json:"unused"`
}

// Collect removes archives that the index does not name, in two runs: the first one lists them
// in collect.json, and one that comes at least after wait removes those that the index still
// does not name. If wait is 0, the first run removes them. Readers that have just read an older
// index, and publishers that are about to name an archive, have that long to finish. A publisher
// that reuses an archive looks for it after it has replaced the index. The report lists what was
// removed even if there is an error, too.
func Collect(ctx context.Context, t Target, wait time.Duration) (*Report, error) {
	var due []string
	report := new(Report)
	err := retry(ctx, "collect", t, func(ctx context.Context) (Revision, error) {
		text, rev, err := t.Read(ctx, layout.CollectFile)
		if err != nil {
			return rev, err
		}
		next, err := survey(ctx, t, report, text)
		if err != nil {
			return rev, err
		}
		due = nil
		next.Unused = slices.DeleteFunc(next.Unused, func(u unusedArchive) bool {
			if time.Since(u.Since) < wait {
				return false
			}
			due = append(due, u.Name)
			return true
		})
		report.Unused = nil
		for _, u := range next.Unused {
			report.Unused = append(report.Unused, u.Name)
		}
		if len(next.Unused) == 0 && text == nil {
			return rev, nil
		}
		encoded, err := json.Marshal(next)
		if err != nil {
			return rev, err
		}
		return rev, t.Replace(ctx, layout.CollectFile, encoded, rev)
	})
	if err != nil {
		return report, err
	}
	if report.Collected, err = remove(ctx, t, due); err != nil {
		return report, &Error{"collect", t.String(), err}
	}
	return report, nil
}

// Unused changes nothing, and reports the archives that the index does not name.
func Unused(ctx context.Context, t Target) (*Report, error) {
	report := new(Report)
	if isNil(t) {
		return report, errNoTarget
	}
	found, err := survey(ctx, t, report, nil)
	if err != nil {
		return report, &Error{"collect", t.String(), err}
	}
	for _, u := range found.Unused {
		report.Unused = append(report.Unused, u.Name)
	}
	return report, nil
}

// survey returns the archives that the index does not name. Those in the text of a collect.json keep
// the time at which they were found.
func survey(ctx context.Context, t Target, report *Report, text []byte) (*collection, error) {
	var err error
	if report.Index, err = readIndex(ctx, t); err != nil {
		return nil, err
	}
	report.Before = report.Index
	var known collection
	if text != nil {
		if err := json.Unmarshal(text, &known); err != nil {
			return nil, fmt.Errorf("%s: %w: delete it, and collect again", layout.CollectFile, err)
		}
	}
	foundAt := make(map[string]time.Time)
	for _, u := range known.Unused {
		foundAt[u.Name] = u.Since
	}
	names, err := t.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC().Truncate(time.Second)
	found := &collection{Unused: []unusedArchive{}}
	for _, name := range names {
		e, ok := layout.ParseArchiveFile(name)
		if !ok || isNamed(report.Index, e) {
			continue
		}
		at, listed := foundAt[name]
		if !listed {
			at = now
		}
		found.Unused = append(found.Unused, unusedArchive{path.Clean(name), at})
	}
	return found, nil
}

// remove removes archives that the index does not name, and returns those. It continues after
// an error.
func remove(ctx context.Context, t Target, names []string) (removed []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	current, err := readIndex(ctx, t) // again: it may name one now
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, name := range names {
		if e, _ := layout.ParseArchiveFile(name); isNamed(current, e) {
			continue
		}
		if err := t.Delete(ctx, name); err != nil {
			errs = append(errs, err)
			continue
		}
		removed = append(removed, name)
	}
	return removed, errors.Join(errs...)
}

func readIndex(ctx context.Context, t Target) (*taxonomy.Index, error) {
	text, _, err := t.Read(ctx, layout.IndexFile)
	if err != nil {
		return nil, err
	}
	return decodeIndex(text)
}

// isNamed reports whether an index names an archive.
func isNamed(x *taxonomy.Index, archive taxonomy.Entry) bool {
	e, listed := x.Lookup(archive.ID.Ref())
	return listed && e.ContentHash == archive.ContentHash && e.Archive == archive.Archive
}
