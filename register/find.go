package register

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Field is a property of documents by which a list can be filtered, and the name of its
// parameter.
type Field string

// The fields of a [Query].
const (
	ByType         Field = "type"         // the datachain type, such as ai
	ByStatus       Field = "status"       // a [Status]
	ByOrganisation Field = "organisation" // its id, or its name in any language
	ByTheme        Field = "theme"        // its name in any language
	ByData         Field = "data"         // the context value of the data in the summary
	ByRisk         Field = "risk"         // that of the risk
	ByElement      Field = "element"      // the id of an element that is placed
	ByPlace        Field = "place"        // its name in any language
)

// Fields returns the fields, in the order in which lists show them.
func Fields() []Field { return slices.Clone(allFields[:]) }

var allFields = [...]Field{ByType, ByStatus, ByOrganisation, ByTheme, ByData, ByRisk, ByElement, ByPlace}

// position returns the position of a field among all, or -1.
func (f Field) position() int { return slices.Index(allFields[:], f) }

// Sort is the order of a list.
type Sort string

// The orders of a list.
const (
	ByRelevance Sort = "relevance" // the best match first; without words it is ByChange
	ByChange    Sort = "change"    // the newest edition first
	ByTitle     Sort = "title"     // as people of the language sort titles
)

// Query selects documents of a [State].
type Query struct {
	// Text is words to search for. They are looked up in titles, in the
	// documents' own words, in the names of organisations and places, and in the
	// titles and keywords of elements, as are their synonyms. Empty means all
	// documents.
	Text string
	// Values are the allowed values of fields; a document that has one of them is
	// selected. Without a status, all documents but retired ones are.
	Values map[Field][]string
	// Sort is the order; empty means [ByRelevance].
	Sort Sort
	// Locale is the language of the words and of what is shown; see
	// [State.Languages]. Empty means the first.
	Locale string
}

// maxValues is how many values of a field a query can have.
const maxValues = 50

// ParseQuery reads a query from the parameters of a URL: q or query, sort, lang or locale,
// and the fields. A parameter can be repeated; several ids can also be separated by commas. It
// returns a [datachain.Error] if a parameter is malformed.
func ParseQuery(values url.Values) (Query, error) {
	q := Query{
		Text: cmp.Or(values.Get("q"), values.Get("query")), Sort: Sort(values.Get("sort")), Locale: cmp.Or(values.Get("locale"), values.Get("lang")),
		Values: make(map[Field][]string),
	}
	for _, f := range allFields {
		for _, value := range values[string(f)] {
			list := []string{value}
			if f != ByOrganisation && f != ByTheme && f != ByPlace { // names can have commas
				list = strings.Split(value, ",")
			}
			for _, value := range list {
				if value = strings.TrimSpace(value); value != "" {
					q.Values[f] = append(q.Values[f], value)
				}
			}
		}
	}
	err := q.check()
	return q, err
}

// Encode returns the query as the parameters of a URL, which [ParseQuery] reads. Equal
// queries are encoded equally.
func (q *Query) Encode() string {
	values := make(url.Values)
	for name, value := range map[string]string{"q": q.Text, "sort": string(q.Sort), "lang": q.Locale} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for f, list := range q.Values {
		values[string(f)] = list
	}
	return values.Encode()
}

// check returns what is malformed.
func (q *Query) check() error {
	if sorts := []Sort{ByRelevance, ByChange, ByTitle}; q.Sort != "" && !slices.Contains(sorts, q.Sort) {
		return badQuery("sort", names(sorts), "The order %s is not known.", wording.Quote(string(q.Sort)))
	}
	for f, values := range q.Values {
		if f.position() < 0 {
			return badQuery(string(f), names(Fields()), "There is no field %s.", wording.Quote(string(f)))
		}
		if len(values) > maxValues {
			return badQuery(string(f), nil, "The parameter %s has more than %d values.", f, maxValues)
		}
	}
	for _, s := range q.Values[ByStatus] {
		if !slices.Contains(Statuses(), Status(s)) {
			return badQuery(string(ByStatus), names(Statuses()), "The status %s is not known.", wording.Quote(s))
		}
	}
	return datachain.Check("locale", q.Locale)
}

func names[S ~string](values []S) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

func badQuery(param string, known []string, format string, args ...any) error {
	hint := "send fewer values"
	if known != nil {
		hint = "use " + wording.Or(known)
	}
	return &datachain.Error{Kind: datachain.KindMalformed, Param: param, Known: known, Issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: fmt.Sprintf(format, args...), FixHint: hint,
	}}
}

// Result is the documents that a query selects. It must not be changed.
type Result struct {
	// Gone are documents that matched until they were withdrawn or erased, for
	// readers that follow a list. A query with words has none.
	Gone []*Document
	// Query is the query. Its Locale is the one that was chosen.
	Query Query
	// DidYouMean is the text of the query with misspelt words replaced by those that were
	// found instead, or "" if there are none.
	DidYouMean string
	// Tag identifies what is shown, with the query: it is that of the state.
	Tag string

	table  *table
	words  *languageTable
	rows   []int32 // of the documents that match in the table, in order
	counts []int32 // by value
	facets func() []Facet
}

// Len returns how many documents match.
func (r *Result) Len() int { return len(r.rows) }

// All returns the documents that match, in order, with their position.
func (r *Result) All() iter.Seq2[int, *Document] {
	return func(yield func(int, *Document) bool) {
		for i := range r.rows {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// At returns a document that matches by its position in the order.
func (r *Result) At(i int) *Document { return r.table.rows[r.rows[i]].document }

// Facet has the values of a field that the documents of a list have.
type Facet struct {
	Field Field `json:"field"`
	// Values are the most frequent ones first, and states of systems in the order
	// of their life.
	Values []FacetValue `json:"values"`
	// Locales are the languages of the titles of the values, or "".
	Locales []string `json:"-"`
	// More is how many other values there are.
	More int `json:"more,omitzero"`
}

// FacetValue is a value of a field.
type FacetValue struct {
	Value string `json:"value"` // for a query
	Title string `json:"title"` // for people
	// Count is how many documents have the value and match the words and the other
	// fields of the query.
	Count int `json:"count"`
	// Selected is set if the query has the value.
	Selected bool `json:"selected,omitzero"`
}

// Languages returns the languages of a register, the one to use if no other is asked for
// first: those of its settings, or those of the documents, beginning with the one that most
// of them have first in their titles.
func (s *State) Languages() []string { return slices.Clone(s.finder.table(s).languages) }

// LanguagesOf returns the languages of a document of the register, in the order of those of
// the register.
func (s *State) LanguagesOf(d *Document) []string {
	all := s.Languages()
	if len(d.Locales) == 0 {
		return all
	}
	rank := func(locale string) int {
		i := slices.Index(all, locale)
		if i < 0 { // such as en-GB if the register has en
			i = slices.IndexFunc(all, func(known string) bool { return i18n.Same(known, locale) })
		}
		if i < 0 {
			return len(all)
		}
		return i
	}
	return slices.SortedStableFunc(slices.Values(d.Locales), func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// Find returns the documents that a query selects. It fails with a [datachain.Error] if
// the query is malformed.
func (s *State) Find(q Query) (*Result, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	t := s.finder.table(s)
	w := s.finder.language(t, phrases.NewChooser(t.languages, q.Locale).Locale)
	q.Locale = w.texts.Locale
	r := &Result{Query: q, Tag: s.tag, table: t, words: w}
	r.facets = sync.OnceValue(r.countFacets)
	order, matched := t.byChange, []bool(nil)
	if q.Sort == ByTitle {
		order = w.byTitle
	}
	if search.HasWord(q.Text) {
		found, meant, err := w.index().Positions(search.Query{Text: q.Text, Limit: -1})
		if err != nil {
			return nil, err
		}
		r.DidYouMean = meant
		if q.Sort == "" || q.Sort == ByRelevance {
			order = found
		} else {
			matched = make([]bool, len(t.rows))
			for _, at := range found {
				matched[at] = true
			}
		}
	}
	r.filter(order, matched)
	if len(r.rows) == 0 {
		r.DidYouMean = ""
	}
	return r, nil
}

// filter selects documents, and counts the values of each field without its own filter.
func (r *Result) filter(order []int32, matched []bool) {
	t := r.table
	r.counts = make([]int32, t.first[len(allFields)])
	type filter struct {
		field  int
		passes func(row *row) bool
	}
	var filters []filter
	for i, f := range allFields {
		if passes := t.filter(i, r.Query.Values[f]); passes != nil {
			filters = append(filters, filter{i, passes})
		}
	}
	searched := search.HasWord(r.Query.Text)
	r.rows = make([]int32, 0, len(order))
	for _, at := range order {
		if len(matched) > 0 && !matched[at] {
			continue
		}
		row := &t.rows[at]
		failed, only := 0, 0 // how many filters, and the last of them
		for _, f := range filters {
			if !f.passes(row) {
				if failed, only = failed+1, f.field; failed > 1 {
					break
				}
			}
		}
		switch {
		case row.gone:
			if failed == 0 && !searched {
				r.Gone = append(r.Gone, row.document)
			}
		case failed == 0:
			r.rows = append(r.rows, at)
			for _, v := range t.rowCells(at) {
				r.counts[v]++
			}
		case failed == 1:
			for _, v := range t.cells[row.ends[only]:row.ends[only+1]] {
				r.counts[v]++
			}
		}
	}
}

// maxFacet is how many values of a field a list has.
const maxFacet = 100

// Facets returns the values that the documents of the list have, by field; if it has no
// documents, those of all documents, so that filters remain. A field without values is left
// out.
func (r *Result) Facets() []Facet { return r.facets() }

func (r *Result) countFacets() (facets []Facet) {
	for i, f := range allFields {
		first, names := r.table.first[i], &r.words.values[i]
		counts := r.counts[first:r.table.first[i+1]]
		selected := r.table.find(i, r.Query.Values[f])
		// Selected values come first, then the most frequent ones, then by title.
		order, total, last := make([]uint64, 0, 2*maxFacet), 0, uint64(math.MaxUint64)
		for v, n := range counts {
			chosen := len(selected) > 0 && slices.Contains(selected, first+int32(v))
			if n == 0 && !chosen && (r.Len() > 0 || r.table.counts[first+int32(v)] == 0) {
				continue
			}
			key := uint64(names.rank[v])
			if f == ByStatus {
				key = uint64(v)
			} else if !chosen {
				key |= 1<<63 | uint64(math.MaxInt32-n)<<31
			}
			if total++; key > last { // others come first
				continue
			}
			if order = append(order, key); len(order) == cap(order) { // places can be many
				slices.Sort(order)
				order, last = order[:maxFacet], order[maxFacet-1]
			}
		}
		if len(order) == 0 {
			continue
		}
		slices.Sort(order)
		facet := Facet{Field: f, More: max(0, total-maxFacet)}
		for _, key := range order[:min(len(order), maxFacet)] {
			v := int32(key & math.MaxInt32)
			if f != ByStatus {
				v = names.order[v]
			}
			facet.Locales = append(facet.Locales, names.locales[v])
			facet.Values = append(facet.Values, FacetValue{r.table.values[i][v].key, names.titles[v], int(counts[v]), slices.Contains(selected, first+v)})
		}
		facets = append(facets, facet)
	}
	return facets
}

// Page returns at most limit documents, starting at a cursor, and the cursor of the next page, which
// is "" after the last one. The first page has the cursor "". A cursor is valid for the same query
// with any limit, and continues at the same document if the register has changed.
func (r *Result) Page(limit int, cursor string) (page []*Document, next string, err error) {
	if limit < 1 {
		return nil, "", &datachain.Error{Kind: datachain.KindMalformed, Param: "limit", Issue: issue.Issue{
			Code: issue.CodeBadRequest, Message: "The limit must be at least 1.", FixHint: "use a positive integer",
		}}
	}
	begin, err := r.begin(cursor)
	if err != nil {
		return nil, "", err
	}
	end := min(begin+limit, r.Len())
	if end < r.Len() {
		next = r.cursor(end)
	}
	for i := begin; i < end; i++ {
		page = append(page, r.At(i))
	}
	return page, next, nil
}

const (
	cursorPrint = 12 // bytes that identify the query
	maxCursor   = 256
)

// cursor is a fingerprint of the query, an offset, and the slug of the document before it.
func (r *Result) cursor(offset int) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %q %q", r.Query.Text, r.Query.Sort, r.Query.Locale) // a hash does not fail
	for _, f := range allFields {
		_, _ = fmt.Fprintf(h, " %q", r.Query.Values[f])
	}
	token := binary.AppendUvarint(h.Sum(nil)[:cursorPrint], uint64(offset))
	return base64.RawURLEncoding.EncodeToString(append(token, r.At(offset-1).Slug...))
}

// begin returns the position of the first document of a page.
func (r *Result) begin(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	wrong := &datachain.Error{Kind: datachain.KindMalformed, Param: "cursor", Issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: "Invalid pagination cursor.", FixHint: "retry without a cursor",
	}}
	token, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(cursor) > maxCursor || len(token) <= cursorPrint {
		return 0, wrong
	}
	offset, n := binary.Uvarint(token[cursorPrint:])
	if n <= 0 || offset < 1 || offset > 1<<30 {
		return 0, wrong
	}
	if r.Len() == 0 {
		return 0, nil // the documents were withdrawn
	}
	// Only the query is compared: the fingerprint is the same for each offset.
	if mine, _ := base64.RawURLEncoding.DecodeString(r.cursor(1)); !bytes.Equal(mine[:cursorPrint], token[:cursorPrint]) {
		return 0, wrong
	}
	begin, slug := min(int(offset), r.Len()), string(token[cursorPrint+n:])
	if r.At(begin-1).Slug == slug {
		return begin, nil
	}
	for i, d := range r.All() {
		if d.Slug == slug {
			return i + 1, nil
		}
	}
	return begin, nil
}
