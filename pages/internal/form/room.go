// Package form has the page that describes a system by a form.
package form

import (
	"embed"

	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy"
)

//go:embed *.html *.css *.js
var files embed.FS

var composeTemplate = core.NewTemplates(files, "compose.html")

// Room returns the page. The checker checks the document that is written.
func Room(checker *check.Checker) core.Room {
	return core.Room{Assets: core.Files(files), Pages: []*core.Page{{
		Pattern: core.ComposePath, Params: []string{"q", "new", core.ChangeParam}, Scripted: true, Times: formTimes,
		Build: func(q *core.Request) (*core.Content, error) { return buildCompose(&request{checker.Of(q)}) },
		Post: func(q *core.Request, f *core.Form) (*httpcache.Answer, error) {
			return (&request{checker.Of(q)}).compose(f)
		},
	}}}
}

// request is what the form is made of.
type request struct{ *check.Request }

// among returns the request with the languages of a release.
func (q *request) among(r *taxonomy.Release) *request {
	own := *q.Request
	own.Request = q.Among(r.Locales())
	return &request{&own}
}

// view is the dot of the templates.
type view struct{ *core.Scope }

// Below returns the view of a part of the data.
func (v *view) Below(data any) *view { return &view{v.Scope.Below(data)} }

// Inside returns the view of a form, whose texts are in the languages of its version.
func (v *view) Inside(form *composeForm) *view {
	own := v.Below(form)
	own.Scope.Request = form.Request.Request
	return own
}
