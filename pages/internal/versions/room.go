// Package versions has the page that compares two versions of a taxonomy.
package versions

import (
	"embed"

	"github.com/datachain-go/datachain/pages/internal/core"
)

//go:embed *.html
var files embed.FS

var compareTemplate = core.NewTemplates(files, "compare.html")

// Boards compares documents instead, at the same address.
type Boards interface {
	Board(q *core.Request) (*core.Content, error)
	BoardJSON(q *core.Request) (*core.Content, error)
}

// Room returns the page, also for programs and for release notes.
func Room(reports *core.Reports, boards Boards) core.Room {
	page := func(build func(*request) (*core.Content, error)) func(*core.Request) (*core.Content, error) {
		return func(q *core.Request) (*core.Content, error) { return build(&request{q, reports, boards}) }
	}
	html := []string{"old", "new", "category", "severity", "page", core.BoardParam}
	return core.Room{Pages: []*core.Page{
		{Pattern: core.ComparePath, Params: html, Heavy: true, Languages: languages, Build: page(buildCompare)},
		{Pattern: core.ComparePath + ".json", Params: []string{"old", "new", core.BoardParam}, File: true, Extension: ".json", Heavy: true, Languages: languages, Build: page(buildCompareJSON)},
		{Pattern: core.ComparePath + ".md", Params: []string{"old", "new"}, File: true, Extension: ".md", Heavy: true, Build: page(buildCompareMarkdown)},
	}}
}

// languages are those of the register if documents are compared.
func languages(q *core.Request) ([]string, error) {
	if q.Register != nil && q.Params.Has(core.BoardParam) {
		return q.Register.Languages(), nil
	}
	return nil, nil
}

// request is what comparisons are made of.
type request struct {
	*core.Request

	reports *core.Reports
	boards  Boards
}
