package core

import (
	"html/template"
	"maps"
	"net/url"
	"strconv"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// Pager leads to the pages of a list. A link without a name is a gap.
type Pager struct {
	Label string
	Links []Choice
}

// Meant links to a search with its misspelt words corrected; it is nil if there are none.
func Meant(query, url string) *Choice {
	if query == "" {
		return nil
	}
	return &Choice{Name: query, URL: url}
}

// Paged adds the number of a page to the query of a list. The first page has none.
func Paged(state url.Values) func(page int) url.Values {
	return func(page int) url.Values {
		if page == 1 {
			return state
		}
		return With(state, "page", strconv.Itoa(page))
	}
}

// TurnTo returns the page of a list that the request names. If the list has none like it, that
// is the nearest one, with a notice.
func (q *Request) TurnTo(last int) (page int, notice string) {
	asked := q.Params.Get("page")
	if asked == "" {
		return 1, ""
	}
	n, err := strconv.Atoi(asked) // a number that is too large for an int is the largest int
	if page = min(max(n, 1), last); err != nil || n != page {
		notice = q.Word("layout.nopage", q.Repeated(asked), q.Number(page), q.Number(last))
	}
	return page, notice
}

// Pager leads to the first, the last and the nearest pages of a list, which have the queries
// that state returns. It is nil for a single page.
func (q *Request) Pager(path string, state func(page int) url.Values, current, last int) *Pager {
	if last < 2 {
		return nil
	}
	const near = 2
	var list []Choice
	for n := 1; n <= last; n++ {
		if n > 1 && n < last && (n < current-near || n > current+near) {
			if list[len(list)-1].Name != "" {
				list = append(list, Choice{})
			}
			continue
		}
		list = append(list, Choice{Name: q.Number(n), URL: q.To(path, state(n)), Current: n == current})
	}
	return &Pager{q.Word("layout.pages"), list}
}

// Repeated returns a part of the address as a page repeats it.
func (q *Request) Repeated(s string) string { return q.Raw(wording.Clip(s)).Value }

// With returns a state with another value, or without one.
func With(state url.Values, name, value string) url.Values {
	other := make(url.Values, len(state)+1)
	maps.Copy(other, state)
	if other.Del(name); value != "" {
		other.Set(name, value)
	}
	return other
}

// ElementRow is an element in a list.
type ElementRow struct {
	ID, URL      string
	Title, About phrases.Text
	Icon         template.HTML
	// Category is its category, if the list has several.
	Category phrases.Text
	Marks    []Badge
}

// ElementRow describes an element in a list. The index and the query are those of a search, or
// zero.
func (q *Request) ElementRow(schema *datachain.Schema, e *taxonomy.Element, x *search.Index, query search.Query) *ElementRow {
	var title, about []Span
	if x != nil {
		for _, p := range x.Places(e, query) {
			switch p.Field {
			case search.Title:
				title = append(title, Span{p.Start, p.End})
			case search.Description:
				about = append(about, Span{p.Start, p.End})
			}
		}
	}
	return &ElementRow{
		ID: e.ID, URL: q.To(ElementPath(schema.Release().Version(), e.ID), nil), Icon: q.Icon(schema, e),
		Title: q.Titled(e, title), About: q.Blanks(Shortened(e.Description, MaxAbout), e.Variables, about), Marks: q.Deprecated(e),
	}
}

// Deprecated is the remark on an element that is deprecated, or nothing.
func (q *Request) Deprecated(e *taxonomy.Element) []Badge {
	if !e.Deprecated() {
		return nil
	}
	return []Badge{{"deprecated", q.Word("layout.deprecated")}}
}
