package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/datachain-go/datachain/taxonomy"
)

// checkSearch: a search index can be searched, and is of the content and locale
// that were asked for, or it is not found.
func checkSearch(ctx context.Context, s *subject) error { return s.searchable(ctx, s.pubs) }

func (s *watched) searchable(ctx context.Context, pubs []taxonomy.Publication) error {
	for _, p := range pubs {
		r, err := s.Release(ctx, p.Release.Version())
		if err != nil {
			return fmt.Errorf("release of %s: %w", p.Release.Version(), err)
		}
		if err := s.searches(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// searches checks the search indexes of one release.
func (s *watched) searches(ctx context.Context, r *taxonomy.Release) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	switch {
	case !ok:
		return nil
	case s.loadSearch == nil:
		return errors.New("the store is a taxonomy.SearchStore: set Options.LoadSearch, so that its search indexes can be checked")
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
		got, err := s.loadSearch(r, data)
		switch {
		case err != nil:
			return fmt.Errorf("%s: the result can't be loaded: %w", what, err)
		case got != locale:
			return fmt.Errorf("%s: the result is the index for %q", what, got)
		}
		if err := s.sameInParts(ctx, r, locale, data); err != nil {
			return fmt.Errorf("%s, in parts: %w", what, err)
		}
	}
	return nil
}

// sameInParts: a search index that is read in parts is the same as at once.
func (s *watched) sameInParts(ctx context.Context, r *taxonomy.Release, locale string, want []byte) error {
	opener, ok := s.store.(taxonomy.SearchOpener)
	if !ok {
		return nil
	}
	section, err := s.openSearchIndex(ctx, opener, r, locale)
	switch {
	case errors.Is(err, taxonomy.ErrNotFound) && section == nil:
		return nil
	case err != nil:
		return wrongError("opening it", err, taxonomy.ErrNotFound)
	}
	for _, half := range []*io.SectionReader{
		io.NewSectionReader(section, section.Size()/2, section.Size()),
		io.NewSectionReader(section, 0, section.Size()/2),
	} {
		part, err := io.ReadAll(half)
		if err != nil {
			return fmt.Errorf("reading: %w", err)
		}
		if _, at, _ := half.Outer(); at > int64(len(want)) || !bytes.HasPrefix(want[at:], part) || section.Size() != int64(len(want)) {
			return errors.New("it is not the same as at once")
		}
	}
	return nil
}

// checkUnknownSearch: a search index that does not exist is not found, whatever
// the locale.
func checkUnknownSearch(ctx context.Context, s *subject) error {
	indexes, ok := s.store.(taxonomy.SearchStore)
	if !ok {
		return nil
	}
	r, err := s.Release(ctx, s.pubs[0].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	for _, locale := range []string{"de", "e", "en-", "", ".", "..", "../release", "en/../fr", "en\x00", "en.index"} {
		err := s.noFile(ctx, fmt.Sprintf("search index for %q", locale), func(ctx context.Context) ([]byte, error) {
			return s.searchIndex(ctx, indexes, r, locale)
		})
		if err != nil {
			return err
		}
		err = s.noFile(ctx, fmt.Sprintf("search index for %q, in parts", locale), func(ctx context.Context) ([]byte, error) {
			opener, ok := indexes.(taxonomy.SearchOpener)
			if !ok {
				return nil, cmp.Or(ctx.Err(), taxonomy.ErrNotFound)
			}
			section, err := s.openSearchIndex(ctx, opener, r, locale)
			if section == nil {
				return nil, err
			}
			return []byte(locale), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkSearchUpdated: with a release from before an update a caller gets the index
// of that content or none, and never that of the new content.
func checkSearchUpdated(ctx context.Context, s *subject) error {
	old, err := s.Release(ctx, s.pubs[5].Release.Version())
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if err := s.searches(ctx, old); err != nil {
		return fmt.Errorf("at first: %w", err)
	}
	changed := changedBeta(s.pubs)
	s.update(changed)
	if err := s.searchable(ctx, changed); err != nil {
		return fmt.Errorf("after a beta changed: %w", err)
	}
	if err := s.searches(ctx, old); err != nil {
		return fmt.Errorf("of a release from before an update: %w", err)
	}
	return nil
}
