// Package check has the page that checks a document as text.
package check

import (
	"embed"

	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed *.html *.js
var files embed.FS

var playTemplate = core.NewTemplates(files, "play.html")

// Sample is a document to start from. It is offered while the version that it pins is published.
type Sample struct {
	// Name identifies the sample in addresses.
	Name string
	Text []byte
	// Code is what the document is an example of, or "" for a valid one. Such a
	// document is offered on the page about the code only.
	Code issue.Code
}

// Checker has the page, and checks documents for the form, too.
type Checker struct{ samples []Sample }

// New returns the page with some samples to start from.
func New(samples []Sample) *Checker { return &Checker{samples} }

// Room returns the page.
func (c *Checker) Room() core.Room {
	return core.Room{Assets: core.Files(files), Pages: []*core.Page{{
		Pattern: core.PlayPath, Params: []string{"sample", "new"}, Live: true, Times: 1,
		Build: func(q *core.Request) (*core.Content, error) { return buildPlay(c.Of(q)) },
		Post:  func(q *core.Request, f *core.Form) (*httpcache.Answer, error) { return c.Of(q).Answer(f) },
	}}}
}

// Of returns what the page of a request is made of.
func (c *Checker) Of(q *core.Request) *Request { return &Request{q, c.samples} }

// Request is what checks a document.
type Request struct {
	*core.Request

	samples []Sample
}

// Samples are the documents to start from.
func (q *Request) Samples() []Sample { return q.samples }
