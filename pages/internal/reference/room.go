// Package reference has the pages for developers: the API, how to connect assistants, and the codes of
// findings.
package reference

import (
	"cmp"
	"embed"

	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed *.html *.js
var files embed.FS

var (
	docsTemplate  = core.NewTemplates(files, "docs.html")
	codesTemplate = core.NewTemplates(files, "codes.html")
	codeTemplate  = core.NewTemplates(files, "code.html")
)

// Options are what the pages describe.
type Options struct {
	// OpenAPI is the description of the API, and Tools and Prompts are what the MCP server offers.
	OpenAPI        []byte
	Tools, Prompts []manual.Operation
	// Sample returns a document with a finding, or nil.
	Sample func(*core.Request, issue.Code) *core.Choice
}

// Room returns the pages.
func Room(o Options) core.Room {
	page := func(build func(*request) (*core.Content, error)) func(*core.Request) (*core.Content, error) {
		return func(q *core.Request) (*core.Content, error) {
			c, err := build(&request{q, &o})
			if c != nil {
				c.Styles, c.Dot = core.ToolStyles, func(s *core.Scope) any { return &view{s} }
			}
			return c, err
		}
	}
	return core.Room{Assets: core.Files(files), Pages: []*core.Page{
		{Pattern: core.CodesPath, Params: []string{"q"}, Parts: []string{"results"}, Build: page(buildCodes)},
		{Pattern: core.CodesPath + "/{id}", Build: page(buildCode)},
		{Pattern: core.DocsPath, Build: page(buildDocs)},
	}}
}

// request is what the pages are made of.
type request struct {
	*core.Request

	options *Options
}

// view is the dot of the templates.
type view struct{ *core.Scope }

// Below returns the view of a part of the data.
func (v *view) Below(data any) *view { return &view{v.Scope.Below(data)} }

// RaisedBy names what reports a code.
func (v *view) RaisedBy(name string) string { return cmp.Or(v.Word("codes.groups."+name), name) }
