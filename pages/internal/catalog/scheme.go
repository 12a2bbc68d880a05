package catalog

import (
	"net/url"

	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/release/crosswalk"
	"github.com/datachain-go/datachain/taxonomy"
)

// schemeData is the data of the page of a scheme.
type schemeData struct {
	Scheme *taxonomy.Scheme
	// Inside is nil, since a scheme belongs to no category.
	Inside *taxonomy.Category
	// Entries are the mappings of each entry, of one page of the list.
	Entries [][]crosswalk.Mapped
	Notice  string
	Pages   *core.Pager
	// Unmapped are the elements without a mapping, by category. Each category shows Most of
	// them.
	Unmapped [][]*taxonomy.Element
	Most     int
}

// mappedPerPage is the number of mappings on a page of a scheme.
const mappedPerPage = 500

// buildScheme shows what in a version answers to each entry of a scheme, such as an article
// of a law, and what does not.
func buildScheme(q *request) (*core.Content, error) {
	r := q.Release()
	v := r.Version()
	s, ok := r.Manifest().Scheme(q.ID)
	if !ok {
		var ids []string
		for _, known := range r.Manifest().Schemes {
			ids = append(ids, known.ID)
		}
		return nil, q.noPart("scheme", "scheme", ids)
	}
	all, err := crosswalk.Mappings(r, s.ID, "")
	if err != nil {
		return nil, err
	}
	_, without, err := crosswalk.Unmapped(r, s.ID)
	if err != nil {
		return nil, err
	}
	d := &schemeData{Scheme: s, Most: len(without)}
	if d.Most > showAll {
		d.Most = max(1, showSome/len(r.Categories()))
	}
	last := max(1, (len(all)+mappedPerPage-1)/mappedPerPage)
	current, notice := q.TurnTo(last)
	path, state := core.SchemePath(v, s.ID), core.Paged(nil)
	shown := all[(current-1)*mappedPerPage : min(current*mappedPerPage, len(all))]
	d.Entries = grouped(shown, func(a, b crosswalk.Mapped) bool { return notation.Same(a.ID, b.ID) })
	d.Unmapped = grouped(without, func(a, b *taxonomy.Element) bool { return a.CategoryID == b.CategoryID })
	d.Pages, d.Notice = q.Pager(path, state, current, last), notice
	return &core.Content{
		Title: q.Name(s.Title, s.ID).Value, Description: core.Short(q.Word("scheme.lead"), core.MaxDescription), Path: path, State: state(current),
		JSON: core.APIPath(v) + "/mappings?scheme=" + url.QueryEscape(s.ID), Section: q.Taxonomies(), Data: d, Unlisted: current > 1,
	}, nil
}

// grouped splits a list where a value is not the same as the first one of its group.
func grouped[T any](list []T, same func(a, b T) bool) (groups [][]T) {
	begin := 0
	for i := range list {
		if !same(list[begin], list[i]) {
			groups, begin = append(groups, list[begin:i]), i
		}
	}
	if len(list) > 0 {
		groups = append(groups, list[begin:])
	}
	return groups
}
