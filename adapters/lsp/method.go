package lsp

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/prose"
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

// methods returns the methods that the server has, besides initialize, shutdown and
// exit.
func methods() map[string]method {
	return map[string]method{
		"initialized":                     on((*session).initialized),
		"$/cancelRequest":                 on((*session).cancelRequest),
		"textDocument/didOpen":            on((*session).didOpen),
		"textDocument/didChange":          on((*session).didChange),
		"textDocument/didSave":            on((*session).didSave),
		"textDocument/didClose":           on((*session).didClose),
		"workspace/didChangeWatchedFiles": on((*session).didChangeWatchedFiles),

		"workspace/didChangeWorkspaceFolders": on((*session).didChangeFolders),

		"workspace/executeCommand":    {request: (*session).executeCommand},
		"textDocument/codeAction":     either(about((*query).actions), inSource((*sourceQuery).actions)),
		"textDocument/codeLens":       about((*query).lenses),
		"textDocument/completion":     either(about((*query).completion), inSource((*sourceQuery).completion)),
		"textDocument/definition":     either(about((*query).definition), inSource((*sourceQuery).definition)),
		"textDocument/references":     inSource((*sourceQuery).references),
		"textDocument/prepareRename":  inSource((*sourceQuery).prepareRename),
		"textDocument/rename":         inSource((*sourceQuery).rename),
		"textDocument/diagnostic":     {request: (*session).pullDiagnostics},
		"workspace/diagnostic":        {request: (*session).pullWorkspace, background: true},
		"textDocument/documentLink":   about((*query).links),
		"textDocument/documentSymbol": about((*query).symbols),
		"textDocument/foldingRange":   about((*query).folding),
		"textDocument/formatting":     about((*query).formatting),
		"textDocument/hover":          either(about((*query).hover), inSource((*sourceQuery).hover)),
		"textDocument/inlayHint":      about((*query).hints),
		"textDocument/selectionRange": about((*query).selection),
	}
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

// about is a request about an open document. Documents that the server does not
// recognize get the answer null.
func about[P any, PP interface {
	*P
	inDocument
}](answer func(q *query, ctx context.Context, p *P) (any, error)) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		doc, open := s.current(PP(p).document())
		if !open {
			return nil, failed(codeInvalidParams, "The document %s is not open.", prose.Clip(PP(p).document()))
		}
		return func(ctx context.Context) (any, error) {
			if !doc.recognized || doc.text.tooLarge > 0 {
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

// inSource is a request about an open file of the source. Other files get the answer
// null.
func inSource[P any, PP interface {
	*P
	inDocument
}](answer func(q *sourceQuery, ctx context.Context, p *P) (any, error)) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		uri := PP(p).document()
		doc, open := s.current(uri)
		if !open {
			return nil, failed(codeInvalidParams, "The document %s is not open.", prose.Clip(uri))
		}
		return func(ctx context.Context) (any, error) {
			if doc.file.root == nil || doc.text.tooLarge > 0 {
				return nil, nil
			}
			q, err := s.newSourceQuery(doc)
			if err != nil {
				return nil, err
			}
			return answer(q, ctx, p)
		}, nil
	}}
}

// either is a request about a document or a file of the source.
func either(inDocument, inSource method) method {
	return method{request: func(s *session, params jsontext.Value) (answerFunc, error) {
		p, err := decode[documentParams](params)
		if err != nil {
			return nil, err
		}
		if doc, _ := s.current(p.Document.URI); doc.file.root != nil {
			return inSource.request(s, params)
		}
		return inDocument.request(s, params)
	}}
}
