package lsp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// method is a method of the protocol: a notification or a request.
type method struct {
	notify  func(s *session, params jsontext.Value) error
	request func(s *session, params jsontext.Value) (answerFunc, error)
}

// answerFunc answers a request, concurrently with others. It ends with the error of
// the context soon after that is canceled.
type answerFunc func(ctx context.Context) (any, error)

// methods are those that the server has, besides initialize, shutdown and exit.
var methods = map[string]method{
	"initialized":                     {notify: (*session).initialized},
	"$/cancelRequest":                 notification((*session).cancelRequest),
	"textDocument/didOpen":            notification((*session).didOpen),
	"textDocument/didChange":          notification((*session).didChange),
	"textDocument/didSave":            notification((*session).didSave),
	"textDocument/didClose":           notification((*session).didClose),
	"workspace/didChangeWatchedFiles": notification((*session).didChangeWatchedFiles),

	"workspace/didChangeWorkspaceFolders": notification((*session).didChangeFolders),

	"workspace/executeCommand":    {request: (*session).executeCommand},
	"textDocument/codeAction":     documentRequest((*query).actions, (*sourceQuery).actions),
	"textDocument/codeLens":       documentRequest((*query).lenses, nil),
	"textDocument/completion":     documentRequest((*query).completion, (*sourceQuery).completion),
	"textDocument/definition":     documentRequest((*query).definition, (*sourceQuery).definition),
	"textDocument/documentSymbol": documentRequest((*query).symbols, (*sourceQuery).symbols),
	"textDocument/hover":          documentRequest((*query).hover, (*sourceQuery).hover),
	"textDocument/inlayHint":      documentRequest((*query).hints, nil),
}

// notification returns a method that has no answer. It is handled before the next message.
func notification[P any](handle func(*session, *P) error) method {
	return method{notify: func(s *session, params jsontext.Value) error {
		p, err := decode[P](params)
		if err != nil {
			return err
		}
		return handle(s, p)
	}}
}

// documentRequest returns a request about an open document or, unless inSource is nil, about an
// open file of a source. The answer about other files is null.
func documentRequest[P any](
	inDocument func(q *query, ctx context.Context, p *P) (any, error), inSource func(q *sourceQuery, ctx context.Context, p *P) (any, error),
) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		named, err := decode[documentParams](params)
		if err != nil {
			return nil, err
		}
		doc, err := s.mustBeOpen(named.Document.URI)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			switch {
			case doc.text.tooLarge > 0:
				return nil, nil
			case doc.inSource() && inSource != nil:
				q, err := s.newSourceQuery(doc)
				if err != nil {
					return nil, err
				}
				return inSource(q, ctx, p)
			case !doc.recognized:
				return nil, nil
			}
			q, err := newQuery(ctx, s, doc)
			if err != nil {
				return nil, err
			}
			return inDocument(q, ctx, p)
		}, nil
	}}
}
