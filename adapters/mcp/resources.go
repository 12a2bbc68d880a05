package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
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

// documentURI is the URI of a document as a resource, up to its slug.
const documentURI = "datachain://documents/"

// readResource answers with the page that a session rendered last.
func (s *Server) readResource(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	uri := r.params.text("uri")
	if state := s.state(); state != nil && strings.HasPrefix(uri, documentURI) {
		return s.readDocument(ctx, r, b, state, uri)
	}
	if uri != viewURI {
		p := unknown("resource", uri, []string{viewURI}).ofResource(r)
		if s.state() != nil {
			p.issue.FixHint = "use " + viewURI + ", or the URI of a document from resources/list"
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

// resourcePage is how many documents a page of the list of resources has.
const resourcePage = 500

// listResources answers with the view and the documents, by slug. The cursor is the last
// slug of the page before.
func (s *Server) listResources(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	state := s.state()
	if state == nil {
		return s.list(ctx, r, b)
	}
	all := state.Documents()
	after, err := base64.RawURLEncoding.DecodeString(r.params.text("cursor"))
	first := sort.Search(len(all), func(i int) bool { return all[i].Slug > string(after) })
	if err != nil || len(after) > 0 && (first == 0 || all[first-1].Slug != string(after)) {
		return nil, badParams(issue.CodeBadRequest, "omit the cursor, and start again", "The cursor of %s is not one that the server returned.", r.method)
	}
	list, wrong := state.Find(register.Query{})
	if wrong != nil {
		s.report(ctx, r.method, wrong)
		return nil, internal(0)
	}
	written := export.NewList(state, list, "")
	// Documents come and go, unlike the rest of what the server lists.
	b = append(s.begin(b, r), `"ttlMs":60000,"cacheScope":`+s.cacheScope()+`,"resources":[`...)
	if len(after) == 0 {
		b = append(b, strings.Trim(viewList, "[]")+","...)
	}
	next := min(len(all), first+resourcePage)
	for _, d := range all[first:next] {
		if d.Gone() {
			continue
		}
		b = appendSafe(b, escapeHidden(appendJSON(nil, struct {
			Description string `json:"description,omitempty"`
			MimeType    string `json:"mimeType"`
			Name        string `json:"name"`
			Title       string `json:"title"`
			URI         string `json:"uri"`
		}{wording.Cut(written.Text(d.Description), 300), typeJSON, d.Slug, cmp.Or(written.Text(d.Title), d.Slug), documentURI + d.Slug})))
		b = append(b, ',')
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	b = append(b, ']')
	if next < len(all) {
		b = appendJSON(append(b, `,"nextCursor":`...), base64.RawURLEncoding.EncodeToString([]byte(all[next-1].Slug)))
	}
	return append(b, '}'), nil
}

// readDocument answers with a document as a resource: as its author wrote it, on one line.
func (s *Server) readDocument(ctx context.Context, r *request, b []byte, state *register.State, uri string) ([]byte, *problem) {
	slug := strings.TrimPrefix(uri, documentURI)
	d, ok := state.Document(slug)
	if !ok {
		return nil, badParams(issue.CodeNotFound, "list them with resources/list", "There is no document %s.", quoteASCII(slug)).ofResource(r)
	}
	if d.Gone() {
		return nil, badParams(codes.Gone, "remove your link to it", "The document %s was withdrawn or erased.", d.Slug).ofResource(r)
	}
	text, err := s.register.Text(ctx, d, d.Current, register.Thin)
	document := jsontext.Value(text)
	if err == nil {
		err = document.Compact() // escapeHidden would escape line ends, too
	}
	if err != nil {
		s.report(ctx, r.method, unreadable(err))
		return nil, unavailable(0, issue.Issue{Code: issue.CodeUpstreamError, Message: "The document can't be read.", FixHint: "try again in a moment"})
	}
	if len(document) > s.options.MaxAnswer {
		return nil, unavailable(0, tooLarge("read it over REST", "The document has %d bytes, more than the limit of %d.", len(document), s.options.MaxAnswer).Issue)
	}
	return s.contents(b, r, nil, func(b []byte) []byte {
		b = append(b, `"ttlMs":60000,"cacheScope":`+s.cacheScope()+`,"contents":[{"uri":"`+documentURI+d.Slug+`","mimeType":"`+typeJSON+`","text":`...)
		return append(appendText(b, escapeHidden(document)), `}]`...)
	}), nil
}
