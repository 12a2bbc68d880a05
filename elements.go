package datachain

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// maxElementIDs is how many distinct ids [Schema.ElementsByID] accepts.
const maxElementIDs = 100

// ElementQuery selects elements of a version. The zero value is the first page of
// all of them.
type ElementQuery struct {
	// CategoryID restricts the list to one category. An unknown one is an error.
	CategoryID string
	// Text is searched for in titles, descriptions and keywords, and the best
	// matches come first. If it is empty, elements are in declaration order.
	Text string
	// Locale is the language of Text, which [taxonomy.MatchLocale] matches; "" means en, or
	// the first language of a version that lacks it. One that no language of the version
	// matches is an error.
	Locale string
	// Lenient makes an unknown category or locale select nothing, as in the REST API,
	// instead of being an error. Without Text, the locale is then ignored.
	Lenient bool
	// Limit is the page size, 1 to 200; 0 means 50.
	Limit int
	// Cursor is the NextCursor of the previous page.
	Cursor string
}

// Page is a part of a list of elements.
type Page struct {
	Elements []*taxonomy.Element
	// Total is the number of elements in the whole list.
	Total int
	// Locale is the language of the version that matches the one of the query, "" if none does.
	Locale string
	// DidYouMean is the searched text with misspelt words replaced by those that were found
	// instead, or "" if there are none.
	DidYouMean string
	// NextCursor selects the next page; it is empty on the last one.
	NextCursor string
}

// Elements returns a page of the elements of the version.
func (s *Schema) Elements(ctx context.Context, q ElementQuery) (*Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, upstream(err, "The elements could not be listed.")
	}
	if q.Limit < 0 || q.Limit > lists.MaxPage {
		return nil, malformed("limit", nil, fmt.Sprintf("use an integer from 1 to %d", lists.MaxPage), "The limit must be an integer from 1 to %d.", lists.MaxPage)
	}
	if q.Limit == 0 {
		q.Limit = lists.DefaultPage
	}
	q.Text = strings.TrimSpace(q.Text)
	locale, err := matchLocale(s.release, q.Locale)
	if err != nil {
		return nil, err
	}
	if err := s.checkQuery(q, locale); err != nil {
		return nil, err
	}
	if q.Locale == "" {
		q.Locale = locale // so that the cursor is the same as with an explicit locale
	}
	offset, err := q.offset(s.release)
	if err != nil {
		return nil, err
	}
	var p *Page
	switch {
	case q.Text == "":
		p = s.list(q.CategoryID, offset, q.Limit)
	case locale == "":
		p = new(Page)
	default:
		if p, err = s.find(ctx, locale, q, offset); err != nil {
			return nil, err
		}
	}
	p.Locale = locale
	if next := offset + len(p.Elements); len(p.Elements) > 0 && next < p.Total {
		p.NextCursor = q.cursor(s.release, next)
	}
	return p, nil
}

// checkQuery returns an error for a category or a locale that the version lacks.
func (s *Schema) checkQuery(q ElementQuery, matched string) error {
	if q.Lenient {
		return nil
	}
	if matched == "" {
		return s.unknownLocale(q.Locale)
	}
	if q.CategoryID == "" {
		return nil
	}
	return s.checkCategory(q.CategoryID)
}

func (s *Schema) checkCategory(id string) error {
	if _, ok := s.release.Category(id); ok {
		return nil
	}
	known := make([]string, 0, len(s.release.Categories()))
	for _, c := range s.release.Categories() {
		known = append(known, c.ID)
	}
	if near := similar.AllNearest(id, slices.Values(known), 3); len(near) > 0 {
		known = near
	}
	return unknown("category_id", known, "use "+wording.Or(known), "There is no category %q in %s.", wording.Clip(id), s.release.Version())
}

func (s *Schema) unknownLocale(locale string) error {
	known := s.release.Locales()
	return unknown("locale", known, "use "+wording.Or(known), "There is no locale %s in %s.", wording.Clip(locale), s.release.Version())
}

// list returns a page in declaration order.
func (s *Schema) list(category string, offset, limit int) *Page {
	begin, end := 0, len(s.release.ElementIDs())
	if category != "" {
		begin, end = s.release.CategoryRange(category)
	}
	first := min(begin+offset, end)
	last := min(first+limit, end)
	return &Page{Total: end - begin, Elements: s.release.Elements()[first:last:last]}
}

// find returns a page of search results.
func (s *Schema) find(ctx context.Context, locale string, q ElementQuery, offset int) (*Page, error) {
	query := search.Query{Text: q.Text, Offset: offset, Limit: q.Limit}
	if q.CategoryID != "" {
		if _, ok := s.release.Category(q.CategoryID); !ok { // the query is lenient
			return new(Page), nil
		}
		query.Categories = []string{q.CategoryID}
	}
	found, _, err := s.Search(ctx, locale, query)
	if err != nil {
		return nil, err
	}
	p := &Page{Total: found.Total, DidYouMean: found.DidYouMean, Elements: make([]*taxonomy.Element, len(found.Hits))}
	for i, h := range found.Hits {
		p.Elements[i] = h.Element
	}
	return p, nil
}

// matchLocale returns the locale of a release that matches the wanted one best,
// or "" if none does.
func matchLocale(r *taxonomy.Release, want string) (string, error) {
	if want == "" {
		if slices.Contains(r.Locales(), lists.DefaultLocale) || len(r.Locales()) == 0 {
			return lists.DefaultLocale, nil
		}
		return r.Locales()[0], nil
	}
	if err := Check("locale", want); err != nil {
		return "", err
	}
	return taxonomy.MatchLocale(r.Locales(), want)
}

// Check returns an error if the value of a parameter is malformed: an element_id, a symbol_id, a
// variant, a shape, or a locale, which may be empty. All operations check their parameters; Check
// is for protocols that reject a request before they open a version.
func Check(parameter, value string) error {
	switch parameter {
	case "element_id":
		return checkID(parameter, "element id", value, ident.IsElementID, "use letters, digits, _ and -, and at most one period between them")
	case "symbol_id":
		return checkID(parameter, "symbol id", value, ident.IsID, idHint)
	case "variant", "shape":
		return checkID(parameter, parameter, value, ident.IsID, idHint)
	case "locale":
		if value == "" {
			return nil
		}
		if _, err := taxonomy.MatchLocale(nil, value); err != nil {
			return malformed(parameter, err, "use a language tag such as en or fr-CA", "The locale %q is malformed.", wording.Clip(value))
		}
		return nil
	}
	return failure(issue.CodeInternalError, nil, "check element_id, symbol_id, variant, shape or locale", "The parameter %q is not known.", wording.Clip(parameter))
}

const idHint = "use letters, digits, _ and -"

// checkID returns an error for an id that is malformed, which names the limit if it is too long.
func checkID(parameter, name, id string, valid func(string) bool, hint string) error {
	switch {
	case valid(id):
		return nil
	case len(id) > ident.MaxIDLength:
		return malformed(parameter, nil, hint, "The %s %q is longer than %d characters.", name, wording.Clip(id), ident.MaxIDLength)
	}
	return malformed(parameter, nil, hint, "The %s %q is malformed.", name, wording.Clip(id))
}

// Element returns an element of the version.
func (s *Schema) Element(id string) (*taxonomy.Element, error) {
	if err := Check("element_id", id); err != nil {
		return nil, err
	}
	e, ok := s.release.Element(id)
	if !ok {
		return nil, s.unknownElement(id)
	}
	return e, nil
}

// unknownElement returns the error for an unknown element, with the nearest ids.
func (s *Schema) unknownElement(id string) error {
	near := similar.Related(id, slices.Values(s.release.ElementIDs()), 3)
	hint := "list or search the elements of " + s.release.Version().String() + " for the right id"
	if len(near) > 0 {
		hint = "use " + strings.Join(near, " or ")
	}
	return unknown("element_id", near, hint, "There is no element %s in %s.", id, s.release.Version())
}

// Selection is elements that were requested by id.
type Selection struct {
	// IDs are the distinct ids in the order requested.
	IDs []string
	// Elements are those that exist, in the same order.
	Elements []*taxonomy.Element
	// Missing are the ids without an element.
	Missing []string
}

// ElementsByID returns elements in the order requested. An id that is given twice
// counts once. More than 100 are a [KindTooMany] error.
func (s *Schema) ElementsByID(ids []string) (*Selection, error) {
	found := new(Selection)
	seen := make(map[string]bool, min(len(ids), maxElementIDs))
	for _, id := range ids {
		if seen[id] {
			continue
		}
		if seen[id] = true; len(seen) > maxElementIDs {
			e := malformed("ids", nil, fmt.Sprintf("request at most %d ids at a time", maxElementIDs), "More than %d different ids were requested.", maxElementIDs)
			e.Kind = KindTooMany
			return nil, e
		}
		if err := Check("element_id", id); err != nil {
			return nil, err
		}
		found.IDs = append(found.IDs, id)
		if e, ok := s.release.Element(id); ok {
			found.Elements = append(found.Elements, e)
		} else {
			found.Missing = append(found.Missing, id)
		}
	}
	return found, nil
}

// A cursor is a fingerprint of the list that it belongs to, followed by an offset. A cursor of
// another version, of other content or of another query is rejected.

const (
	fingerprintBytes = 12
	maxCursor        = 64 // longer than any cursor
)

// fingerprint identifies the list of a query; the limit does not matter.
func (q *ElementQuery) fingerprint(r *taxonomy.Release) []byte {
	h := sha256.New()
	for _, part := range []string{r.Version().String(), r.ContentHash().String(), q.CategoryID, q.Text, q.Locale} {
		h.Write(strconv.AppendQuote(nil, part))
	}
	return h.Sum(nil)[:fingerprintBytes]
}

// cursor returns the cursor of an offset.
func (q *ElementQuery) cursor(r *taxonomy.Release, offset int) string {
	token := binary.AppendUvarint(q.fingerprint(r), uint64(offset))
	return base64.RawURLEncoding.EncodeToString(token)
}

// offset returns the offset that the cursor of the query holds.
func (q *ElementQuery) offset(r *taxonomy.Release) (int, error) {
	if q.Cursor == "" {
		return 0, nil
	}
	if len(q.Cursor) <= maxCursor {
		token, err := base64.RawURLEncoding.DecodeString(q.Cursor)
		if err == nil && len(token) > fingerprintBytes {
			offset, _ := binary.Uvarint(token[fingerprintBytes:])
			// Other encodings of the same bytes are invalid.
			if 0 < offset && offset < uint64(len(r.ElementIDs())) && q.cursor(r, int(offset)) == q.Cursor {
				return int(offset), nil
			}
		}
	}
	return 0, malformed("cursor", nil, "retry without a cursor", "Invalid pagination cursor.")
}

// Search searches the elements of the version in a language, as [ElementQuery] matches it. It
// also returns the index, whose [search.Index.Places] finds the words of the query, and whose
// Locale is the language that was searched. The first search of a release in a language builds
// the index. A language or a category that the version lacks is an error.
func (s *Schema) Search(ctx context.Context, locale string, q search.Query) (search.Result, *search.Index, error) {
	match, err := matchLocale(s.release, locale)
	switch {
	case err != nil:
		return search.Result{}, nil, err
	case match == "":
		return search.Result{}, nil, s.unknownLocale(locale)
	}
	for _, id := range q.Categories {
		if err := s.checkCategory(id); err != nil {
			return search.Result{}, nil, err
		}
	}
	x, err := s.service.indexes.Do(ctx, indexKey{s.release.ContentHash(), match}, func() (*search.Index, int64, error) {
		x, err := search.Build(s.release, match)
		return x, 1, err
	})
	var found search.Result
	if err == nil {
		found, err = x.Search(q)
	}
	switch {
	case err == nil:
		return found, x, nil
	case isTimeout(err):
		return search.Result{}, nil, failure(issue.CodeTimeout, err, "try again", "Preparing the search index took too long.")
	}
	return search.Result{}, nil, failure(issue.CodeInternalError, err, "try again; if it keeps failing, tell the operator", "The elements of %s could not be indexed.", s.release.Version())
}

// indexKey identifies a search index.
type indexKey struct {
	content taxonomy.Hash
	locale  string
}
