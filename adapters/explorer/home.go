package explorer

import (
	"html/template"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// homePage lists what is published.
func homePage() *page {
	return &page{name: "home", pattern: "/", params: []string{"q"}, build: buildHome}
}

// home is the data of the start page.
type home struct {
	Query      string
	Taxonomies []*taxonomyCard
}

// taxonomyCard is the latest version of a datachain type.
type taxonomyCard struct {
	Title, Kind, Description text
	Version, URL, Download   string
	Status, StatusName       string
	Released                 string
	Facts                    []string
	Icons                    []template.HTML
	Others                   []choice
	Unreadable               bool
}

// maxHomeIcons is how many icons a card shows, and maxOthers how many other versions.
const (
	maxHomeIcons = 8
	maxOthers    = 6
)

func buildHome(q *request) (*content, error) {
	d := &home{Query: strings.TrimSpace(q.params.Get("q"))}
	o := q.explorer.overview(q.ctx, q.index)
	c := &content{
		Title: q.words.Home.Title, Description: q.words.Home.Lead, Path: "/", JSON: "/schemas", Section: "/", Data: d,
		Part: q.part("results", "palette"),
	}
	if d.Query != "" {
		c.State, c.Unlisted = url.Values{"q": {d.Query}}, true
	}
	for _, t := range o.types {
		d.Taxonomies = append(d.Taxonomies, q.taxonomyCard(t))
	}
	return c, nil
}

// taxonomyCard describes a datachain type.
func (q *request) taxonomyCard(t *publishedType) *taxonomyCard {
	v := t.latest.ID
	card := &taxonomyCard{
		Title: q.raw(v.Type()), Version: v.String(), URL: q.to(catalogPath(v), nil), Download: q.api(apiPath(v) + "/release"),
		Status: string(v.Status()), StatusName: q.status(v.Status()), Released: q.words.Fill(q.words.Home.Released, q.words.Day(v.Date())),
		Unreadable: t.schema == nil,
	}
	for _, e := range t.entries {
		if e.ID != v && len(card.Others) < maxOthers {
			card.Others = append(card.Others, choice{Name: q.words.Day(e.ID.Date()), Note: q.status(e.ID.Status()), URL: q.to(catalogPath(e.ID), nil)})
		}
	}
	if t.schema == nil {
		return card
	}
	r := t.schema.Release()
	own := *q // with the languages of this taxonomy
	own.texts = texts.NewChooser(r.Locales(), q.locale)
	card.Title = own.name(r.Manifest().Title, v.Type())
	card.Kind = own.name(r.Type().Name, v.Type())
	card.Description = own.text(r.Manifest().Description)
	w := q.words
	card.Facts = []string{
		w.Count(w.Layout.Elements, len(r.ElementIDs())), w.Count(w.Layout.Categories, len(r.Categories())), w.Count(w.Layout.Languages, len(r.Locales())),
	}
	for _, e := range spread(r, maxHomeIcons) {
		card.Icons = append(card.Icons, own.icon(t.schema, e))
	}
	q.icons = own.icons
	return card
}

// spread returns some elements of a release: the first of each category, then the
// second, in the order of categories.
func spread(r *taxonomy.Release, most int) []*taxonomy.Element {
	var list []*taxonomy.Element
	for round := 0; len(list) < most; round++ {
		found := false
		for _, c := range r.Categories() {
			begin, end := r.CategoryRange(c.ID)
			if begin+round < end && len(list) < most {
				list, found = append(list, r.ElementAt(begin+round)), true
			}
		}
		if !found {
			break
		}
	}
	return list
}

// status names the status of a version.
func (q *request) status(s taxonomy.Status) string {
	if s == taxonomy.Beta {
		return q.words.Layout.Beta
	}
	return q.words.Layout.Stable
}
