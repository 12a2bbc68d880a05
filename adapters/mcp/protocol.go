package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// modern is the first revision of the protocol without sessions and handshake.
const modern = "2026-07-28"

// revisions are those that the server speaks, newest first.
var revisions = []string{modern, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// caller is what a transport knows about the client that sent a message.
type caller struct {
	session string // whose page is shown
	base    string // URL of the REST API, or ""
	// deadline is when everything that the client sent must be answered.
	deadline time.Time
	// headers are nil on stdio: there the message itself says what they say.
	headers *headers
}

// request is a message on its way through the server.
type request struct {
	*message
	*caller
	known    *method // nil if there is no such method
	meta     object  // params._meta
	revision string  // of the protocol; "" means any before the modern one
	// ahead are notifications to send before the answer.
	ahead [][]byte
}

func (r *request) modern() bool { return r.revision >= modern }

// answer is what becomes of a message.
type answer struct {
	status int      // of an HTTP response
	body   []byte   // nil if nothing is sent back
	ahead  [][]byte // notifications that precede the body
	// opened is set if a client said hello, and may need a session.
	opened bool
}

// grace is how long after its deadline the result of a call still counts, so that
// a call can report itself that it took too long.
const grace = time.Second

// newCaller returns a caller whose time starts now.
func (s *Server) newCaller(session string) *caller {
	c := &caller{session: session, deadline: time.Now().Add(s.options.Timeout)}
	if !strings.HasPrefix(s.options.BaseURL, "/") { // else the host is that of the request
		c.base = s.options.BaseURL
	}
	return c
}

// answerAll answers a message or the messages of a batch, one after the other.
func (s *Server) answerAll(ctx context.Context, c *caller, messages []*message, batch bool) answer {
	if !batch {
		return s.answer(ctx, c, messages[0], 0)
	}
	all := answer{status: http.StatusAccepted}
	for _, m := range messages {
		a := s.answer(ctx, c, m, len(all.body))
		all.opened = all.opened || a.opened
		all.ahead = append(all.ahead, a.ahead...)
		if a.body != nil {
			all.status, all.body = http.StatusOK, append(append(all.body, ','), a.body...)
		}
	}
	if all.body != nil {
		all.body = append(all.body, ']')
		all.body[0] = '[' // instead of the first comma
	}
	return all
}

// answer answers a message; sent is the size of the answers to the messages before
// it in the same batch. It recovers from panics.
func (s *Server) answer(ctx context.Context, c *caller, m *message, sent int) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v, "method", m.method)
			a = answer{status: http.StatusOK, body: internal(0).body(m.id)}
		}
	}()
	r := &request{message: m, caller: c, known: methods[m.method]}
	decode(m.params["_meta"], &r.meta)
	if r.revision = r.meta.text(metaRevision); c.headers != nil {
		r.revision = c.headers.revision
	}
	p := s.check(r, sent)
	if p == nil && m.silent() {
		return answer{status: http.StatusAccepted}
	}
	var body []byte
	if p == nil {
		ctx, cancel := context.WithDeadline(ctx, c.deadline)
		defer cancel()
		body = append(append([]byte(`{"jsonrpc":"2.0","id":`), m.id...), `,"result":`...)
		body, p = r.known.run(s, ctx, r, body)
		if time.Now().After(c.deadline.Add(grace)) {
			p = timeout("try again, or ask for less", "The call took too long.")
		}
	}
	if p != nil {
		return answer{status: p.statusOf(r), body: p.body(m.id)}
	}
	return answer{status: http.StatusOK, body: append(body, '}'), ahead: r.ahead, opened: m.method == methodInitialize}
}

// check returns why a message can't be answered, or nil.
func (s *Server) check(r *request, sent int) *problem {
	const fewer = "send fewer calls at a time"
	switch {
	case r.problem != nil:
		return r.problem
	case r.known == nil && r.silent():
		return nil // ignored
	case r.silent():
	case time.Now().After(r.deadline):
		return timeout(fewer, "The deadline passed before the call started.")
	case sent > 2*s.options.MaxAnswer: // a result holds its answer twice
		message := fmt.Sprintf("The answers to the calls before this one have more than %d bytes.", 2*s.options.MaxAnswer)
		return unavailable(http.StatusOK, issue.Issue{Code: issue.CodePayloadTooLarge, Message: message, FixHint: fewer})
	}
	if p := r.checkMethod(); p != nil {
		return p
	}
	if r.headers != nil {
		if p := r.headers.check(r); p != nil {
			return p
		}
	}
	return s.checkRevision(r)
}

// checkMethod returns why a message does not fit its method, or nil.
func (r *request) checkMethod() *problem {
	switch {
	case r.known == nil:
		return noMethod("There is no method "+quote(r.method)+".", nearest.One(r.method, maps.Keys(methods)))
	case r.id == nil && !r.known.notification:
		return invalid(`add "id": 1`, "The call of %s has no id, which its answer needs.", r.method)
	case r.id != nil && r.known.notification:
		return invalid("omit id", "The notification %s must not have an id.", r.method)
	case !r.silent() && !(r.modern() && r.known.legacy):
		for _, p := range r.known.params {
			if wrong := p.check(r.message); wrong != nil {
				return wrong.withStatus(http.StatusOK)
			}
		}
		if wrong := paramMeta.check(r.message); wrong != nil {
			return wrong.withStatus(http.StatusOK)
		}
	}
	if r.known.needsParams && r.params == nil {
		return invalid(`add "params": {}`, "The message %s has no params.", r.method)
	}
	return nil
}

// checkRevision returns why a message does not fit the revision of the protocol
// that it follows, or nil.
func (s *Server) checkRevision(r *request) *problem {
	supported := r.revision == "" || slices.Contains(s.revisions, r.revision)
	switch {
	case !supported && !r.modern():
		return s.unsupported(r)
	case r.silent():
		return nil
	case r.modern() && r.meta[metaClient] != nil && !r.meta.fits(metaClient, new(implementation)):
		return badMeta("invalid", metaClient)
	case r.modern() && !r.meta.fits(metaCapabilities, new(clientCapabilities)):
		return badMeta("missing or invalid", metaCapabilities)
	case !supported:
		p := s.unsupported(r)
		p.code = codeUnsupported
		p.extra = appendJSON(append(appendJSON([]byte(`"requested":`), prose.Clip(r.revision)), `,"supported":`...), s.revisions)
		return p
	case r.known.run == nil, r.modern() && r.known.legacy, !r.modern() && r.known.modern:
		return noMethod("The method "+r.method+" is not available, or not in this version of the protocol.", "")
	}
	return nil
}

func (s *Server) unsupported(r *request) *problem {
	return invalid("use "+prose.Or(s.revisions), "The protocol version %s is not supported.", quote(r.revision))
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

func noMethod(message, near string) *problem {
	hint := "use tools/list, tools/call, prompts/list, prompts/get, resources/list or resources/read"
	if near != "" {
		hint = "use " + near
	}
	return &problem{code: codeMethodNotFound, issue: issue.Issue{Code: issue.CodeNotFound, Message: message, FixHint: hint}}
}

// badMeta is the problem with what modern clients must send with each call.
func badMeta(what, key string) *problem {
	return badParams(issue.CodeBadRequest, "set params._meta as the specification of the protocol shows", "The field %s of _meta is %s.", key, what)
}

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

// What modern clients send in the _meta of each call.
const (
	metaRevision     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// What clients say about themselves. The server uses nothing of it, but refuses
// what has the wrong types.
type (
	implementation struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	clientCapabilities struct {
		Experimental object `json:"experimental"`
		Extensions   object `json:"extensions"`
		Roots        object `json:"roots"`
		Sampling     object `json:"sampling"`
		Elicitation  object `json:"elicitation"`
	}
)

// logPanic logs a panic with its stack.
func (s *Server) logPanic(value any, at ...any) {
	stack := make([]byte, 16<<10)
	stack = stack[:runtime.Stack(stack, false)]
	s.options.Logger.Error("panic", append(at, "value", value, "stack", string(stack))...)
}

// quote quotes a name that a client sent, in ASCII.
func quote(name string) string { return strconv.QuoteToASCII(prose.Cut(name, 80)) }
