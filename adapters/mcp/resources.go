package mcp

import (
	"bytes"
	"context"
	"strings"

	"github.com/datachain-go/datachain/adapters/view"
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

// readResource answers with the page that a session rendered last.
func (s *Server) readResource(ctx context.Context, r *request, b []byte) ([]byte, *problem) {
	uri := r.params.text("uri")
	if state := s.state(); state != nil && strings.HasPrefix(uri, documentURI) {
		return s.readDocument(ctx, r, b, state, uri)
	}
	if uri != viewURI {
		p := unknown("resource", uri, []string{viewURI})
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
		var b bytes.Buffer
		if err := view.Placeholder(&b); err != nil {
			panic(err)
		}
		html = b.Bytes()
	}
	// The next call may render another page: clients must not keep this one.
	return s.contents(b, r, nil, func(b []byte) []byte {
		b = append(b, `"ttlMs":0,"cacheScope":"private","contents":[{"uri":"`+viewURI+`","mimeType":"`+viewType+`","text":`...)
		return append(appendText(b, html), `,"_meta":`+viewMeta+`}]`...)
	}), nil
}
