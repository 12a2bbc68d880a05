package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// object is a JSON object.
type object = map[string]any

// message is a JSON-RPC 2.0 message of a client.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"` // nil for a notification
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	// Result and Error are those of an answer to a request of the server.
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

// wire are the options for messages in both directions. Editors can have texts with
// half of a surrogate pair, which must not lose a whole change: it becomes U+FFFD,
// which has the same width.
func wire() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
}

// The error codes of JSON-RPC and LSP that the server uses.
const (
	codeParseError           = -32700
	codeInvalidRequest       = -32600
	codeMethodNotFound       = -32601
	codeInvalidParams        = -32602
	codeInternalError        = -32603
	codeServerNotInitialized = -32002
	codeRequestFailed        = -32803
	codeRequestCancelled     = -32800
)

// responseError is a failed request, as the client gets it.
type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return e.Message }

func failed(code int, format string, args ...any) *responseError {
	return &responseError{code, fmt.Sprintf(format, args...)}
}

// asResponse turns any error of a handler into one for the client.
func asResponse(ctx context.Context, err error) *responseError {
	if known, ok := errors.AsType[*responseError](err); ok {
		return known
	}
	if ctx.Err() != nil {
		return failed(codeRequestCancelled, "The request was canceled.")
	}
	return failed(codeRequestFailed, "%v", err)
}

// readMessage decodes a message. The error is for the client; the id is then as far
// known as the text allows.
func readMessage(text []byte) (*message, *responseError) {
	m := new(message)
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		return m, failed(codeInvalidRequest, "Batches are not supported: send one message at a time.")
	}
	if err := json.Unmarshal(text, m, wire()); err != nil {
		m.ID = nil
		if _, syntax := errors.AsType[*jsontext.SyntacticError](err); syntax {
			return m, failed(codeParseError, "The message is not valid JSON: %v.", err)
		}
		return m, failed(codeInvalidRequest, "The message is not a JSON-RPC message: %v.", err)
	}
	if string(m.ID) == "null" {
		m.ID = nil
	}
	switch kind := m.ID.Kind(); {
	case m.ID != nil && kind != '"' && kind != '0':
		m.ID = jsontext.Value("null")
		return m, failed(codeInvalidRequest, "The id of a message must be a string or a number.")
	case m.Version != "2.0":
		return m, failed(codeInvalidRequest, `The message must have "jsonrpc": "2.0".`)
	case m.Method == "" && (m.ID == nil || m.Result == nil && m.Error == nil):
		return m, failed(codeInvalidRequest, "The message must have a method.")
	}
	return m, nil
}

// decode reads the params of a message.
func decode[P any](params jsontext.Value) (*P, error) {
	p := new(P)
	if len(params) == 0 || params.Kind() == 'n' {
		return nil, failed(codeInvalidParams, "The params are missing.")
	}
	if err := json.Unmarshal(params, p, wire()); err != nil {
		return nil, failed(codeInvalidParams, "The params are invalid: %v.", err)
	}
	return p, nil
}

// newResponse returns the answer to a request.
func newResponse(id jsontext.Value, result any, err *responseError) object {
	if id == nil {
		id = jsontext.Value("null")
	}
	if err != nil {
		return object{"jsonrpc": "2.0", "id": id, "error": err}
	}
	return object{"jsonrpc": "2.0", "id": id, "result": result}
}

// newNotification returns a message without an answer.
func newNotification(method string, params any) object {
	return object{"jsonrpc": "2.0", "method": method, "params": params}
}

// orEmpty returns a list that is [] in JSON if it is empty.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
