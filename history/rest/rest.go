// Package rest provides the routes of package httpapi about what became of ids: the evolution of a
// datachain type, and moving documents to other versions.
//
// # Experimental
//
// This package may change in a minor version.
package rest

import (
	"context"
	_ "embed" // a description
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

//go:embed openapi.json
var part []byte

// Routes returns the routes:
//
//	GET  /api/v2/types/{type}/evolution
//	POST /api/v2/schemas/{version}/upgrade
func Routes() []httpapi.Route {
	return []httpapi.Route{
		{Pattern: "/api/v2/types/{type}/evolution", Read: evolution, OpenAPI: part},
		{
			Pattern: "/api/v2/schemas/{version}/upgrade", Params: []string{"from"}, Flags: []string{"drop", "older"},
			Bucket: ratelimit.Resolve, Work: move, OpenAPI: part,
		},
	}
}

// evolution serves what became of the ids of a datachain type.
func evolution(_ context.Context, r *httpapi.Request) (*httpapi.Resource, error) {
	text := r.Index.EvolutionJSON(r.PathValue("type"))
	if text == nil {
		return nil, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodeNotFound, Message: "There is no evolution of a datachain type " + wording.Clip(r.PathValue("type")) + ".",
			FixHint: "see types of " + r.URL("/api/v2/schemas") + " for the datachain types that have one",
		}}
	}
	return &httpapi.Resource{Body: &httpapi.Body{Bytes: text}}, nil
}

// move answers with a document, thin or resolved, as it is in the version: {ok, errors, document,
// report}. There are errors only if ok is false.
func move(ctx context.Context, r *httpapi.Request, text, dst []byte) (*datachain.Verdict, *httpapi.Body, error) {
	result, err := upgrade.Run(ctx, r.Schema, text, &upgrade.RunOptions{From: r.Param("from"), Drop: r.Flag("drop"), Older: r.Flag("older")})
	if err != nil {
		return nil, nil, err
	}
	ok := result.OK()
	dst = strconv.AppendBool(append(dst, `{"ok":`...), ok)
	if !ok {
		errors, err := json.Marshal(result.Errors())
		if err != nil {
			return nil, nil, err
		}
		dst = append(append(dst, `,"errors":`...), errors...)
	}
	report, err := json.Marshal(&result.Report)
	if err != nil {
		return nil, nil, err
	}
	dst = append(append(dst, `,"document":`...), result.Document.Root().Raw()...)
	dst = append(append(dst, `,"report":`...), report...)
	return nil, &httpapi.Body{Bytes: append(dst, '}')}, nil
}
