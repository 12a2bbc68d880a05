package mcp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// wireError is an error of JSON-RPC.
type wireError struct {
	Code    int64          `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitempty"`
}

// rpcError is the failure of a call for the SDK to pass on: what is said to a
// person, and the same for a program.
func rpcError(code int64, message string, finding issue.Issue) error {
	e := envelope{errors: issue.Issues{finding}}
	return &jsonrpc.Error{Code: code, Message: plain(message), Data: e.appendFailure(nil)}
}

// explained is an error of the SDK with the envelope of ours: a sentence, no
// words of Go, and nothing of what the client sent that is long. Errors that we
// gave it have one.
func explained(text []byte, m *message) []byte {
	var answer struct {
		Error wireError `json:"error"`
	}
	if jsonv2.Unmarshal(text, &answer, lenient) != nil {
		return (&problem{code: jsonrpc.CodeInternalError, issue: internal}).body(m.ID)
	}
	e := answer.Error
	data := map[string]jsontext.Value{}
	if e.Data.Kind() == '{' {
		_ = jsonv2.Unmarshal(e.Data, &data) // else there is none worth keeping
	}
	if data["ok"] != nil && data["errors"] != nil {
		return text
	}
	const long = 1 << 10
	if len(e.Data) > long {
		data = nil
	}
	p := &problem{code: e.Code, issue: issue.Issue{Code: issue.CodeBadRequest, Message: sentence(e.Message), FixHint: "see the specification of the protocol for " + m.method}}
	if e.Code > -32000 || e.Code < -32768 { // not of JSON-RPC
		p.code = jsonrpc.CodeInvalidParams
	}
	switch {
	case e.Code == jsonrpc.CodeInternalError:
		p.issue = internal
	case e.Code == jsonrpc.CodeMethodNotFound:
		p.issue.Code, p.issue.FixHint = issue.CodeNotFound, commonMethods
		p.issue.Message = "The method " + m.method + " is not offered here, or not in this revision of the protocol."
	case m.method == "resources/read" && m.text("uri") != viewURI:
		p.issue = known("resource", m.text("uri"), []string{viewURI}).issue
	case m.params["cursor"] != nil:
		p.issue.Message, p.issue.FixHint = "The cursor of "+m.method+" is none that was given out.", "leave the cursor out: the list has one page"
	case ofGo(e.Message):
		p.issue.Code, p.issue.Message = issue.CodeInvalidArguments, "The params of "+m.method+" are not of the kinds that the protocol wants."
	}
	return p.bodyWith(m.ID, data)
}

// ofGo reports whether a message tells about this program instead of what was
// sent.
func ofGo(message string) bool {
	for _, word := range []string{"unmarshal", "json:", "Go ", "struct", "decod", "pars", "mcp."} {
		if strings.Contains(message, word) {
			return true
		}
	}
	return false
}

// sentence makes a sentence of what the SDK says.
func sentence(text string) string {
	text = strings.TrimRight(plain(prose.Cut(strings.TrimSpace(text), 300)), ".")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}
