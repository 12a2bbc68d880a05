package pages

import (
	"context"
	"html/template"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// home is the data of the start page.
type home struct {
	Query string
	// Taxonomies are the types that are published.
	Taxonomies []*homeTaxonomy
	// Chain is the first of them that can be read. Its categories are a picture of a datachain.
	Chain *homeTaxonomy
	// Broken are the errors of the schema source, in English. What has one is not shown.
	Broken []string
	// Found is how many elements a search has found, and Results are the taxonomies with some.
	Found   int
	Results []*homeTaxonomy
}

// homeTaxonomy is the latest version of a datachain type, in the languages of that version.
type homeTaxonomy struct {
	*scope
	Entry  taxonomy.Entry
	Others []taxonomy.Entry
	// Found is how many elements a search has found, and Rows are the best of them.
	Found int
	Rows  []*elementRow
	// Meant is what is searched for with its misspelt words corrected, if that found something.
	Meant *choice
}

// What the start page shows of each taxonomy at most: icons, other versions and results, and how
// many categories the picture has.
const (
	maxHomeIcons   = 8
	maxOthers      = 6
	maxHomeResults = 6
	maxChain       = 5
)

func buildHome(q *request) (*content, error) {
	d := &home{Query: q.params.Get("q")}
	c := &content{
		Title: q.words.Word("home.title"), Description: q.words.Word("home.lead"), Path: q.taxonomies(), JSON: "/schemas", Section: q.taxonomies(), Data: d,
		Part: q.params.Get("part"),
	}
	for _, published := range q.handler.overview(q.ctx, q.index).types {
		t := q.homeTaxonomy(c, published)
		if d.Taxonomies = append(d.Taxonomies, t); t.Readable() && d.Chain == nil {
			d.Chain = t
		}
	}
	if d.Query != "" {
		c.State, c.Unlisted = url.Values{"q": {d.Query}}, true
		if err := d.search(); err != nil {
			return nil, err
		}
	}
	d.Broken = q.handler.broken()
	return c, nil
}

// maxBroken is how many errors of a schema source the start page shows.
const maxBroken = 20

// broken returns the errors of the schema source that is served.
func (e *Handler) broken() (list []string) {
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

// homeTaxonomy describes a datachain type.
func (q *request) homeTaxonomy(c *content, published *publishedType) *homeTaxonomy {
	t := &homeTaxonomy{scope: q.scope(c), Entry: published.latest}
	for _, e := range published.entries {
		if e.ID != t.Entry.ID && len(t.Others) < maxOthers {
			t.Others = append(t.Others, e)
		}
	}
	if published.schema != nil {
		t.request = q.about(published.schema.Release())
		t.request.schema = published.schema
	}
	return t
}

// Readable reports whether the version can be read.
func (h *homeTaxonomy) Readable() bool { return h.request.schema != nil }

// Title returns the title of the taxonomy, or else the id of its type.
func (h *homeTaxonomy) Title() text {
	if !h.Readable() {
		return h.Raw(h.Entry.ID.Type())
	}
	return h.TaxonomyTitle()
}

// Chain returns the first element of each of the first categories that have some.
func (h *homeTaxonomy) Chain() (list []*taxonomy.Element) {
	for _, c := range h.Release().Categories() {
		if begin, end := h.Release().CategoryRange(c.ID); begin < end && len(list) < maxChain {
			list = append(list, h.Release().Elements()[begin])
		}
	}
	return list
}

// Icons draws some elements.
func (h *homeTaxonomy) Icons() (list []template.HTML) {
	for _, e := range spread(h.Release(), maxHomeIcons) {
		list = append(list, h.Icon(e))
	}
	return list
}

// search finds the best results in each taxonomy.
func (h *home) search() error {
	for _, t := range h.Taxonomies {
		if !t.Readable() {
			continue
		}
		q := t.request
		query := search.Query{Text: h.Query, Limit: maxHomeResults}
		found, index, err := q.schema.Search(q.ctx, q.chooser().Locale, query)
		if err != nil {
			return err
		}
		for _, hit := range found.Hits {
			t.Rows = append(t.Rows, q.elementRow(q.schema, hit.Element, index, query, nil))
		}
		t.Meant = meant(found.DidYouMean, q.to(q.taxonomies(), url.Values{"q": {found.DidYouMean}}))
		t.Found = found.Total
		if h.Found += found.Total; len(t.Rows) > 0 {
			h.Results = append(h.Results, t)
		}
	}
	return nil
}

// about returns the request with the languages of a release, for pages about several.
func (q *request) about(r *taxonomy.Release) *request {
	own := *q
	own.texts = phrases.NewChooser(r.Locales(), q.locale)
	return &own
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
func (p *publishedType) first() taxonomy.Version {
	for _, e := range p.entries {
		if e.ID.Status() == taxonomy.Stable {
			return e.ID
		}
	}
	return p.latest.ID
}

// overview returns the overview of an index. It is kept until the index changes, if all
// latest versions could be read.
func (e *Handler) overview(ctx context.Context, index *taxonomy.Index) *overview {
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
		if isLatest(entry) {
			t.latest = entry
		}
	}
	return list
}

// isLatest reports whether a version is the latest one of its type.
func isLatest(e taxonomy.Entry) bool {
	return slices.Contains(e.Aliases, e.ID.Type()+"@"+codes.AliasLatest)
}

// siblings returns the versions of the same type as the one of the request.
func (q *request) siblings() []taxonomy.Entry {
	typ := q.release().Version().Type()
	return slices.DeleteFunc(q.index.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != typ })
}
