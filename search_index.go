package datachain

import (
	"context"
	"errors"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Search searches the elements of the version in one of its locales. It also returns the
// index, whose [search.Index.Places] tell where the words of the query are.
func (s *Schema) Search(ctx context.Context, locale string, q search.Query) (search.Result, *search.Index, error) {
	index, err := s.SearchIndex(ctx, locale)
	for again := false; ; again = true {
		if err != nil {
			return search.Result{}, nil, err
		}
		found := index.Search(q)
		if index.Err() == nil {
			return found, index, nil
		}
		index, err = s.replaceIndex(ctx, locale, index, again)
	}
}

// indexKey identifies a search index.
type indexKey struct {
	content taxonomy.Hash
	locale  string
}

// SearchIndex returns the search index of the version in one of its locales: the one that
// was published with it, if that can be used. Most programs need [Schema.Elements] only.
func (s *Schema) SearchIndex(ctx context.Context, locale string) (*search.Index, error) {
	return s.cachedIndex(ctx, locale, func() (*search.Index, error) {
		if x := s.publishedIndex(ctx, locale); x != nil {
			return x, nil
		}
		return search.Build(s.release, locale)
	})
}

// replaceIndex returns another index for one with postings that can't be used. If its file
// was replaced, that is the published one of now, unless this was tried before; otherwise
// one that is built.
func (s *Schema) replaceIndex(ctx context.Context, locale string, broken *search.Index, again bool) (*search.Index, error) {
	key, err := indexKey{s.release.ContentHash(), locale}, broken.Err()
	if now, ok := s.service.indexes.Get(key); ok && now == broken { // else another query has replaced it
		s.service.indexes.Delete(key)
	}
	if errors.Is(err, taxonomy.ErrNotFound) && !again {
		return s.SearchIndex(ctx, locale)
	}
	return s.cachedIndex(ctx, locale, func() (*search.Index, error) {
		s.service.options.Report(err)
		return search.Build(s.release, locale)
	})
}

func (s *Schema) cachedIndex(ctx context.Context, locale string, create func() (*search.Index, error)) (*search.Index, error) {
	x, err := s.service.indexes.Do(ctx, indexKey{s.release.ContentHash(), locale}, func() (*search.Index, int64, error) {
		x, err := create()
		return x, 1, err
	})
	switch {
	case err == nil:
		return x, nil
	case isTimeout(err):
		return nil, failure(issue.CodeTimeout, err, "try again", "Preparing the search index took too long.")
	default:
		return nil, failure(issue.CodeInternalError, err, "try again; if it keeps failing, tell the operator", "The elements of %s could not be indexed.", s.release.Version())
	}
}

// publishedIndex returns the index that was published with the version, or nil if
// there is none that can be used.
func (s *Schema) publishedIndex(ctx context.Context, locale string) *search.Index {
	x, err := s.openIndex(ctx, locale)
	switch {
	case err == nil && x.Locale() == locale:
		return x
	case err != nil && !errors.Is(err, taxonomy.ErrNotFound) && !errors.Is(err, search.ErrStale):
		s.service.options.Report(err)
	}
	return nil
}

// openIndex opens the index that was published with the version. It does not read all of
// one that can be read in parts.
func (s *Schema) openIndex(ctx context.Context, locale string) (*search.Index, error) {
	if store, ok := s.service.store.(taxonomy.SearchOpener); ok {
		section, err := store.OpenSearchIndex(ctx, s.release, locale)
		if err == nil {
			return search.OpenAt(s.release, section, section.Size())
		}
		if !errors.Is(err, taxonomy.ErrNotFound) {
			return nil, err
		}
	}
	store, ok := s.service.store.(taxonomy.SearchStore)
	if !ok {
		return nil, taxonomy.ErrNotFound
	}
	data, err := store.SearchIndex(ctx, s.release, locale)
	if err != nil {
		return nil, err
	}
	return search.Open(s.release, data)
}
