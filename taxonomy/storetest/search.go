package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// checkSearch: an index is one that can be searched, of the very content and
// locale that were asked for, or it is not found.
func checkSearch(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	for _, p := range pubs {
		r, err := s.Release(ctx, p.Release.Version())
		if err != nil {
			return fmt.Errorf("release of %s: %w", p.Release.Version(), err)
		}
		if err := checkSearchOf(ctx, s, r); err != nil {
			return err
		}
	}
	return nil
}

// checkSearchOf looks at the indexes of one release.
func checkSearchOf(ctx context.Context, s *watched, r *taxonomy.Release) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	if !ok {
		return nil
	}
	for _, locale := range r.Locales() {
		what := fmt.Sprintf("search index of %s for %q", r.Version(), locale)
		data, err := s.searchIndex(ctx, indexes, r, locale)
		switch {
		case errors.Is(err, taxonomy.ErrNotFound) && data == nil:
			continue
		case err != nil:
			return wrongError(what, err, taxonomy.ErrNotFound)
		}
		x, err := search.Load(r, data)
		switch {
		case err != nil:
			return fmt.Errorf("%s: what is returned can't be loaded: %w", what, err)
		case x.Locale() != locale:
			return fmt.Errorf("%s: what is returned is the index for %q", what, x.Locale())
		}
	}
	return nil
}

// checkUnknownSearch: an index that can't be there is not found, whatever the
// locale.
func checkUnknownSearch(ctx context.Context, s *watched, pubs []taxonomy.Publication) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, pubs[0].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	for _, locale := range []string{"de", "e", "en-", "", ".", "..", "../release", "en/../fr", "en\x00", "en.index"} {
		data, err := s.searchIndex(ctx, indexes, r, locale)
		if !errors.Is(err, taxonomy.ErrNotFound) || data != nil {
			return wrongError(fmt.Sprintf("search index for %q", locale), err, taxonomy.ErrNotFound)
		}
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.searchIndex(canceled, indexes, r, "en"); !errors.Is(err, context.Canceled) {
		return wrongError("search index with an ended context", err, context.Canceled)
	}
	return nil
}

// checkSearchUpdated: who still holds a release from before an update gets the
// index of that one or none, and never that of the new content.
func checkSearchUpdated(ctx context.Context, s *watched, pubs []taxonomy.Publication, update func([]taxonomy.Publication)) error {
	old, err := s.Release(ctx, pubs[5].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if err := checkSearchOf(ctx, s, old); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(pubs)
	update(changed)
	if err := checkSearch(ctx, s, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	if err := checkSearchOf(ctx, s, old); err != nil {
		return fmt.Errorf("of a release from before an update: %w", err)
	}
	return nil
}
