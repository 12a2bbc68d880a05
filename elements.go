package datachain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The limits of lists of elements.
const (
	// DefaultPage is how many elements a page has where nobody says.
	DefaultPage = 50
	// MaxPage is how many it may have.
	MaxPage = 200
	// MaxElementIDs is how many different elements can be asked for by id at
	// once.
	MaxElementIDs = 100
	// DefaultLocale is the language that is searched where nobody says, if
	// the version has it; else it is the version's first.
	DefaultLocale = "en"
)

// ElementQuery says which elements of a version to list. The zero value lists
// the first page of all of them.
type ElementQuery struct {
	// CategoryID restricts the list to one category.
	CategoryID string
	// Text is searched for in titles, descriptions and keywords. Without any,
	// elements are listed in declaration order; with it, the best come first.
	Text string
	// Locale is the language that Text is in; see [DefaultLocale].
	Locale string
	// Limit is how many elements to return, 1 to [MaxPage]; 0 means
	// [DefaultPage].
	Limit int
	// Cursor is the NextCursor of the page before.
	Cursor string
}

// Page is a part of a list of elements.
type Page struct {
	Release  *taxonomy.Release
	Elements []*taxonomy.Element
	// Total is how many elements the whole list has.
	Total int
	// NextCursor asks for the next page; it is empty on the last one.
	NextCursor string
}

// Elements returns a page of the elements of a version.
func (s *Service) Elements(ctx context.Context, version string, q ElementQuery) (*Page, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > MaxPage {
		return nil, badRequest(nil, fmt.Sprintf("use a limit from 1 to %d", MaxPage), "The limit %d is out of range.", q.Limit)
	}
	if q.Limit == 0 {
		q.Limit = DefaultPage
	}
	q.Text = strings.TrimSpace(q.Text)
	locale, err := matchLocale(r, q.Locale)
	if err != nil {
		return nil, err
	}
	if q.Locale == "" {
		q.Locale = locale // a cursor is the same whether it is said or not
	}
	offset, err := q.offset(r)
	if err != nil {
		return nil, err
	}
	p := &Page{Release: r}
	if q.Text == "" {
		p.list(q.CategoryID, offset, q.Limit)
	} else if locale != "" {
		index, err := s.index(ctx, r, locale)
		if err != nil {
			return nil, err
		}
		p.find(index, q, offset)
	}
	if next := offset + len(p.Elements); len(p.Elements) > 0 && next < p.Total {
		p.NextCursor = q.cursor(r, next)
	}
	return p, nil
}

// list fills a page in declaration order.
func (p *Page) list(category string, offset, limit int) {
	all := p.Release.Elements()
	if category != "" {
		all = p.Release.ElementsOf(category)
	}
	p.Total = len(all)
	offset = min(offset, len(all))
	p.Elements = all[offset:min(offset+limit, len(all))]
}

// find fills a page with what a search finds.
func (p *Page) find(index *search.Index, q ElementQuery, offset int) {
	query := search.Query{Text: q.Text, Offset: offset, Limit: q.Limit}
	if q.CategoryID != "" {
		query.Categories = []string{q.CategoryID}
	}
	found := index.Search(query)
	p.Total = found.Total
	p.Elements = make([]*taxonomy.Element, len(found.Hits))
	for i, h := range found.Hits {
		p.Elements[i] = h.Element
	}
}

// matchLocale returns the locale of a release that is nearest to the one that is
// asked for, or "" where there is none.
func matchLocale(r *taxonomy.Release, want string) (string, error) {
	if want == "" {
		if slices.Contains(r.Locales(), DefaultLocale) || len(r.Locales()) == 0 {
			return DefaultLocale, nil
		}
		return r.Locales()[0], nil
	}
	locale, err := search.Match(r.Locales(), want)
	if err != nil {
		return "", malformedLocale(want, err)
	}
	return locale, nil
}

// CheckLocale fails where a locale that somebody asks for is no language tag;
// empty is none asked for. It is the rule of every operation that takes one.
func CheckLocale(locale string) error {
	if locale == "" {
		return nil
	}
	if _, err := search.Match(nil, locale); err != nil {
		return malformedLocale(locale, err)
	}
	return nil
}

func malformedLocale(locale string, err error) *Error {
	return badRequest(err, "use a language tag such as en or fr-CA", "The locale %q is malformed.", prose.Clip(locale))
}

// indexKey is what a search index is of.
type indexKey struct {
	content taxonomy.Hash
	locale  string
}

// index returns the search index of a release in one of its locales.
func (s *Service) index(ctx context.Context, r *taxonomy.Release, locale string) (*search.Index, error) {
	x, err := s.indexes.Do(ctx, indexKey{r.ContentHash(), locale}, func() (*search.Index, int64, error) {
		if x := s.publishedIndex(ctx, r, locale); x != nil {
			return x, 1, nil
		}
		x, err := search.Build(r, locale)
		return x, 1, err
	})
	switch {
	case err == nil:
		return x, nil
	case isTimeout(err):
		return nil, failure(issue.CodeTimeout, err, "try again", "Preparing the search took too long.")
	default:
		return nil, failure(issue.CodeInternalError, err, "", "The elements of %s can't be searched.", r.Version())
	}
}

// publishedIndex returns the index that came with a release, or nil where there
// is none that can be used.
func (s *Service) publishedIndex(ctx context.Context, r *taxonomy.Release, locale string) *search.Index {
	store, ok := s.store.Store.(taxonomy.SearchStore)
	if !ok {
		return nil
	}
	data, err := store.SearchIndex(ctx, r, locale)
	if err == nil {
		var x *search.Index
		if x, err = search.Load(r, data); err == nil && x.Locale() == locale {
			return x
		}
	}
	if err != nil && !errors.Is(err, taxonomy.ErrNotFound) && !errors.Is(err, search.ErrStale) {
		s.options.Report(err)
	}
	return nil
}

// Element returns an element and the release it is of.
func (s *Service) Element(ctx context.Context, version, id string) (*taxonomy.Release, *taxonomy.Element, error) {
	if err := checkElementID(id); err != nil {
		return nil, nil, err
	}
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	e, ok := r.Element(id)
	if !ok {
		return nil, nil, unknownElement(r, id)
	}
	return r, e, nil
}

func checkElementID(id string) error {
	if taxonomy.ValidElementID(id) {
		return nil
	}
	return badRequest(nil, "use letters, digits, _ and -, with one period at most", "The element id %q is malformed.", prose.Clip(id))
}

// unknownElement names the nearest elements that there are.
func unknownElement(r *taxonomy.Release, id string) error {
	hint := "list or search the elements of " + r.Version().String() + " for the right id"
	near := nearest.Related(id, func(yield func(string) bool) {
		for _, e := range r.Elements() {
			if !yield(e.ID) {
				return
			}
		}
	}, 3)
	if len(near) > 0 {
		hint = "use " + strings.Join(near, " or ")
	}
	return notFound(hint, "There is no element %s in %s.", id, r.Version())
}

// Selection is elements that were asked for by id.
type Selection struct {
	Release *taxonomy.Release
	// IDs are the different ids in the order asked for.
	IDs []string
	// Elements are those that there are, in the same order.
	Elements []*taxonomy.Element
	// Missing are the ids that the version has no element of.
	Missing []string
}

// ErrTooManyIDs is wrapped where more than [MaxElementIDs] elements are asked
// for.
var ErrTooManyIDs = errors.New("too many element ids")

// ElementsByID returns elements in the order asked for. An id that is asked for
// twice counts once.
func (s *Service) ElementsByID(ctx context.Context, version string, ids []string) (*Selection, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, err
	}
	found := &Selection{Release: r}
	seen := make(map[string]bool, min(len(ids), MaxElementIDs))
	for _, id := range ids {
		if seen[id] {
			continue
		}
		if seen[id] = true; len(seen) > MaxElementIDs {
			return nil, badRequest(ErrTooManyIDs, fmt.Sprintf("ask for at most %d ids at a time", MaxElementIDs), "More than %d different ids are asked for.", MaxElementIDs)
		}
		if err := checkElementID(id); err != nil {
			return nil, err
		}
		found.IDs = append(found.IDs, id)
		if e, ok := r.Element(id); ok {
			found.Elements = append(found.Elements, e)
		} else {
			found.Missing = append(found.Missing, id)
		}
	}
	return found, nil
}
