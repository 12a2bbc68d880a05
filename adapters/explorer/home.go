package explorer

import (
	"context"
	"html/template"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// home is the data of the start page.
type home struct {
	Query string
	// Chain is a datachain as a picture: categories of the first taxonomy.
	Chain      []chainLink
	Taxonomies []*taxonomyCard
	// Broken are the errors of the schema source, in English. What has one is not shown.
	Broken []string
	// Summary and Results are those of a search, by taxonomy.
	Summary string
	Results []*taxonomyResults
}

// chainLink is a category with the icon of one of its elements.
type chainLink struct {
	Icon template.HTML
	Name text
}

// taxonomyResults are the best results in a taxonomy.
type taxonomyResults struct {
	Title text
	Cards []*card
	// More leads to all results, if there are others.
	More, MoreName string
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

// What a card shows at most: icons and other versions. A search shows a few results of
// each taxonomy.
const (
	maxHomeIcons   = 8
	maxOthers      = 6
	maxHomeResults = 6
	maxChain       = 5
)

func buildHome(q *request) (*content, error) {
	d := &home{Query: q.params.Get("q")}
	o := q.explorer.overview(q.ctx, q.index)
	c := &content{
		Title: q.words.Word("home.title"), Description: q.words.Word("home.lead"), Path: q.taxonomies(), JSON: "/schemas", Section: q.taxonomies(), Data: d,
		Part: q.params.Get("part"),
	}
	if c.Part == "palette" {
		c.Data = q.palette(d.Query)
		return c, nil
	}
	if d.Query != "" {
		c.State, c.Unlisted = url.Values{"q": {d.Query}}, true
		if err := q.searchAll(d, o); err != nil {
			return nil, err
		}
	}
	d.Broken = q.explorer.broken()
	for _, t := range o.types {
		c.Feeds = append(c.Feeds, q.feed(t.id))
		d.Taxonomies = append(d.Taxonomies, q.taxonomyCard(t))
		if t.schema != nil && d.Chain == nil {
			d.Chain = q.chain(t.schema)
		}
	}
	return c, nil
}

// maxBroken is how many errors of a schema source the start page shows.
const maxBroken = 20

// broken returns the errors of the schema source that is served.
func (e *Explorer) broken() (list []string) {
	if e.options.Findings == nil {
		return nil
	}
	for _, finding := range e.options.Findings().With(issue.SeverityError) {
		if len(list) == maxBroken {
			break
		}
		line := finding.Message
		if at := finding.Position.String(); at != "" {
			line = at + ": " + line
		}
		if finding.FixHint != "" {
			line += " (" + finding.FixHint + ")"
		}
		list = append(list, i18n.Clean(line))
	}
	return list
}

// chain returns the first categories of a version that have elements.
func (q *request) chain(schema *datachain.Schema) (list []chainLink) {
	r, own := schema.Release(), q.about(schema.Release())
	for _, c := range r.Categories() {
		if begin, end := r.CategoryRange(c.ID); begin < end && len(list) < maxChain {
			list = append(list, chainLink{own.icon(schema, r.Elements()[begin]), own.name(c.Name, c.ID)})
		}
	}
	q.icons = own.icons
	return list
}

// searchAll finds the best results in the latest version of each type.
func (q *request) searchAll(d *home, o *overview) error {
	total := 0
	for _, t := range o.types {
		if t.schema == nil {
			continue
		}
		own := q.about(t.schema.Release())
		query := search.Query{Text: d.Query, Limit: maxHomeResults}
		found, index, err := t.schema.Search(q.ctx, own.chooser().Locale, query)
		if err != nil {
			return err
		}
		total += found.Total
		r := &taxonomyResults{Title: own.name(t.schema.Release().Manifest().Title, t.id)}
		for _, hit := range found.Hits {
			r.Cards = append(r.Cards, own.card(t.schema, hit.Element, index, query, nil))
		}
		if q.icons = own.icons; found.Total > len(r.Cards) {
			r.More = q.to(catalogPath(t.latest.ID), url.Values{"q": {d.Query}})
			r.MoreName = q.words.Word("home.allresults", q.words.Number(found.Total))
		}
		if len(r.Cards) > 0 {
			d.Results = append(d.Results, r)
		}
	}
	d.Summary = q.words.Count("layout.found", total)
	return nil
}

// about returns the request with the languages of a release, for pages about several.
func (q *request) about(r *taxonomy.Release) *request {
	own := *q
	own.texts = phrases.NewChooser(r.Locales(), q.locale)
	return &own
}

// taxonomyCard describes a datachain type.
func (q *request) taxonomyCard(t *publishedType) *taxonomyCard {
	v := t.latest.ID
	card := &taxonomyCard{
		Title: q.raw(v.Type()), Version: v.String(), URL: q.to(catalogPath(v), nil), Download: q.api(apiPath(v) + "/release"),
		Status: string(v.Status()), StatusName: q.standing(t.latest), Released: q.dated(v),
		Unreadable: t.schema == nil,
	}
	for _, e := range t.entries {
		if e.ID != v && len(card.Others) < maxOthers {
			card.Others = append(card.Others, choice{Name: q.words.Day(q.released(e.ID)), Note: q.standing(e), URL: q.to(catalogPath(e.ID), nil)})
		}
	}
	if t.schema == nil {
		return card
	}
	r := t.schema.Release()
	own := q.about(t.schema.Release())
	card.Title = own.name(r.Manifest().Title, v.Type())
	card.Kind = own.name(r.Type().Name, v.Type())
	card.Description = own.text(r.Manifest().Description)
	card.Facts = q.words.facts(r)
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
				list, found = append(list, r.Elements()[begin+round]), true
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
		return q.words.Word("layout.beta")
	}
	return q.words.Word("layout.stable")
}

// overview is what an index lists, by datachain type.
type overview struct {
	index *taxonomy.Index
	types []*publishedType
	// locales are the languages of the words of pages and of the latest versions, and
	// translated those of the latest versions, or English.
	locales, translated []string
}

// publishedType is the versions of a datachain type.
type publishedType struct {
	id      string
	entries []taxonomy.Entry // newest first
	latest  taxonomy.Entry
	schema  *datachain.Schema // of the latest version, or nil if it can't be read
}

// first returns the version to write new documents for: the newest stable one, or else the
// latest.
func (t *publishedType) first() taxonomy.Version {
	for _, e := range t.entries {
		if e.ID.Status() == taxonomy.Stable {
			return e.ID
		}
	}
	return t.latest.ID
}

// overview returns the overview of an index. It is kept until the index changes, if all
// latest versions could be read.
func (e *Explorer) overview(ctx context.Context, index *taxonomy.Index) *overview {
	if kept := e.overviews.Load(); kept != nil && kept.index.Equal(index) {
		return kept
	}
	o := &overview{index: index, types: byType(index), locales: slices.Clone(dictionary().Languages)}
	complete, translated := true, make(map[string]bool)
	for _, t := range o.types {
		schema, err := e.service.Open(ctx, t.latest.ID.String())
		if err != nil {
			complete = false
			continue
		}
		t.schema = schema
		complete = complete && schema.Release().ContentHash() == t.latest.ContentHash
		for _, locale := range schema.Release().Locales() {
			translated[locale] = true
			if !slices.Contains(o.locales, locale) {
				o.locales = append(o.locales, locale)
			}
		}
	}
	o.translated = slices.DeleteFunc(slices.Clone(o.locales), func(locale string) bool { return !translated[locale] })
	if len(o.translated) == 0 {
		o.translated = o.locales[:1]
	}
	if complete {
		e.overviews.Store(o)
	}
	return o
}

// byType groups the versions of an index, which are sorted by type, then newest first.
func byType(index *taxonomy.Index) []*publishedType {
	var list []*publishedType
	for _, entry := range index.Entries() {
		if len(list) == 0 || list[len(list)-1].id != entry.ID.Type() {
			list = append(list, &publishedType{id: entry.ID.Type(), latest: entry})
		}
		t := list[len(list)-1]
		t.entries = append(t.entries, entry)
		if slices.Contains(entry.Aliases, t.id+"@"+codes.AliasLatest) {
			t.latest = entry
		}
	}
	return list
}

// siblings returns the versions of the same type as the one of the request.
func (q *request) siblings() []taxonomy.Entry {
	typ := q.release().Version().Type()
	return slices.DeleteFunc(q.index.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != typ })
}
