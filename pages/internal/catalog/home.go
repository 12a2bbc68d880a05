package catalog

import (
	"html/template"
	"net/url"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/core"
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
	*view

	Entry  taxonomy.Entry
	Others []taxonomy.Entry
	// Found is how many elements a search has found, and Rows are the best of them.
	Found int
	Rows  []*core.ElementRow
	// Meant is what is searched for with its misspelt words corrected, if that found something.
	Meant *core.Choice
}

// What the start page shows of each taxonomy at most: icons, other versions and results, and how
// many categories the picture has.
const (
	maxHomeIcons   = 8
	maxOthers      = 6
	maxHomeResults = 6
	maxChain       = 5
)

func buildHome(q *request) (*core.Content, error) {
	d := &home{Query: q.Params.Get("q")}
	c := &core.Content{
		Title: q.Word("home.title"), Description: q.Word("home.lead"), Path: q.Taxonomies(), JSON: "/schemas", Section: q.Taxonomies(), Data: d,
		Part: q.Params.Get("part"),
	}
	for _, published := range q.Site.Overview(q.Ctx, q.Index).Types {
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
	d.Broken = broken(q.findings)
	return c, nil
}

// maxBroken is how many errors of a schema source the start page shows.
const maxBroken = 20

// broken returns the errors of the schema source that is served.
func broken(findings func() issue.Issues) (list []string) {
	if findings == nil {
		return nil
	}
	for _, finding := range findings().With(issue.SeverityError) {
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
func (q *request) homeTaxonomy(c *core.Content, published *core.PublishedType) *homeTaxonomy {
	t := &homeTaxonomy{view: &view{q.Scope(c)}, Entry: published.Latest}
	for _, e := range published.Entries {
		if e.ID != t.Entry.ID && len(t.Others) < maxOthers {
			t.Others = append(t.Others, e)
		}
	}
	if published.Schema != nil {
		t.Request = q.Among(published.Schema.Release().Locales())
		t.Request.Schema = published.Schema
	}
	return t
}

// Readable reports whether the version can be read.
func (h *homeTaxonomy) Readable() bool { return h.Request.Schema != nil }

// Title returns the title of the taxonomy, or else the id of its type.
func (h *homeTaxonomy) Title() phrases.Text {
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
		q := t.Request
		query := search.Query{Text: h.Query, Limit: maxHomeResults}
		found, index, err := q.Schema.Search(q.Ctx, q.Chooser().Locale, query)
		if err != nil {
			return err
		}
		for _, hit := range found.Hits {
			t.Rows = append(t.Rows, q.ElementRow(q.Schema, hit.Element, index, query))
		}
		t.Meant = core.Meant(found.DidYouMean, q.To(q.Taxonomies(), url.Values{"q": {found.DidYouMean}}))
		t.Found = found.Total
		if h.Found += found.Total; len(t.Rows) > 0 {
			h.Results = append(h.Results, t)
		}
	}
	return nil
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
