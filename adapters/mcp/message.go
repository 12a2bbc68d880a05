package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxBatch is how many messages a request may hold.
const maxBatch = 50

// message is what a client sent, its parts still as text.
type message struct {
	Version jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
	Result  jsontext.Value `json:"result"`
	Error   jsontext.Value `json:"error"`

	method string
	// params are those of an object, by name.
	params map[string]jsontext.Value
}

// lenient lets a key stand twice: a tool says better where.
var lenient = jsontext.AllowDuplicateNames(true)

// readMessages reads the body of a request: one message or a batch of them. Of a
// batch it reads no more than it may hold.
func readMessages(body []byte) (texts []jsontext.Value, batch bool, p *problem) {
	start := bytes.TrimLeft(body, " \t\r\n")
	if len(start) == 0 {
		return nil, false, malformed("it is empty")
	}
	if start[0] != '[' {
		if err := syntax(body); err != nil {
			return nil, false, malformed(reason(body, err))
		}
		return []jsontext.Value{bytes.TrimRight(start, " \t\r\n")}, false, nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), lenient)
	if _, err := dec.ReadToken(); err != nil {
		return nil, true, malformed(reason(body, err))
	}
	for dec.PeekKind() != ']' {
		text, err := dec.ReadValue()
		if err != nil {
			return nil, true, malformed(reason(body, err))
		}
		if len(texts) == maxBatch {
			return nil, true, invalid("send at most %d messages at a time", "The batch holds more than %d messages.", maxBatch)
		}
		texts = append(texts, text.Clone())
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, true, malformed(reason(body, err))
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, true, malformed("there is more text after the batch")
	}
	if len(texts) == 0 {
		return nil, true, invalid("put a message into it", "The batch is empty.")
	}
	return texts, true, nil
}

// syntax says why a text is no JSON.
func syntax(text jsontext.Value) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), lenient)
	if err := dec.SkipValue(); err != nil {
		return err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("there is more text after the message")
	}
	return nil
}

// parseMessage reads a message as far as it must be known.
func parseMessage(text jsontext.Value) (*message, *problem) {
	m := new(message)
	if text.Kind() != '{' {
		return m, invalid(`send {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`, "A message must be a JSON object.")
	}
	if err := jsonv2.Unmarshal(text, m, lenient); err != nil {
		return m, malformed(reason(text, err))
	}
	if m.ID != nil && !validID(m.ID) {
		m.ID = nil
		return m, invalid("use a string or a whole number, or leave id out of a notification", "The id must be a string or a whole number.")
	}
	if string(m.Version) != `"2.0"` {
		return m, invalid(`add "jsonrpc": "2.0"`, "The message does not say that it is JSON-RPC 2.0.")
	}
	if m.Method == nil {
		if m.ID != nil && (m.Result != nil || m.Error != nil) {
			return m, nil // an answer to what was never asked
		}
		return m, invalid(`add a method, such as "tools/list"`, "The message has no method.")
	}
	if m.Method.Kind() != '"' || jsonv2.Unmarshal(m.Method, &m.method) != nil {
		return m, invalid(`write a method such as "tools/list"`, "The method must be a string.")
	}
	if m.Params.Kind() == 'n' {
		m.Params = nil // what some libraries write for none
	}
	if m.Params != nil && m.Params.Kind() != '{' {
		return m, invalid(`write params as {"name": …}`, "The params must be an object.")
	}
	if m.Params != nil {
		if err := jsonv2.Unmarshal(m.Params, &m.params, lenient); err != nil {
			return m, malformed(reason(m.Params, err))
		}
	}
	return m, nil
}

// silent reports whether nobody waits for an answer: it is a notification, or an
// answer itself.
func (m *message) silent() bool { return m.ID == nil || m.Method == nil }

// text is a param that is a string, or "".
func (m *message) text(param string) string {
	if v := m.params[param]; v.Kind() == '"' {
		text, _ := jsontext.AppendUnquote(nil, v)
		return string(text)
	}
	return ""
}

// validID reports whether an id is a string or a whole number that the SDK gives
// back as it came.
func validID(id jsontext.Value) bool {
	const longest = 1 << 10
	if len(id) > longest {
		return false
	}
	if id.Kind() == '"' {
		return true
	}
	digits := strings.TrimPrefix(string(id), "-")
	const mostDigits = 15 // all of them fit a float64
	return len(digits) <= mostDigits && strings.Trim(digits, "0123456789") == ""
}

// wire is the message with what the SDK needs to know of it, each part once.
func (m *message) wire() []byte {
	b := append([]byte(`{"jsonrpc":"2.0","method":`), m.Method...)
	if m.ID != nil {
		b = append(append(b, `,"id":`...), m.ID...)
	}
	if m.Params != nil {
		b = append(append(b, `,"params":`...), m.Params...)
	}
	return append(b, '}')
}

const methodInitialize = "initialize"

// methods are those that the SDK knows. It answers others with plain text.
var methods = map[string]bool{
	methodInitialize: true, "ping": true, "server/discover": true, "completion/complete": true, "logging/setLevel": true,
	"tools/list": true, "tools/call": true, "prompts/list": true, "prompts/get": true,
	"resources/list": true, "resources/templates/list": true, "resources/read": true,
	"resources/subscribe": true, "resources/unsubscribe": true, "subscriptions/listen": true,
	"notifications/cancelled": true, "notifications/initialized": true,
	"notifications/progress": true, "notifications/roots/list_changed": true,
}

// problem is a failure below the tools.
type problem struct {
	status int
	code   int64 // of JSON-RPC
	issue  issue.Issue
}

// malformed is said of what is no message, whether it is a body or a line.
func malformed(reason string) *problem {
	return &problem{http.StatusBadRequest, jsonrpc.CodeParseError, issue.Issue{
		Code: issue.CodeBadRequest, Message: "The message is not valid JSON: " + plain(prose.Cut(reason, 300)) + ".", FixHint: "send one JSON-RPC message in UTF-8",
	}}
}

// reason says where a text is no JSON, in the words that documents get.
func reason(text []byte, err error) string {
	_, strict := document.Parse(slices.Clone(text))
	if wrong, ok := errors.AsType[*document.SyntaxError](strict); ok && !wrong.DuplicateKey {
		return wrong.Error()
	}
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}

// invalid is a message that makes no sense. Both texts take the arguments.
func invalid(hint, format string, args ...any) *problem {
	if strings.Contains(hint, "%d") {
		hint = fmt.Sprintf(hint, args...)
	}
	return &problem{http.StatusBadRequest, jsonrpc.CodeInvalidRequest, issue.Issue{
		Code: issue.CodeBadRequest, Message: fmt.Sprintf(format, args...), FixHint: hint,
	}}
}

// serverError is the code of JSON-RPC for what the others do not fit.
const serverError = -32000

// body is the answer to a message with that id; nil is an id that is not known.
func (p *problem) body(id jsontext.Value) []byte { return p.bodyWith(id, nil) }

// bodyWith is the answer with more data than the envelope.
func (p *problem) bodyWith(id jsontext.Value, more map[string]jsontext.Value) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	failure := envelope{errors: issue.Issues{p.issue}}
	data := failure.appendFailure(nil)
	for _, name := range slices.Sorted(maps.Keys(more)) {
		data = append(appendJSON(append(data[:len(data)-1], ','), name), ':')
		data = append(append(data, more[name]...), '}')
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	b = append(b, `,"error":`...)
	return append(appendJSON(b, wireError{p.code, plain(p.issue.Message), data}), '}')
}
