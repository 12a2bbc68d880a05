package lsp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// method is a method of the protocol: a notification or a request.
type method struct {
	notify  func(s *session, params jsontext.Value) error
	request func(s *session, params jsontext.Value) (answerFunc, error)
	// background is set for a request that waits for work in the background.
	background bool
}

// answerFunc answers a request, concurrently with others. It ends with the error of
// the context soon after that is canceled.
type answerFunc func(ctx context.Context) (any, error)

// methods are those that the server has, besides initialize, shutdown and exit.
var methods = map[string]method{
	"initialized":                     on((*session).initialized),
	"$/cancelRequest":                 on((*session).cancelRequest),
	"textDocument/didOpen":            on((*session).didOpen),
	"textDocument/didChange":          on((*session).didChange),
	"textDocument/didSave":            on((*session).didSave),
	"textDocument/didClose":           on((*session).didClose),
	"workspace/didChangeWatchedFiles": on((*session).didChangeWatchedFiles),

	"workspace/didChangeWorkspaceFolders": on((*session).didChangeFolders),

	"workspace/executeCommand":    {request: (*session).executeCommand},
	"textDocument/codeAction":     about((*query).actions, (*sourceQuery).actions),
	"textDocument/codeLens":       about((*query).lenses, nil),
	"textDocument/completion":     about((*query).completion, (*sourceQuery).completion),
	"textDocument/definition":     about((*query).definition, (*sourceQuery).definition),
	"textDocument/references":     inWorkspace(about((*query).references, (*sourceQuery).references)),
	"textDocument/prepareRename":  about((*query).prepareRename, (*sourceQuery).prepareRename),
	"textDocument/rename":         inWorkspace(about((*query).rename, (*sourceQuery).rename)),
	"textDocument/diagnostic":     {request: (*session).pullDiagnostics},
	"workspace/diagnostic":        {request: (*session).pullWorkspace, background: true},
	"textDocument/documentSymbol": about((*query).symbols, (*sourceQuery).symbols),
	"textDocument/hover":          about((*query).hover, (*sourceQuery).hover),
	"textDocument/inlayHint":      about((*query).hints, nil),
}

// inWorkspace is a request about all documents of the workspace, which may still be read.
func inWorkspace(m method) method {
	m.background = true
	return m
}

// on is a notification.
func on[P any](handle func(*session, *P) error) method {
	return method{notify: func(s *session, params jsontext.Value) error {
		p, err := decode[P](params)
		if err != nil {
			return err
		}
		return handle(s, p)
	}}
}

// inDocument is implemented by the params of requests about a document.
type inDocument interface{ document() string }

// about is a request about an open document, or about an open file of the source if inSource
// is not nil. Documents that the server does not recognize get the answer null.
func about[P any, PP interface {
	*P
	inDocument
}](answer func(q *query, ctx context.Context, p *P) (any, error), inSource func(q *sourceQuery, ctx context.Context, p *P) (any, error)) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		doc, err := s.mustBeOpen(PP(p).document())
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
			return answer(q, ctx, p)
		}, nil
	}}
}
