// Package catalog has the pages about taxonomies: what is published, the catalog of a version, and a
// page for each category, element and scheme.
package catalog

import (
	"embed"
	"strings"

	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed *.html
var files embed.FS

var (
	homeTemplate     = core.NewTemplates(files, "home.html")
	catalogTemplate  = core.NewTemplates(files, "version.html", "catalog.html")
	categoryTemplate = core.NewTemplates(files, "version.html", "category.html")
	elementTemplate  = core.NewTemplates(files, "version.html", "element.html")
	schemeTemplate   = core.NewTemplates(files, "version.html", "scheme.html")
)

// Room returns the pages. Findings returns what is wrong with the schema source that the service follows;
// nil means that it does not follow one.
func Room(reports *core.Reports, findings func() issue.Issues) core.Room {
	page := func(t *core.Templates, build func(*request) (*core.Content, error)) func(*core.Request) (*core.Content, error) {
		return func(q *core.Request) (*core.Content, error) {
			c, err := build(&request{q, reports, findings})
			if c != nil {
				c.Template, c.Dot = t, func(s *core.Scope) any { return &view{s} }
			}
			return c, err
		}
	}
	results := []string{"results"}
	home := page(homeTemplate, buildHome)
	faults := func() string { return strings.Join(broken(findings), "\n") } // an error of the source need not change the index
	return core.Room{Pages: []*core.Page{
		{Pattern: "/", Params: []string{"q"}, Parts: results, Build: home, Depends: faults},
		{Pattern: core.TaxonomiesPath, Params: []string{"q"}, Parts: results, Register: true, Build: home, Depends: faults},
		{Pattern: core.CatalogPattern, Params: []string{"q", "category", "page", viewParam}, Parts: results, Build: page(catalogTemplate, buildCatalog)},
		{Pattern: core.CategoryPattern, Build: page(categoryTemplate, buildCategory)},
		{Pattern: core.ElementPattern, Build: page(elementTemplate, buildElement)},
		{Pattern: core.SchemePattern, Params: []string{"page"}, Build: page(schemeTemplate, buildScheme)},
	}}
}

// request is what pages about taxonomies are made of.
type request struct {
	*core.Request

	reports  *core.Reports
	findings func() issue.Issues
}
