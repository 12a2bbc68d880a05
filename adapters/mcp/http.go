package mcp

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// handler serves clients over HTTP; see [Server.Handler].
type handler struct{ server *Server }

// Handler returns the handler for the path of the server, such as /mcp. It does
// not look at the path itself.
func (s *Server) Handler() http.Handler { return &handler{s} }

const (
	headerSession  = "Mcp-Session-Id"
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method"
	headerName     = "Mcp-Name"

	exposedHeaders = "Mcp-Session-Id, X-Request-Id, Service-Content-Hash, Retry-After"
	allowedHeaders = "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Service-Client, X-Request-Id"

	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// ServeHTTP answers a request with one message or a batch.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	h.server.setHeader(header)
	defer h.recover(w, r)
	if p := h.check(w, r); p != nil {
		fail(w, p)
		return
	}
	if r.Method == http.MethodOptions {
		if !h.server.options.Private {
			header.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
			header.Set("Access-Control-Allow-Headers", allowedHeaders)
			header.Set("Access-Control-Max-Age", "86400")
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, p := h.read(w, r)
	if p != nil {
		fail(w, p)
		return
	}
	messages, batch, p := readMessages(body)
	if p != nil {
		fail(w, p)
		return
	}
	c := h.caller(r)
	a := h.server.answerAll(r.Context(), c, messages, batch)
	if a.initialized && r.Header.Get(headerSession) == "" {
		header.Set(headerSession, rand.Text())
	}
	switch {
	case a.body == nil:
		w.WriteHeader(a.status)
	case a.notifications != nil && !batch:
		write(w, typeEvents, a.status, events(append(a.notifications, a.body)...))
	case a.status == http.StatusOK && onlyEvents(r.Header.Values("Accept")):
		write(w, typeEvents, a.status, events(a.body))
	default:
		write(w, typeJSON, a.status, a.body)
	}
}

// check refuses a request that can't be answered, whatever its body is.
func (h *handler) check(w http.ResponseWriter, r *http.Request) *problem {
	if !h.hostAllowed(r) {
		return unavailable(http.StatusForbidden, issue.Issue{
			Code: codes.Forbidden, Message: "Requests to this machine must not have the host " + wording.Quote(r.Host) + ".", FixHint: "use localhost, or ask the operator to allow the host",
		})
	}
	if r.Method == http.MethodPost || r.Method == http.MethodOptions {
		return nil
	}
	w.Header().Set("Allow", "POST, OPTIONS")
	return unavailable(http.StatusMethodNotAllowed, issue.Issue{
		Code: codes.MethodNotAllowed, Message: "Only POST is allowed here: there are no streams, and no sessions to delete.", FixHint: "send a JSON-RPC message with POST",
	})
}

// hostAllowed reports whether a request may have the host that it has.
func (h *handler) hostAllowed(r *http.Request) bool {
	o := &h.server.options
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if o.AnyHost || !ok || !loopback(local.String()) || loopback(r.Host) {
		return true
	}
	name := hostname(r.Host)
	if u, err := url.Parse(o.BaseURL); err == nil && u.Host != "" && strings.EqualFold(u.Hostname(), name) {
		return true
	}
	return slices.ContainsFunc(o.AllowedHosts, func(allowed string) bool { return strings.EqualFold(allowed, name) })
}

// hostname removes the port from an address.
func hostname(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.Trim(address, "[]")
}

// loopback reports whether an address can be reached from this machine only.
func loopback(address string) bool {
	host := hostname(address)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// read reads the body within the limits of time and size.
func (h *handler) read(w http.ResponseWriter, r *http.Request) ([]byte, *problem) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.server.options.Timeout)) // not all writers support it
	body, err := readAll(http.MaxBytesReader(w, r.Body, h.server.options.MaxBody), r.ContentLength)
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, h.server.tooLong("body")
	}
	return nil, invalid("send the whole body in time", "The body could not be read to its end.")
}

// readAll reads all of a body. Its announced length, or -1, saves growing the buffer,
// but only so far: it may be wrong.
func readAll(r io.Reader, length int64) ([]byte, error) {
	const most = 64 << 10
	var b bytes.Buffer
	b.Grow(int(min(max(length, 0), most)) + bytes.MinRead)
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// caller returns what is known about the sender of a request.
func (h *handler) caller(r *http.Request) *caller {
	c := h.server.newCaller(cmp.Or(r.Header.Get(headerSession), defaultSession))
	c.headers = &headers{r.Header.Get(headerRevision), r.Header.Get(headerMethod), r.Header.Get(headerName)}
	if c.base == "" && r.Host != "" {
		c.base = "http://" + r.Host + h.server.options.BaseURL
		if r.TLS != nil {
			c.base = "https://" + r.Host + h.server.options.BaseURL
		}
	}
	return c
}

// headers repeat parts of a message, so that proxies need not read bodies.
type headers struct{ revision, method, name string }

// check returns where the headers differ from the message, or nil.
func (h *headers) check(r *request) *problem {
	switch revision := r.meta.text(metaRevision); {
	case revision != "" && revision != h.revision:
		return mismatch(headerRevision, h.revision, revision)
	case !r.modern():
		return nil
	case revision == "" && !r.silent():
		return badMeta("missing or invalid", metaRevision)
	case h.method != r.method:
		return mismatch(headerMethod, h.method, r.method)
	}
	if name := r.params.text(r.known.nameParam); r.known.nameParam != "" && (h.name == "" || h.name != name) {
		return mismatch(headerName, h.name, name)
	}
	return nil
}

func mismatch(header, got, want string) *problem {
	p := invalid("set "+header+" to "+quoteASCII(want), "The header %s is %s, but the message has %s.", header, quoteASCII(got), quoteASCII(want))
	if p.code = codeHeaderMismatch; got == "" {
		p.issue.Message = "The header " + header + " is missing."
	}
	return p
}

func events(messages ...[]byte) []byte {
	var b []byte
	for _, m := range messages {
		b = fmt.Appendf(b, "event: message\ndata: %s\n\n", m)
	}
	return b
}

func write(w http.ResponseWriter, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client disconnected
}

// onlyEvents reports whether a client accepts events, but not JSON.
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

// Refuse answers a request in the terms of the protocol with a failure that was found before the
// request got to the handler, such as a rate limit.
func (s *Server) Refuse(w http.ResponseWriter, _ *http.Request, status int, issue issue.Issue) {
	s.setHeader(w.Header())
	fail(w, unavailable(status, issue))
}

// setHeader sets the headers that every response has.
func (s *Server) setHeader(header http.Header) {
	if !s.options.Private {
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", exposedHeaders)
	}
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
}

func fail(w http.ResponseWriter, p *problem) { write(w, typeJSON, p.status, p.body(nil)) }

// recover answers a request after a panic.
func (h *handler) recover(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it, too
		panic(v)
	}
	h.server.logPanic(v, "path", r.URL.Path)
	fail(w, internal(http.StatusInternalServerError))
}
