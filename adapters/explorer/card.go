package explorer

import (
	"html/template"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// card is an element in a list.
type card struct {
	ID, URL      string
	Title, About text
	Icon         template.HTML
	// Category is its category, if the list has several.
	Category text
	Marks    []badge
}

// badge is a short remark.
type badge struct{ Class, Name string }

// maxAbout is how much of a description a card shows.
const maxAbout = 240

// card describes an element in a list. The index and the query are those of a search, or
// zero.
func (q *request) card(schema *datachain.Schema, e *taxonomy.Element, x *search.Index, query search.Query) *card {
	var title, about []span
	if x != nil {
		for _, p := range x.Places(e, query) {
			switch p.Field {
			case search.Title:
				title = append(title, span{p.Start, p.End})
			case search.Description:
				about = append(about, span{p.Start, p.End})
			}
		}
	}
	return &card{
		ID: e.ID, URL: q.to(elementPath(schema.Release().Version(), e.ID), nil), Icon: q.icon(schema, e),
		Title: q.titled(e, title), About: q.blanks(shortened(e.Description, maxAbout), e.Variables, about), Marks: q.elementBadges(e, nil),
	}
}

// titled returns the title of an element, or its id if it has none.
func (q *request) titled(e *taxonomy.Element, found []span) text {
	if t := q.blanks(e.Title, e.Variables, found); !t.Empty() {
		return t
	}
	return q.raw(e.ID)
}

// shortened cuts the texts of a description. The places of matches in what is left stay
// the same.
func shortened(l taxonomy.Localized, most int) taxonomy.Localized {
	cut := make(taxonomy.Localized, len(l))
	for i, t := range l {
		cut[i] = taxonomy.Text{Locale: t.Locale, Value: short(t.Value, most)}
	}
	return cut
}

// mark says that an element is deprecated, and how it differs from the last stable
// version.
func (q *request) mark(c *card, e *taxonomy.Element, since *comparison) {
	c.Marks = q.elementBadges(e, since)
}

// change names a change.
func (q *request) change(k diff.Kind) (badge, bool) {
	switch k {
	case diff.Added:
		return badge{"added", q.words.Layout.New}, true
	case diff.Changed:
		return badge{"changed", q.words.Layout.Changed}, true
	}
	return badge{}, false
}
