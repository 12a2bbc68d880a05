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
	// Notice says that there is no such page, and which one is shown instead.
	Notice string
	Cards  []*card
	Page   int
	Pages  []pageLink
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

// search returns a page of results, the best first, or the elements of a category. If
// there is no such page, that is the last one.
func (q *request) search(text, category string, compared *comparison) (*results, error) {
	w := q.words
	res := &results{query: text, category: category, Page: 1, Clear: q.to(catalogPath(q.release().Version()), nil)}
	if n, err := strconv.Atoi(q.params.Get("page")); err == nil && n > 0 && n < 1<<20 {
		res.Page = n
	}
	total, err := q.fill(res, compared)
	last := max(1, (total+pageSize-1)/pageSize)
	if err == nil && total > 0 && res.Page > last {
		res.Notice = w.Fill(w.Layout.NoPage, w.Number(res.Page), w.Number(last), w.Number(last))
		res.Page = last
		total, err = q.fill(res, compared)
	}
	if err != nil {
		return nil, err
	}
	res.Summary = w.Count(w.Layout.Found, total)
	res.Pages = q.pageLinks(res, last)
	return res, nil
}

// fill adds the cards of a page of results, and returns how many results there are.
func (q *request) fill(res *results, compared *comparison) (int, error) {
	r := q.release()
	query := search.Query{Text: res.query, Offset: (res.Page - 1) * pageSize, Limit: pageSize}
	if res.query == "" {
		begin, end := r.CategoryRange(res.category)
		for _, e := range r.ElementRange(min(begin+query.Offset, end), min(begin+query.Offset+pageSize, end)) {
			c := q.card(q.schema, e, nil, query)
			q.mark(c, e, compared)
			res.Cards = append(res.Cards, c)
		}
		return end - begin, nil
	}
	if res.category != "" {
		query.Categories = []string{res.category}
	}
	found, index, err := q.schema.Search(q.ctx, q.locale, query)
	if err != nil {
		return 0, err
	}
	for _, hit := range found.Hits {
		c := q.card(q.schema, hit.Element, index, query)
		q.mark(c, hit.Element, compared)
		if cat, ok := r.Category(hit.Element.CategoryID); ok {
			c.Category = q.name(cat.Name, cat.ID)
		}
		res.Cards = append(res.Cards, c)
	}
	return found.Total, nil
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
