package mcp

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	viewURI  = "ui://service/datachain/view.html"
	viewName = "Datachain View"
	viewType = "text/html;profile=mcp-app"
	// viewMeta tells hosts that the page loads nothing.
	viewMeta = `{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":false}}`
	viewList = `[{"_meta":` + viewMeta + `,"description":"The datachain that render_datachain showed last in this session, as a page.",` +
		`"mimeType":"` + viewType + `","name":"` + viewName + `","title":"` + viewName + `","uri":"` + viewURI + `"}]`
)

// Resources are texts of a program that clients can read, besides the view: see
// [Options.Resources].
type Resources struct {
	// Name is what each of them is, such as document. Title is for people, and Description for a
	// model.
	Name, Title, Description string
	// MIMEType is the type of each. Texts with the type application/json are sent on one line, with
	// hidden characters escaped.
	MIMEType string
	// Prefix begins the URI of each, such as example://streets/. The rest is called Variable in
	// the template that clients get, such as street_id.
	Prefix, Variable string
	// Listed reports whether there are some now; nil means always. It must be fast.
	Listed func() bool
	// List returns a page of them. The cursor is "" for the first page, then what was returned as
	// next with the page before; next is "" with the last.
	List func(ctx context.Context, cursor string) (page []Resource, next string, err error)
	// Read returns the text of the one with a URI, which begins with the prefix. As with [Tool],
	// the issue of a [*datachain.Error] is for the client, such as one with the code not_found.
	Read func(ctx context.Context, uri string) ([]byte, error)
}

// Resource is one of the [Resources] in a list.
type Resource struct {
	URI, Name, Title, Description string
}

// check returns what is missing.
func (r *Resources) check() error {
	if r.Name == "" || r.Prefix == "" || r.MIMEType == "" || r.List == nil || r.Read == nil {
		return errors.New("mcp: resources need Name, Prefix, MIMEType, List and Read")
	}
	return nil
}

// resources returns those of the program, or nil if there are none now.
func (s *Server) resources() *Resources {
	if r := s.options.Resources; r != nil && (r.Listed == nil || r.Listed()) {
		return r
	}
	return nil
}

// readResource answers with the page that a session rendered last, or a resource of the program.
func (s *Server) readResource(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	uri, added := r.params.text("uri"), s.resources()
	if added != nil && strings.HasPrefix(uri, added.Prefix) {
		return s.readAdded(ctx, r, b, added, uri)
	}
	if uri != viewURI {
		p := unknown("resource", uri, []string{viewURI}).ofResource(r)
		if added != nil {
			p.issue.FixHint = "use " + viewURI + ", or the URI of a " + added.Name + " from resources/list"
		}
		if len(uri) <= 1<<10 {
			p.extra = appendJSON([]byte(`"uri":`), uri)
		}
		return nil, p
	}
	html, ok, err := s.options.Slots.Get(ctx, r.session)
	if err != nil {
		s.options.Logger.ErrorContext(ctx, "slots failed", "error", err)
		return nil, unavailable(0, issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be read.", FixHint: "try again in a moment"})
	}
	if !ok {
		html = s.options.View.Placeholder()
	}
	// The next call may render another page: clients must not keep this one.
	return s.contents(b, r, nil, func(b []byte) []byte {
		b = append(b, `"ttlMs":0,"cacheScope":"private","contents":[{"uri":"`+viewURI+`","mimeType":"`+viewType+`","text":`...)
		return append(appendText(b, html), `,"_meta":`+viewMeta+`}]`...)
	}), nil
}

// ofResource sets the error code that revisions before the modern one have for a resource that
// does not exist.
func (p *problem) ofResource(r *request) *problem {
	if !r.modern() {
		p.code = codeNoResource
	}
	return p
}

// listResources answers with the view and the resources of the program.
func (s *Server) listResources(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	added := s.resources()
	if added == nil {
		return s.list(ctx, r, b)
	}
	cursor := r.params.text("cursor")
	page, next, err := added.List(ctx, cursor)
	if err != nil {
		return nil, s.addedProblem(ctx, r, err)
	}
	// They come and go, unlike the rest of what the server lists.
	b = append(s.begin(b, r), `"ttlMs":60000,"cacheScope":`+s.cacheScope()+`,"resources":[`...)
	if cursor == "" {
		b = append(b, strings.Trim(viewList, "[]")+","...)
	}
	for _, resource := range page {
		b = appendSafe(b, escapeHidden(appendJSON(nil, struct {
			Description string `json:"description,omitempty"`
			MimeType    string `json:"mimeType"`
			Name        string `json:"name"`
			Title       string `json:"title"`
			URI         string `json:"uri"`
		}{resource.Description, added.MIMEType, resource.Name, cmp.Or(resource.Title, resource.Name), resource.URI})))
		b = append(b, ',')
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	b = append(b, ']')
	if next != "" {
		b = appendJSON(append(b, `,"nextCursor":`...), next)
	}
	return append(b, '}'), nil
}

// resourceTemplates describes the URIs of the resources of the program.
func (s *Server) resourceTemplates() []byte {
	added := s.resources()
	if added == nil {
		return []byte(`"resourceTemplates":[]`)
	}
	return appendJSON([]byte(`"resourceTemplates":`), []any{struct {
		Description string `json:"description"`
		MimeType    string `json:"mimeType"`
		Name        string `json:"name"`
		Title       string `json:"title"`
		URITemplate string `json:"uriTemplate"`
	}{added.Description, added.MIMEType, added.Name, cmp.Or(added.Title, added.Name), added.Prefix + "{" + cmp.Or(added.Variable, "id") + "}"}})
}

// readAdded answers with a resource of the program.
func (s *Server) readAdded(ctx context.Context, r *request, b []byte, added *Resources, uri string) ([]byte, *problem) {
	text, err := added.Read(ctx, uri)
	if err == nil && added.MIMEType == typeJSON {
		document := jsontext.Value(text).Clone()
		err = document.Compact() // escapeHidden would escape line ends, too
		text = escapeHidden(document)
	}
	if err != nil {
		return nil, s.addedProblem(ctx, r, err)
	}
	if len(text) > s.options.MaxAnswer {
		return nil, unavailable(0, tooLarge("read it over REST", "The %s has %d bytes, more than the limit of %d.", added.Name, len(text), s.options.MaxAnswer).Issue)
	}
	return s.contents(b, r, nil, func(b []byte) []byte {
		b = append(b, `"ttlMs":60000,"cacheScope":`+s.cacheScope()+`,"contents":[{"uri":`...)
		b = append(appendJSON(b, uri, escapeMarkup), `,"mimeType":`...)
		b = append(appendJSON(b, added.MIMEType), `,"text":`...)
		return append(appendText(b, text), `}]`...)
	}), nil
}

// addedProblem turns an error of the program's resources into one of JSON-RPC.
func (s *Server) addedProblem(ctx context.Context, r *request, err error) *problem {
	s.report(ctx, r.method, err)
	known, ok := errors.AsType[*datachain.Error](err)
	switch {
	case ok && known.Issue.Code == issue.CodeBadRequest:
		return &problem{code: codeInvalidParams, issue: known.Issue}
	case ok && (known.Issue.Code == issue.CodeNotFound || known.Issue.Code == codes.Gone):
		return (&problem{code: codeInvalidParams, issue: known.Issue}).ofResource(r)
	case ok:
		return unavailable(0, known.Issue)
	case ctx.Err() != nil:
		return timeout("try again in a moment", "The call took too long.").withStatus(0)
	}
	return internal(0)
}
