// Package rest provides the route of package httpapi that shows a datachain as an HTML page.
//
// # Experimental
//
// This package may change in a minor version.
package rest

import (
	"context"
	_ "embed" // a description
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed openapi.json
var part []byte

// Render returns the route that answers with the page of a document, thin or resolved:
//
//	POST /api/v2/schemas/{version}/render
func Render() httpapi.Route {
	return httpapi.Route{
		Pattern: "/api/v2/schemas/{version}/render", Params: []string{"locale"}, Bucket: ratelimit.Resolve, Work: render, OpenAPI: part,
	}
}

func render(ctx context.Context, r *httpapi.Request, text, dst []byte) (*datachain.Verdict, *httpapi.Body, error) {
	locale := strings.ReplaceAll(r.Param("locale"), "_", "-") // as HTML has it
	if err := datachain.Check("locale", locale); err != nil {
		return nil, nil, err
	}
	v, shown, err := r.Schema.Present(ctx, text)
	if err != nil || shown == nil {
		return v, nil, err
	}
	page, _, err := view.Append(dst, shown, &view.Options{Locale: locale, Interrupt: ctx.Err})
	if errors.Is(err, view.ErrTooLarge) {
		return nil, nil, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodePayloadTooLarge, Message: fmt.Sprintf("The page would be larger than %d bytes.", view.DefaultMaxBytes), FixHint: "place fewer elements, or shorten their texts",
		}}
	}
	if err != nil {
		return nil, nil, err
	}
	return nil, &httpapi.Body{
		ContentType: "text/html; charset=utf-8", Bytes: page, Header: http.Header{"Content-Security-Policy": {view.ContentSecurityPolicy()}},
	}, nil
}
