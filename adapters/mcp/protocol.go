package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
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
	// headers are nil on stdio, where the message has all that they repeat.
	headers *headers
}

// request is a message on its way through the server.
type request struct {
	*message
	*caller
	known    *method // nil if there is no such method
	meta     object  // params._meta
	revision string  // of the protocol; "" means any before the modern one
	// notifications are sent before the answer.
	notifications [][]byte
}

func (r *request) modern() bool { return r.revision >= modern }

// answer is the answer to a message.
type answer struct {
	status        int      // of an HTTP response
	body          []byte   // nil if nothing is sent back
	notifications [][]byte // notifications that precede the body
	// initialized is set if the client sent initialize, and may need a session.
	initialized bool
}

// grace is how long after the deadline a result is still sent, so that a call can
// report itself that it took too long.
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
		all.initialized = all.initialized || a.initialized
		all.notifications = append(all.notifications, a.notifications...)
		if a.body != nil {
			all.status = http.StatusOK
			all.body = append(all.body, ',')
			all.body = append(all.body, a.body...)
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
		body, p = r.known.run(s, ctx, r, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, m.id))
		if time.Now().After(c.deadline.Add(grace)) {
			p = timeout("try again, or ask for less", "The call took too long.")
		}
	}
	if p != nil {
		return answer{status: p.statusOf(r), body: p.body(m.id)}
	}
	return answer{status: http.StatusOK, body: append(body, '}'), notifications: r.notifications, initialized: m.method == methodInitialize}
}

// check returns why a message can't be answered, or nil.
func (s *Server) check(r *request, sent int) *problem {
	const fewer = "send fewer calls at a time"
	switch {
	case r.problem != nil:
		return r.problem
	case r.silent() && (r.known == nil || !r.known.notification):
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
	if p := s.checkSupported(r); p != nil {
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
		return noMethod("There is no method "+quoteASCII(r.method)+".", similar.Nearest(r.method, maps.Keys(methods)))
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

// checkSupported returns that the server does not speak the revision of a message, or nil.
func (s *Server) checkSupported(r *request) *problem {
	if r.revision == "" || slices.Contains(s.revisions, r.revision) || r.modern() && r.silent() {
		return nil
	}
	p := s.unsupported(r)
	if r.modern() {
		p.code = codeUnsupported
		p.extra = appendJSON(append(appendJSON([]byte(`"requested":`), wording.Clip(r.revision)), `,"supported":`...), s.revisions)
	}
	return p
}

// checkRevision returns why a message does not fit the revision of the protocol
// that it follows, or nil.
func (s *Server) checkRevision(r *request) *problem {
	switch {
	case r.silent():
		return nil
	case r.modern() && r.meta[metaClient] != nil && !r.meta.fits(metaClient, new(implementation)):
		return badMeta("invalid", metaClient)
	case r.modern() && !r.meta.fits(metaCapabilities, new(clientCapabilities)):
		return badMeta("missing or invalid", metaCapabilities)
	case r.known.run == nil, r.modern() && r.known.legacy, !r.modern() && r.known.modern:
		return noMethod("The method "+r.method+" is not available, or not in this version of the protocol.", "")
	}
	return nil
}

// What modern clients send in the _meta of each call.
const (
	metaRevision     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// metaServer is what the server says about itself in the _meta of each modern answer.
const metaServer = "io.modelcontextprotocol/serverInfo"

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
	s.options.Logger.Error("panic", append(at, "value", value, "stack", string(debug.Stack()))...)
}
