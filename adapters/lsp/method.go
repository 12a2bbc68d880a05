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
