package register

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Result is the documents that a query selects. It must not be changed.
type Result struct {
	// Removed are documents that matched until they were withdrawn or erased, for
	// readers that follow a list. A query with words has none.
	Removed []*Document
	// Query is the query. Its Locale is the one that was chosen.
	Query Query
	// DidYouMean is the text of the query with misspelt words replaced by those that were
	// found instead, or "" if there are none.
	DidYouMean string
	// Tag identifies what is shown, with the query: it is that of the state.
	Tag string

	table   *table
	words   *languageTable
	matches *wordMatches // nil without words
	rows    []int32      // of the documents that match in the table, in order
	counts  []int32      // by value
	facets  func() []Facet
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
	// Values are the most frequent ones first, but states of systems in the order of their life,
	// and gaps in that of [Gaps].
	Values []FacetValue `json:"values"`
	// Locales are the languages of the titles of the values, or "".
	Locales []string `json:"-"`
	// More is how many other values there are.
	More int `json:"more,omitzero"`
	// NotSaid are the documents that say nothing about the organisation, the data, the risk or
	// who decides, and NotKnown those whose schema version does not mark what says it; nil if there are none.
	// No value counts them.
	NotSaid  *FacetValue `json:"not_said,omitempty"`
	NotKnown *FacetValue `json:"not_known,omitempty"`
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
	// Type is the datachain type whose taxonomy has the value of the data, the risk or who
	// decides, or "".
	Type string `json:"type,omitempty"`
	// Level is the value of the data or the risk, and Context all that it is one of; nil for
	// elements.
	Level   *taxonomy.ContextValue `json:"-"`
	Context *taxonomy.Context      `json:"-"`
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
		if passes := t.filter(i, r.Query.Values[f], r.Query.Day); passes != nil {
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
		case row.removed:
			if failed == 0 && !searched {
				r.Removed = append(r.Removed, row.document)
			}
		case failed == 0:
			r.rows = append(r.rows, at)
			for i := range allFields {
				for _, v := range t.valuesOf(row, i, r.Query.Day) {
					r.counts[v]++
				}
			}
		case failed == 1:
			for _, v := range t.valuesOf(row, only, r.Query.Day) {
				r.counts[v]++
			}
		}
	}
}

// maxFacet is how many values of a field a list has.
const maxFacet = 100

// Facets returns the values that the documents of the list have, by field; if it has no
// documents, those of all documents, so that filters remain. A field is left out if nothing is
// said about it.
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
			if n == 0 && !chosen && (r.Len() > 0 || !r.table.has(i, v, r.Query.Day)) || f.hasState() && v < len(states) {
				continue
			}
			key := uint64(names.rank[v])
			if f.isList() {
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
		facet := Facet{Field: f, More: max(0, total-maxFacet)}
		if f.hasState() {
			facet.NotSaid, facet.NotKnown = r.unsorted(i, 0, selected), r.unsorted(i, 1, selected)
		}
		if len(order) == 0 && facet.NotSaid == nil && (facet.NotKnown == nil || !facet.NotKnown.Selected) {
			continue
		}
		slices.Sort(order)
		for _, key := range order[:min(len(order), maxFacet)] {
			v := int32(key & math.MaxInt32)
			if !f.isList() {
				v = names.order[v]
			}
			facet.Locales = append(facet.Locales, names.locales[v])
			value := &r.table.values[i][v]
			facet.Values = append(facet.Values, FacetValue{value.key, names.titles[v], int(counts[v]), slices.Contains(selected, first+v), value.typ, value.level, value.context})
		}
		facets = append(facets, facet)
	}
	return facets
}

// unsorted returns the documents of a state without a value of a field, or nil if there are none.
func (r *Result) unsorted(field, state int, selected []int32) *FacetValue {
	number, words := r.table.first[field]+int32(state), r.words.phrases
	v := &FacetValue{Value: states[state], Count: int(r.counts[number]), Selected: slices.Contains(selected, number)}
	if v.Count == 0 && !v.Selected && (r.Len() > 0 || r.table.counts[number] == 0) {
		return nil
	}
	if v.Title = words.NotSaid; v.Value == NotKnown {
		v.Title = words.Unsorted[roleOf(allFields[field])]
	}
	return v
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
	cursorErr := &datachain.Error{Kind: datachain.KindMalformed, Param: "cursor", Issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: "Invalid pagination cursor.", FixHint: "retry without a cursor",
	}}
	token, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(cursor) > maxCursor || len(token) <= cursorPrint {
		return 0, cursorErr
	}
	offset, n := binary.Uvarint(token[cursorPrint:])
	if n <= 0 || offset < 1 || offset > 1<<30 {
		return 0, cursorErr
	}
	if r.Len() == 0 {
		return 0, nil // the documents were withdrawn
	}
	// Only the query is compared: the fingerprint is the same for each offset.
	if fingerprint, _ := base64.RawURLEncoding.DecodeString(r.cursor(1)); !bytes.Equal(fingerprint[:cursorPrint], token[:cursorPrint]) {
		return 0, cursorErr
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
