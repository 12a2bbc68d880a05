package mcp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Handler serves clients over HTTP; see [Server.Handler].
type Handler struct {
	server *Server
	next   http.Handler // of the SDK
}

const (
	sessionField  = "Mcp-Session-Id"
	revisionField = "Mcp-Protocol-Version"
)

// ServeHTTP answers a request: a message, or a batch of them.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	setHeader(header)
	defer h.recover(w, r)
	if p := h.check(w, r); p != nil {
		h.fail(w, p)
		return
	}
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
		header.Set("Access-Control-Allow-Headers", allowedFields)
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, p := h.read(w, r)
	if p != nil {
		h.fail(w, p)
		return
	}
	texts, batch, p := readMessages(body)
	if p != nil {
		h.fail(w, p)
		return
	}
	h.answer(w, r, texts, batch)
}

const (
	exposedFields = "Mcp-Session-Id, X-Request-Id, Service-Content-Hash, Retry-After, RateLimit, RateLimit-Policy"
	allowedFields = "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Service-Client, X-Request-Id"
)

// check refuses what can't be answered whatever the body says.
func (h *Handler) check(w http.ResponseWriter, r *http.Request) *problem {
	if !h.hostAllowed(r) {
		return &problem{http.StatusForbidden, jsonrpc.CodeInvalidRequest, issue.Issue{
			Code: issue.CodeBadRequest, Message: "Requests to this machine may not go to the host " + prose.Quote(r.Host) + ".",
			FixHint: "use localhost, or have the operator allow the name",
		}}
	}
	if r.Method == http.MethodPost || r.Method == http.MethodOptions {
		return nil
	}
	w.Header().Set("Allow", "POST, OPTIONS")
	return &problem{http.StatusMethodNotAllowed, serverError, issue.Issue{
		Code: issue.CodeMethodNotAllowed, Message: "Only POST is possible here: there are no streams, and no sessions to end.", FixHint: "send a JSON-RPC message with POST",
	}}
}

// hostAllowed reports whether a request went to a name that it may go to.
func (h *Handler) hostAllowed(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if h.server.AnyHost || !ok || !loopback(local.String()) || loopback(r.Host) {
		return true
	}
	name := hostname(r.Host)
	if u, err := url.Parse(h.server.BaseURL); err == nil && u.Host != "" && strings.EqualFold(u.Hostname(), name) {
		return true
	}
	return slices.ContainsFunc(h.server.AllowedHosts, func(allowed string) bool { return strings.EqualFold(allowed, name) })
}

// hostname cuts the port from an address.
func hostname(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.Trim(address, "[]")
}

// loopback reports whether an address is of this machine alone.
func loopback(address string) bool {
	host := hostname(address)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// read reads the body, for as long and as much as is allowed.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, *problem) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.server.Timeout)) // some writers have none to set
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.server.MaxBody))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, h.tooLarge("body")
	}
	return nil, invalid("send the whole body, and faster", "The body could not be read to its end.")
}

// tooLarge is said of what has more bytes than are allowed.
func (h *Handler) tooLarge(what string) *problem {
	return &problem{http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, issue.Issue{
		Code: issue.CodePayloadTooLarge, Message: "The " + what + " has more than " + strconv.FormatInt(h.server.MaxBody, 10) + " bytes.",
		FixHint: "send a smaller datachain, or fewer calls at a time",
	}}
}

// answer has each message answered and sends what came of it.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, texts []jsontext.Value, batch bool) {
	c := h.caller(r)
	ctx, cancel := context.WithDeadline(withCaller(r.Context(), c), c.deadline.Add(grace))
	defer cancel()
	var answers answers
	var last recorded
	for _, text := range texts {
		last = h.one(ctx, w, r, text, answers.size)
		answers.add(last.body)
	}
	switch {
	case len(answers.list) == 0:
		w.WriteHeader(last.status)
	case !batch && last.events != nil:
		write(w, typeEvents, last.status, last.events)
	case !batch:
		send(w, r, last.status, last.body)
	default:
		send(w, r, http.StatusOK, answers.batch())
	}
}

// answers are what the messages of a request are answered with.
type answers struct {
	list [][]byte
	size int // in bytes, all together
}

// add adds an answer, if it is one.
func (a *answers) add(body []byte) {
	if len(body) > 0 {
		a.list, a.size = append(a.list, body), a.size+len(body)
	}
}

// batch is the answer to a batch.
func (a *answers) batch() []byte {
	b := append(make([]byte, 0, a.size+len(a.list)+1), '[')
	return append(append(b, bytes.Join(a.list, []byte{','})...), ']')
}

// grace is how much longer is waited for a call than it may take, so that it can
// say itself that it took too long.
const grace = time.Second

// caller returns who sent a request.
func (h *Handler) caller(r *http.Request) caller {
	c := caller{session: cmp.Or(r.Header.Get(sessionField), DefaultSession), base: h.server.BaseURL, deadline: time.Now().Add(h.server.Timeout)}
	if c.base == "" && r.Host != "" {
		c.base = "http://" + r.Host
		if r.TLS != nil {
			c.base = "https://" + r.Host
		}
	}
	return c
}

// one answers a message as if it had come alone, after answers of that size.
func (h *Handler) one(ctx context.Context, w http.ResponseWriter, r *http.Request, text jsontext.Value, before int) recorded {
	m, p := h.parse(ctx, text, before)
	got := h.ask(ctx, r, m, p)
	if m.method == methodInitialize && r.Header.Get(sessionField) == "" && got.good {
		w.Header().Set(sessionField, rand.Text())
	}
	return got
}

// parse reads a message. A call is refused where those before it in the batch took
// all the time, or all the room: a short batch can ask for a long text many times.
func (h *Handler) parse(ctx context.Context, text jsontext.Value, before int) (*message, *problem) {
	m, p := parseMessage(text)
	room := 2 * h.server.MaxAnswer // a result holds its answer twice
	switch {
	case p != nil || m.silent():
	case time.Now().After(callerOf(ctx).deadline):
		p = &problem{http.StatusGatewayTimeout, serverError, issue.Issue{
			Code: issue.CodeTimeout, Message: "The time was over before the call was looked at.", FixHint: fewerCalls,
		}}
	case before > room:
		p = &problem{http.StatusOK, serverError, issue.Issue{
			Code: issue.CodePayloadTooLarge, Message: "The answers to the calls before this one have more than " + strconv.Itoa(room) + " bytes.", FixHint: fewerCalls,
		}}
	}
	return m, p
}

const fewerCalls = "send fewer calls at a time"

// ask has a message answered by the SDK, unless something is wrong with it.
func (h *Handler) ask(ctx context.Context, r *http.Request, m *message, p *problem) recorded {
	silent := m.silent()
	young := r.Header.Get(revisionField) >= newRevision
	switch {
	case p != nil:
	case !methods[m.method]:
		if silent {
			return recorded{status: http.StatusAccepted} // nobody waits for an answer
		}
		p = noMethod(m.method)
		if young {
			p.status = http.StatusNotFound
		}
	case m.ID == nil && m.Method != nil && !strings.HasPrefix(m.method, "notifications/"):
		p = invalid(`add "id": 1`, "The call of %s has no id, so nobody would know its answer.", m.method)
	case !silent && !(young && removed(m.method)):
		p = checkParams(m)
	}
	if p != nil {
		return recorded{status: p.status, body: p.body(m.ID)}
	}
	rec := &recorder{header: make(http.Header)}
	h.next.ServeHTTP(rec, inner(ctx, r, m.wire()))
	return rec.result(m)
}

// inner is a request as the SDK wants it.
func inner(ctx context.Context, r *http.Request, body []byte) *http.Request {
	in := r.Clone(ctx)
	in.Body = io.NopCloser(bytes.NewReader(body))
	in.ContentLength = int64(len(body))
	in.Header.Set("Content-Type", typeJSON)
	in.Header.Set("Accept", typeJSON+", "+typeEvents)
	in.Header.Del("Last-Event-ID")
	in.Header.Del(sessionField)
	return in
}

// send writes an answer, as an event where the client takes nothing else.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if onlyEvents(r.Header.Values("Accept")) && status == http.StatusOK {
		write(w, typeEvents, status, slices.Concat([]byte("event: message\ndata: "), body, []byte("\n\n")))
	} else {
		write(w, typeJSON, status, body)
	}
}

const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

func write(w http.ResponseWriter, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is nobody's failure
}

// onlyEvents reports whether a client takes events and no JSON.
func onlyEvents(accept []string) bool {
	events := false
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(kind)) {
		case typeJSON, "application/*", "*/*":
			return false
		case typeEvents, "text/*":
			events = true
		}
	}
	return events
}

// Refuse answers a request with a failure that was found before it came here,
// such as that there are too many of them.
func (h *Handler) Refuse(w http.ResponseWriter, _ *http.Request, status int, issue issue.Issue) {
	setHeader(w.Header())
	h.fail(w, &problem{status, serverError, issue})
}

// setHeader sets what every answer has.
func setHeader(header http.Header) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", exposedFields)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
}

func (h *Handler) fail(w http.ResponseWriter, p *problem) {
	write(w, typeJSON, p.status, p.body(nil))
}

// recover turns a mistake in this program into an answer.
func (h *Handler) recover(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // the very value, as net/http compares it
		panic(p)
	}
	h.server.logPanic(p, "path", r.URL.Path)
	h.fail(w, &problem{http.StatusInternalServerError, jsonrpc.CodeInternalError, internal})
}

// internal is what is said of a failure that nobody foresaw.
var internal = issue.Issue{Code: issue.CodeInternalError, Message: "Something went wrong here.", FixHint: "try again; if it stays, tell the operator"}
