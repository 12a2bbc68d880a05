package explorer

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/search"
)

// results are a page of what a search or a filter finds.
type results struct {
	Summary string
	Cards   []*card
	Page    int
	Pages   []pageLink
	// Clear leads back to the whole catalog.
	Clear string

	query, category string
}

// pageLink leads to a page of results. Without a number it is a gap.
type pageLink struct {
	Number, URL string
	Current     bool
}

// maxQueryText is how much of a query is searched for.
const maxQueryText = 200

// query returns the text that is searched for.
func (q *request) query() string {
	text := strings.ToValidUTF8(strings.TrimSpace(q.params.Get("q")), "\uFFFD")
	for utf8.RuneCountInString(text) > maxQueryText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// search returns a page of results, the best first, or the elements of a category.
func (q *request) search(text, category string, compared *comparison) (*results, error) {
	r, w := q.release(), q.words
	res := &results{query: text, category: category, Page: 1, Clear: q.to(catalogPath(r.Version()), nil)}
	if n, err := strconv.Atoi(q.params.Get("page")); err == nil && n > 0 && n < 1<<20 {
		res.Page = n
	}
	query := search.Query{Text: text, Offset: (res.Page - 1) * pageSize, Limit: pageSize}
	var total int
	if text == "" {
		begin, end := r.CategoryRange(category)
		total = end - begin
		for _, e := range r.ElementRange(min(begin+query.Offset, end), min(begin+query.Offset+pageSize, end)) {
			c := q.card(q.schema, e, nil, query)
			q.mark(c, e, compared)
			res.Cards = append(res.Cards, c)
		}
	} else {
		if category != "" {
			query.Categories = []string{category}
		}
		found, index, err := q.schema.Search(q.ctx, q.locale, query)
		if err != nil {
			return nil, err
		}
		total = found.Total
		for _, hit := range found.Hits {
			c := q.card(q.schema, hit.Element, index, query)
			q.mark(c, hit.Element, compared)
			if cat, ok := r.Category(hit.Element.CategoryID); ok {
				c.Category = q.name(cat.Name, cat.ID)
			}
			res.Cards = append(res.Cards, c)
		}
	}
	res.Summary = w.Count(w.Layout.Found, total)
	res.Pages = q.pageLinks(res, (total+pageSize-1)/pageSize)
	return res, nil
}

// state is the query of a page of results.
func (res *results) state(page int) url.Values {
	state := url.Values{}
	if res.query != "" {
		state.Set("q", res.query)
	}
	if res.category != "" {
		state.Set("category", res.category)
	}
	if page > 1 {
		state.Set("page", strconv.Itoa(page))
	}
	return state
}

// apiState is the query of the API with the same results.
func (res *results) apiState(locale string) url.Values {
	state := url.Values{}
	if res.query != "" {
		state.Set("query", res.query)
		state.Set("locale", locale)
	}
	if res.category != "" {
		state.Set("category_id", res.category)
	}
	return state
}

// pageLinks leads to the first, the last and the nearest pages.
func (q *request) pageLinks(res *results, last int) []pageLink {
	if last < 2 {
		return nil
	}
	const near = 2
	path := catalogPath(q.release().Version())
	var list []pageLink
	for n := 1; n <= last; n++ {
		if n > 1 && n < last && (n < res.Page-near || n > res.Page+near) {
			if list[len(list)-1].Number != "" {
				list = append(list, pageLink{})
			}
			continue
		}
		list = append(list, pageLink{q.words.Number(n), q.to(path, res.state(n)), n == res.Page})
	}
	return list
}
