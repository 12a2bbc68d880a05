package mcp

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The error codes of JSON-RPC, and those that MCP adds.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternalError  = -32603
	codeServerError    = -32000
	codeNoResource     = -32002 // in revisions before the modern one
	codeHeaderMismatch = -32020
	codeUnsupported    = -32022 // protocol version
)

// problem is a failure below the tools: an error of JSON-RPC.
type problem struct {
	// status is that of the HTTP response; 0 means that the revision of the
	// protocol decides.
	status int
	code   int
	issue  issue.Issue
	// message is for people; "" means that of the issue.
	message string
	// extra is appended to the data: members of an object, without braces.
	extra []byte
}

// withStatus sets the status.
func (p *problem) withStatus(status int) *problem {
	p.status = status
	return p
}

// Error returns the message.
func (p *problem) Error() string { return cmp.Or(p.message, p.issue.Message) }

// statusOf is the status of the HTTP response. In the modern revision it follows
// the error code.
func (p *problem) statusOf(r *request) int {
	switch {
	case p.status != 0:
		return p.status
	case r.modern() && p.code == codeMethodNotFound:
		return http.StatusNotFound
	case r.modern() && p.code == codeInvalidParams:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// body is the answer to the message with that id; nil means an unknown id.
func (p *problem) body(id jsontext.Value) []byte {
	if id == nil {
		id = jsontext.Value("null")
	}
	b := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":`, id, p.code)
	b = appendJSON(b, visible(p.Error()))
	b = append(b, `,"data":{"ok":false,"errors":`...)
	b = appendJSON(b, wireIssues(issue.Issues{p.issue}))
	if p.extra != nil {
		b = fmt.Appendf(b, ",%s", p.extra)
	}
	return append(b, `}}}`...)
}

// malformed is the problem with a text that is not JSON.
func malformed(reason string) *problem {
	return &problem{status: http.StatusBadRequest, code: codeParseError, issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: "The message is not valid JSON: " + wording.Cut(reason, 300) + ".", FixHint: "send one JSON-RPC message in UTF-8",
	}}
}

// invalid is the problem with a message that is not JSON-RPC, or not MCP.
func invalid(hint, format string, args ...any) *problem {
	return &problem{status: http.StatusBadRequest, code: codeInvalidRequest, issue: issue.Issue{
		Code: issue.CodeBadRequest, Message: fmt.Sprintf(format, args...), FixHint: hint,
	}}
}

// badParams is the problem with params that a method can't use.
func badParams(code issue.Code, hint, format string, args ...any) *problem {
	return &problem{code: codeInvalidParams, issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// badTypes is the problem with a param whose members have the wrong types.
func badTypes(r *request, param string) *problem {
	return badParams(codes.InvalidArguments, "see the specification of the protocol for "+r.method, "The param %s of %s does not have the types that the protocol requires.", param, r.method)
}

// badMeta is the problem with what modern clients must send with each call.
func badMeta(what, key string) *problem {
	return badParams(issue.CodeBadRequest, "set params._meta as the specification of the protocol shows", "The field %s of _meta is %s.", key, what)
}

func noMethod(message, near string) *problem {
	hint := "use tools/list, tools/call, prompts/list, prompts/get, resources/list or resources/read"
	if near != "" {
		hint = "use " + near
	}
	return &problem{code: codeMethodNotFound, issue: issue.Issue{Code: issue.CodeNotFound, Message: message, FixHint: hint}}
}

func (s *Server) unsupported(r *request) *problem {
	return invalid("use "+wording.Or(s.revisions), "The protocol version %s is not supported.", quoteASCII(r.revision))
}

// find returns the item that a client names.
func find[T any](what string, all []T, nameOf func(*T) string, name string) (*T, *problem) {
	for i := range all {
		if nameOf(&all[i]) == name {
			return &all[i], nil
		}
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = nameOf(&all[i])
	}
	return nil, unknown(what, name, names).withStatus(http.StatusOK)
}

// unknown is the problem with a name that is none of names.
func unknown(what, name string, names []string) *problem {
	hint := "the " + what + "s are " + wording.And(names)
	if len(names) == 1 {
		hint = "use " + names[0] + ", the only one"
	} else if near := similar.Nearest(name, slices.Values(names)); near != "" {
		hint = "use " + near + "; " + hint
	}
	return badParams(issue.CodeNotFound, hint, "There is no %s %s.", what, quoteASCII(name))
}

// unavailable is a problem that the message did not cause.
func unavailable(status int, finding issue.Issue) *problem {
	return &problem{status: status, code: codeServerError, issue: finding}
}

func timeout(hint, message string) *problem {
	return unavailable(http.StatusGatewayTimeout, issue.Issue{Code: issue.CodeTimeout, Message: message, FixHint: hint})
}

// tooLong is the problem with a text that is larger than allowed.
func (s *Server) tooLong(what string) *problem {
	p := invalid("send a smaller datachain, or fewer calls at a time", "The %s has more than %d bytes.", what, s.options.MaxBody)
	p.status, p.issue.Code = http.StatusRequestEntityTooLarge, issue.CodePayloadTooLarge
	return p
}

// internal is a failure of this program.
func internal(status int) *problem {
	return &problem{status: status, code: codeInternalError, issue: internalIssue}
}

// internalIssue has no details, which are in the log.
var internalIssue = issue.Issue{Code: issue.CodeInternalError, Message: "Internal error.", FixHint: "try again; if it happens again, tell the operator"}

// quoteASCII quotes a name that a client sent, in ASCII.
func quoteASCII(name string) string { return strconv.QuoteToASCII(wording.Cut(name, 80)) }
