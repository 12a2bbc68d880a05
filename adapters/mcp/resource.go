package mcp

import (
	"bytes"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	viewURI  = "ui://service/datachain/view.html"
	viewName = "Datachain View"
	viewType = "text/html;profile=mcp-app"
)

// viewMeta tells hosts what the page needs from outside: nothing.
func viewMeta() sdk.Meta {
	return sdk.Meta{"ui": map[string]any{
		"csp":           map[string]any{"connectDomains": []string{}, "resourceDomains": []string{}},
		"prefersBorder": false,
	}}
}

// addView offers the page that a session rendered last.
func (s *Server) addView() {
	s.sdk.AddResource(&sdk.Resource{
		URI: viewURI, Name: viewName, Title: viewName, MIMEType: viewType, Meta: viewMeta(),
		Description: "The datachain that render_datachain showed last in this session, as a page.",
	}, s.readView)
}

func (s *Server) readView(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	html, ok, err := s.Slots.Get(ctx, callerOf(ctx).session)
	if err != nil {
		s.Logger.ErrorContext(ctx, "slots failed", "error", err)
		issue := issue.Issue{Code: issue.CodeUpstreamError, Message: "The page can't be read.", FixHint: "try again in a moment"}
		return nil, rpcError(serverError, issue.Message, issue)
	}
	if !ok {
		var b bytes.Buffer
		if err := view.Placeholder(&b); err != nil {
			return nil, err
		}
		html = b.Bytes()
	}
	return &sdk.ReadResourceResult{
		Cacheable: sdk.Cacheable{TTLMs: 0, CacheScope: "private"}, // the next call may render another
		Contents:  []*sdk.ResourceContents{{URI: viewURI, MIMEType: viewType, Text: string(html), Meta: viewMeta()}},
	}, nil
}
