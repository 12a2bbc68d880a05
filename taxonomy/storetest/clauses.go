package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

// clauses are what Run checks, in this order.
func clauses() []clause {
	return []clause{
		{name: "index lists what was published", check: checkIndex},
		{name: "releases are what was published", check: checkReleases},
		{name: "unknown versions are not found", check: checkUnknown},
		{name: "aliases open", check: checkAliases},
		{name: "ended contexts end calls", check: checkEnded},
		{name: "callers can't change the store", check: checkAliasing},
		{name: "concurrent calls agree", check: checkConcurrent},
		{name: "an empty store is empty", check: checkEmpty, holds: empty},
		{name: "states are kept", check: checkStates, holds: annotated, annotates: true},
		{name: "retired versions are kept", check: checkKeptRetired, holds: annotated, annotates: true},
		{name: "evolutions are kept", check: checkEvolutions, holds: annotated, annotates: true},
		{name: "notifications end with their context", check: checkNotifier},
		{name: "unknown icons are not found", check: checkIcons},
	}
}

// bareClauses are what RunWithoutSymbols checks.
func bareClauses() []clause {
	return []clause{{name: "releases without symbols are what was published", check: checkBare, holds: bare}}
}

// checkBare: the releases have no symbols, and so the hashes that they had.
func checkBare(ctx context.Context, s *subject) error { return s.serves(ctx, s.content) }

// checkIndex: order, statuses, hashes and aliases are those of an index of the
// publications.
func checkIndex(ctx context.Context, s *subject) error { return s.lists(ctx, s.content) }

// checkReleases: every version can be read completely.
func checkReleases(ctx context.Context, s *subject) error { return s.holds(ctx, s.content) }

// lists checks that the index lists the versions and no others.
func (w *watched) lists(ctx context.Context, c Content) error {
	got, err := w.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return compareVersions(got, c.Index)
}

// holds checks that the releases can be read.
func (w *watched) holds(ctx context.Context, c Content) error {
	for _, want := range c.Releases {
		v := want.Version()
		got, err := w.Release(ctx, v)
		if err == nil {
			err = compareRelease(got, want)
		}
		if err != nil {
			return fmt.Errorf("release of %s: %w", v, err)
		}
	}
	return nil
}

// serves checks both.
func (w *watched) serves(ctx context.Context, c Content) error {
	if err := w.lists(ctx, c); err != nil {
		return err
	}
	return w.holds(ctx, c)
}

// checkUnknown: a version that is not in the index is not found, however similar
// it is to one that is.
func checkUnknown(ctx context.Context, s *subject) error {
	for _, v := range []taxonomy.Version{
		taxonomy.MustVersion("ai@2026-09-02-stable"),   // another day
		taxonomy.MustVersion("ai@2026-03-01-beta"),     // another status
		taxonomy.MustVersion("nope@2026-09-01-beta"),   // another type
		taxonomy.MustVersion("AI@2026-09-01-stable"),   // another case
		taxonomy.MustVersion("ai@2025-01-31-stable"),   // the date of another type
		taxonomy.MustVersion("sensor@2025-01-31-beta"), // a type without betas
		{}, // the zero version
	} {
		if err := s.lacks(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// lacks checks that a version is not found.
func (w *watched) lacks(ctx context.Context, v taxonomy.Version) error {
	r, err := w.Release(ctx, v)
	switch {
	case !errors.Is(err, taxonomy.ErrNotFound):
		return wrongError(fmt.Sprintf("release of %q", v), err, taxonomy.ErrNotFound)
	case r != nil:
		return fmt.Errorf("release of %q: a release is returned with the error", v)
	}
	return nil
}

// checkAliases: taxonomy.Open finds every version by its id and by each alias.
func checkAliases(ctx context.Context, s *subject) error {
	for text, want := range map[string]string{
		"ai@latest":             "ai@2026-09-01-stable",
		"ai@latest-beta":        "ai@2026-09-01-beta",
		"ai@v1.0":               "ai@2026-03-01-stable",
		"ai@city":               "ai@2026-03-01-stable",
		"sensor@latest":         "sensor@2026-02-28-stable",
		"sensor@v2":             "sensor@2026-02-28-stable",
		"Draft_1-x@latest":      "Draft_1-x@2026-05-05-beta",
		"Draft_1-x@latest-beta": "Draft_1-x@2026-05-05-beta",
		"ai@2026-03-01-stable":  "ai@2026-03-01-stable",
		"sensor@latest-beta":    "",
		"ai@v2":                 "",
		"nope@latest":           "",
	} {
		if err := s.opens(ctx, text, want); err != nil {
			return err
		}
	}
	return nil
}

// opens checks that a reference opens a version, or none if that is "".
func (w *watched) opens(ctx context.Context, text, want string) error {
	ref, err := taxonomy.ParseRef(text)
	if err != nil {
		return err
	}
	r, err := taxonomy.Open(ctx, w, ref)
	switch {
	case want == "" && !errors.Is(err, taxonomy.ErrNotFound):
		return wrongError("opening "+text, err, taxonomy.ErrNotFound)
	case want == "":
		return nil
	case err != nil:
		return fmt.Errorf("opening %s: %w", text, err)
	case r.Version().String() != want:
		return fmt.Errorf("opening %s gives %s, want %s", text, r.Version(), want)
	}
	return nil
}

// checkEnded: a call whose context has ended returns that error and nothing else.
func checkEnded(ctx context.Context, s *subject) error {
	v := s.content.Releases[0].Version()
	// Once before and once after the release has been read.
	for range 2 {
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		late, cancelLate := context.WithDeadline(ctx, time.Unix(1, 0))
		cancelLate()
		for _, ended := range []context.Context{canceled, late} {
			if x, err := s.Index(ended); !errors.Is(err, ended.Err()) || x != nil {
				return wrongError("index with an ended context", err, ended.Err())
			}
			if r, err := s.Release(ended, v); !errors.Is(err, ended.Err()) || r != nil {
				return wrongError("release with an ended context", err, ended.Err())
			}
		}
		if _, err := s.Release(ctx, v); err != nil {
			return fmt.Errorf("release of %s after calls with an ended context: %w", v, err)
		}
	}
	return nil
}

// checkAliasing: changing slices that were given to the store, or returned by it,
// does not change the store.
func checkAliasing(ctx context.Context, s *subject) error {
	x, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	for _, e := range x.Entries() {
		for i := range e.Aliases {
			e.Aliases[i] = "changed@by-the-caller"
		}
	}
	want := Content{s.content.Index, slices.Clone(s.content.Releases)}
	clear(s.content.Releases)
	if err := s.serves(ctx, want); err != nil {
		return fmt.Errorf("after the caller changed its slices: %w", err)
	}
	return nil
}

// checkConcurrent: many callers at once get what one alone gets. The race
// detector finds races.
func checkConcurrent(ctx context.Context, s *subject) error {
	const callers = 16
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, callers)
	for i := range errs {
		wg.Go(func() {
			<-start
			for range 4 {
				if errs[i] = s.serves(ctx, s.content); errs[i] != nil {
					return
				}
			}
		})
	}
	close(start)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("with %d callers at once: %w", callers, err)
		}
	}
	return nil
}

// checkEmpty: an empty store works.
func checkEmpty(ctx context.Context, s *subject) error {
	if err := s.lists(ctx, empty()); err != nil {
		return err
	}
	if err := s.lacks(ctx, taxonomy.MustVersion("ai@2026-09-01-stable")); err != nil {
		return err
	}
	return s.opens(ctx, "ai@latest", "")
}

// checkIcons: an icon that does not exist is not found, whatever its name.
func checkIcons(ctx context.Context, s *subject) error {
	icons, ok := s.store.(taxonomy.IconStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, s.content.Releases[0].Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	for _, name := range []struct{ element, variant string }{
		{"purpose.none", "default"},
		{"purpose.safety", "none"},
		{"", ""},
		{"..", "release"},
		{"purpose.safety", "../../symbols/shield"},
		{"../symbols", "shield"},
		{"purpose.safety", "default.svg/../default"},
	} {
		err := s.lacksFile(ctx, fmt.Sprintf("icon of %q as %q", name.element, name.variant), func(ctx context.Context) ([]byte, error) {
			return s.icon(ctx, icons, r, name.element, name.variant)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lacksFile checks that a derived file is not found, and that a canceled context ends
// the call.
func (w *watched) lacksFile(ctx context.Context, what string, read func(context.Context) ([]byte, error)) error {
	data, err := read(ctx)
	if !errors.Is(err, taxonomy.ErrNotFound) || data != nil {
		return wrongError(what, err, taxonomy.ErrNotFound)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := read(canceled); !errors.Is(err, context.Canceled) {
		return wrongError(what+" with an ended context", err, context.Canceled)
	}
	return nil
}
