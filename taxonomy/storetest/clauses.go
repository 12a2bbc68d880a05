package storetest

import (
	"context"
	"errors"
	"fmt"
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
		{name: "canceled contexts end calls", check: checkCanceled},
		{name: "the store keeps to itself", check: checkAliasing},
		{name: "concurrent calls agree", check: checkConcurrent},
		{name: "an empty store is empty", check: checkEmpty, empty: true},
		{name: "notifications end with their context", check: checkNotifier},
		{name: "unknown icons are not found", check: checkIcons},
		{name: "search indexes can be searched", check: checkSearch},
		{name: "unknown search indexes are not found", check: checkUnknownSearch},
	}
}

// checkIndex: order, statuses, hashes and aliases are those of an index made of
// the publications.
func checkIndex(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	got, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return compareIndex(got, pubs)
}

// checkReleases: every version can be read, and nothing of it is lost or added.
func checkReleases(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	for _, p := range pubs {
		v := p.Release.Version()
		got, err := s.Release(ctx, v)
		if err != nil {
			return fmt.Errorf("release of %s: %w", v, err)
		}
		if err := compareRelease(got, p.Release); err != nil {
			return fmt.Errorf("release of %s: %w", v, err)
		}
	}
	return nil
}

// checkUnknown: a version that is not in the index is not found, however near
// it comes to one that is.
func checkUnknown(ctx context.Context, s *watched, _ []taxonomy.Publication) error {
	unknown := []taxonomy.Version{
		taxonomy.MustVersion("ai@2026-09-02-stable"),   // another day
		taxonomy.MustVersion("ai@2026-03-01-beta"),     // another status
		taxonomy.MustVersion("nope@2026-09-01-beta"),   // another type
		taxonomy.MustVersion("AI@2026-09-01-stable"),   // another case
		taxonomy.MustVersion("ai@2025-01-31-stable"),   // of another type only
		taxonomy.MustVersion("sensor@2025-01-31-beta"), // of a type without betas
		{}, // names nothing
	}
	for _, v := range unknown {
		if err := wantNotFound(ctx, s, v); err != nil {
			return err
		}
	}
	return nil
}

func wantNotFound(ctx context.Context, s *watched, v taxonomy.Version) error {
	r, err := s.Release(ctx, v)
	switch {
	case !errors.Is(err, taxonomy.ErrNotFound):
		return wrongError(fmt.Sprintf("release of %q", v), err, taxonomy.ErrNotFound)
	case r != nil:
		return fmt.Errorf("release of %q: there is a release beside the error", v)
	}
	return nil
}

// checkAliases: taxonomy.Open finds every version by its id and by each alias.
func checkAliases(ctx context.Context, s *watched, _ []taxonomy.Publication) error {
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
		if err := wantOpen(ctx, s, text, want); err != nil {
			return err
		}
	}
	return nil
}

// wantOpen opens a reference, and wants the version, or none where it is "".
func wantOpen(ctx context.Context, s *watched, text, want string) error {
	ref, err := taxonomy.ParseRef(text)
	if err != nil {
		return err
	}
	r, err := taxonomy.Open(ctx, s, ref)
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

// checkCanceled: a call whose context has ended says so and gives nothing.
func checkCanceled(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	v := pubs[0].Release.Version()
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

// checkAliasing: what a caller does with its own slices, those that it gave and
// those that it got, does not change the store.
func checkAliasing(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	x, err := s.Index(ctx)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	for _, e := range x.Entries() {
		scribble(e.Aliases)
	}
	want := clone(pubs)
	for i := range pubs {
		scribble(pubs[i].Aliases)
		pubs[i] = taxonomy.Publication{}
	}
	if err := checkIndex(ctx, s, want); err != nil {
		return fmt.Errorf("after slices of the caller were changed: %w", err)
	}
	if err := checkReleases(ctx, s, want); err != nil {
		return fmt.Errorf("after slices of the caller were changed: %w", err)
	}
	return nil
}

func scribble(aliases []string) {
	for i := range aliases {
		aliases[i] = "changed@by-the-caller"
	}
}

// checkConcurrent: many callers at once get what one alone gets. That nothing
// races is for the race detector to see.
func checkConcurrent(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	const callers = 16
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, callers)
	for i := range errs {
		wg.Go(func() {
			<-start
			for range 4 {
				if errs[i] = serves(ctx, s, pubs); errs[i] != nil {
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

// checkEmpty: an empty store works; it just holds nothing.
func checkEmpty(ctx context.Context, s *watched, _ []taxonomy.Publication) error {
	if err := checkIndex(ctx, s, nil); err != nil {
		return err
	}
	if err := wantNotFound(ctx, s, taxonomy.MustVersion("ai@2026-09-01-stable")); err != nil {
		return err
	}
	return wantOpen(ctx, s, "ai@latest", "")
}

// checkNotifier: the channel is closed when its context ends, and other
// channels stay open.
func checkNotifier(ctx context.Context, s *watched, _ []taxonomy.Publication) error {
	n, ok := s.store.(taxonomy.Notifier)
	if !ok {
		return nil
	}
	lasting, stop := context.WithCancel(ctx)
	defer stop()
	other, err := s.changes(lasting, n)
	if err != nil {
		return err
	}
	ending, end := context.WithCancel(ctx)
	defer end()
	changes, err := s.changes(ending, n)
	if err != nil {
		return err
	}
	end()
	if err := s.drain(ctx, changes); err != nil {
		return err
	}
	select {
	case _, open := <-other:
		if !open {
			return errors.New("notifications: the end of one context closed the channel of another")
		}
	default:
	}
	if changes, err = s.changes(ending, n); err != nil {
		return err
	}
	return s.drain(ctx, changes)
}

// drain waits for the end of a channel whose context has ended.
func (s *watched) drain(ctx context.Context, changes <-chan struct{}) error {
	ctx, cancel := s.limit(ctx)
	defer cancel()
	for {
		select {
		case _, open := <-changes:
			if !open {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("notifications: the channel is not closed %v after its context has ended", s.patience)
		}
	}
}

// checkIcons: an icon that can't be there is not found, whatever its name.
func checkIcons(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	icons, ok := s.store.(taxonomy.IconStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, pubs[0].Release.Version())
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
		svg, err := s.icon(ctx, icons, r, name.element, name.variant)
		if !errors.Is(err, taxonomy.ErrNotFound) || svg != nil {
			return wrongError(fmt.Sprintf("icon of %q as %q", name.element, name.variant), err, taxonomy.ErrNotFound)
		}
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.icon(canceled, icons, r, "purpose.safety", "default"); !errors.Is(err, context.Canceled) {
		return wrongError("icon with an ended context", err, context.Canceled)
	}
	return nil
}
