package explorer

import (
	"net/url"

	"github.com/datachain-go/datachain/export/crosswalk"
	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/taxonomy"
)

// scheme is the data of the page of a scheme.
type scheme struct {
	Head           *versionHead
	ID             string
	Title, Edition text
	Source         weblink.Link
	Entries        []*schemeEntry
	Notice         string
	Pages          *pager
	Unmapped       []*unmapped
}

// schemeEntry is an entry of a scheme and what answers to it.
type schemeEntry struct {
	ID     text
	Mapped []mappedItem
}

// mappedItem is an element or a category that answers to an entry.
type mappedItem struct {
	named
	Category bool
	Relation string
	Note     text
}

// unmapped is a category and its elements without a mapping to a scheme, or some of them.
type unmapped struct {
	Category named
	Count    string
	Elements []named
	More     bool // there are others
}

// mappedPerPage is the number of mappings on a page of a scheme.
const mappedPerPage = 500

// buildScheme shows what in a version answers to each entry of a scheme, such as an article
// of a law, and what does not.
func buildScheme(q *request) (*content, error) {
	r, w := q.release(), q.words
	v := r.Version()
	s, ok := r.Manifest().Scheme(q.id)
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
	d := &scheme{
		Head: q.head(), ID: s.ID, Title: q.name(s.Title, s.ID), Edition: q.raw(s.Version), Source: weblink.New(s.URL, "https", "http"),
		Unmapped: q.unmapped(without),
	}
	last := max(1, (len(all)+mappedPerPage-1)/mappedPerPage)
	current, notice := q.turnTo(last)
	path, state := schemePath(v, s.ID), paged(nil)
	d.Entries = q.entries(all[(current-1)*mappedPerPage : min(current*mappedPerPage, len(all))])
	d.Pages, d.Notice = q.pager(path, state, current, last), notice
	return &content{
		Title: d.Title.Plain, Description: short(w.Word("scheme.lead"), maxDescription), Path: path, State: state(current),
		JSON: apiPath(v) + "/mappings?scheme=" + url.QueryEscape(s.ID), Section: q.taxonomies(), Data: d, Unlisted: current > 1,
	}, nil
}

// entries describes mappings, which are in the order of entries.
func (q *request) entries(list []crosswalk.Mapped) []*schemeEntry {
	v := q.release().Version()
	var entries []*schemeEntry
	id := ""
	for i := range list {
		m := &list[i]
		if len(entries) == 0 || !notation.Same(m.ID, id) {
			id = m.ID
			entries = append(entries, &schemeEntry{ID: q.raw(id)})
		}
		item := mappedItem{Relation: q.words.Word("scheme.relations." + string(m.Relation)), Note: q.text(m.Note)}
		if item.Category = m.CategoryID != ""; item.Category {
			item.named = named{Name: q.name(m.Title, m.CategoryID), URL: q.to(categoryPath(v, m.CategoryID), nil)}
		} else {
			e, _ := q.release().Element(m.ElementID) // it has the mapping
			item.named = named{Name: q.titled(e, nil), URL: q.to(elementPath(v, e.ID), nil)}
		}
		last := entries[len(entries)-1]
		last.Mapped = append(last.Mapped, item)
	}
	return entries
}

// unmapped describes the elements without a mapping to a scheme by category. In a large
// taxonomy, each category shows some of them.
func (q *request) unmapped(elements []*taxonomy.Element) []*unmapped {
	r, w := q.release(), q.words
	v := r.Version()
	most := len(elements)
	if most > showAll {
		most = max(1, showSome/len(r.Categories()))
	}
	var list []*unmapped
	for len(elements) > 0 {
		c, _ := r.Category(elements[0].CategoryID) // every element has one
		n := 1
		for n < len(elements) && elements[n].CategoryID == c.ID {
			n++
		}
		u := &unmapped{Category: named{Name: q.name(c.Name, c.ID), URL: q.to(categoryPath(v, c.ID), nil)}, Count: w.Count("layout.elements", n)}
		for _, e := range elements[:min(n, most)] {
			u.Elements = append(u.Elements, named{Name: q.titled(e, nil), URL: q.to(elementPath(v, e.ID), nil)})
		}
		u.More = n > most
		list, elements = append(list, u), elements[n:]
	}
	return list
}
