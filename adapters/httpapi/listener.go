package httpapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ListenerOptions configure a [Listener]. Nil and the zero value mean the defaults.
type ListenerOptions struct {
	// TLS encrypts connections; nil means plain text. A listener that the
	// [http.Server] encrypts itself, with ServeTLS, has no effect on its
	// responses. The default of NextProtos is HTTP/2 and HTTP/1.1.
	TLS *tls.Config
	// Private leaves out the CORS headers; see [Options.Private].
	Private bool
	// Logger receives failed TLS handshakes; nil means [slog.Default].
	Logger *slog.Logger
}

// Listener returns a listener for an [http.Server] that serves the handler over
// HTTP/1.1 and HTTP/2, with or without TLS. Use it with Serve, allow
// [http.Protocols.UnencryptedHTTP2] even with TLS, and set [ConnContext].
//
// On its connections, clients always get an error that they can parse. A request
// that net/http cannot read, such as one for /%zz or one without a Host header,
// never reaches a handler: the server itself answers it, in plain text and without
// CORS headers. Here that response is an error like all others.
//
// The IdleTimeout of the [http.Server] closes HTTP/2 connections on which the headers of a request
// never end, which its ReadHeaderTimeout does not.
func Listener(l net.Listener, o *ListenerOptions) net.Listener {
	wrapped := &listener{Listener: l}
	if o != nil {
		wrapped.ListenerOptions = *o
	}
	if wrapped.Logger == nil {
		wrapped.Logger = slog.Default()
	}
	if wrapped.TLS != nil && len(wrapped.TLS.NextProtos) == 0 {
		wrapped.TLS = wrapped.TLS.Clone()
		wrapped.TLS.NextProtos = []string{"h2", "http/1.1"}
	}
	return wrapped
}

type listener struct {
	net.Listener
	ListenerOptions
}

// Accept waits for the next connection.
func (l *listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: accepted, listener: l}
	if l.TLS != nil {
		c.secure = tls.Server(accepted, l.TLS)
		c.Conn = c.secure
	}
	return c, nil
}

// conn is a connection as net/http sees it: decrypted. It is not a [tls.Conn],
// whose text could not be followed.
type conn struct {
	net.Conn
	secure   *tls.Conn // nil without TLS
	listener *listener

	// Only one goroutine reads at a time.
	state  *tls.ConnectionState // nil until the end of the handshake
	failed bool                 // the handshake
}

// Read begins with the handshake.
func (c *conn) Read(b []byte) (int, error) {
	if c.secure != nil && c.state == nil && !c.failed {
		if err := c.handshake(); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(b)
}

// handshake is limited by the read deadline of the server, like a header.
func (c *conn) handshake() error {
	err := c.secure.Handshake()
	if err == nil {
		state := c.secure.ConnectionState()
		c.state = &state
		return nil
	}
	c.failed = true
	if headerErr, ok := errors.AsType[tls.RecordHeaderError](err); ok && headerErr.Conn != nil && looksLikeHTTP(headerErr.RecordHeader) {
		_, _ = headerErr.Conn.Write(notHTTPS(c.listener.Private)) // the client may have disconnected
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) { // a connection that was not used
		c.listener.Logger.Warn("TLS handshake failed", "client", c.RemoteAddr().String(), "error", err)
	}
	return err
}

// Write replaces a refusal of the server itself.
func (c *conn) Write(b []byte) (int, error) {
	replacement := refusalInstead(b, c.listener.Private)
	if replacement == nil {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(replacement); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite lets the server close the connection after the client has read the
// response.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

type connKey struct{}

// ConnContext returns the context of a connection of a [Listener], from which the handlers of
// mounts know whether a request came over TLS. Set it as the ConnContext of the [http.Server].
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if wrapped, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, wrapped)
	}
	return ctx
}

// A refusal of the server itself is one write: a status line, exactly these two
// headers, and a text. A handler cannot send it, because its responses have a Date.
// An expectation that the server does not know is refused with a Date, and with
// headers that no response of a handler begins with.
var (
	refusalStart = []byte("HTTP/1.1 ")
	refusal      = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	unexpected   = []byte(" 417 Expectation Failed\r\nConnection: close\r\nDate: ")
	empty        = []byte("\r\nContent-Length: 0\r\n\r\n")
)

// refusalInstead returns the response in place of a refusal of the server itself,
// or nil if a write is anything else.
func refusalInstead(b []byte, private bool) []byte {
	if !bytes.HasPrefix(b, refusalStart[:len("HTTP/1.")]) {
		return nil
	}
	if bytes.HasPrefix(b[len("HTTP/1.1"):], unexpected) {
		return refusalResponse(http.StatusExpectationFailed, unknownExpectation, !bytes.HasSuffix(b, empty), private) // only HEAD has no length
	}
	line := bytes.IndexByte(b, '\r')
	if line < len(refusalStart)+3 || !bytes.HasPrefix(b[line:], refusal) || !bytes.HasPrefix(b, refusalStart) {
		return nil
	}
	status, _ := strconv.Atoi(string(b[len(refusalStart) : len(refusalStart)+3]))
	return refusalResponse(http.StatusBadRequest, unreadable(status), false, private)
}

// unknownExpectation refuses an Expect header.
var unknownExpectation = issue.Issue{
	Code: codes.ExpectationFailed, Message: "The expectation in the Expect header is not supported.",
	FixHint: "omit Expect, or use Expect: 100-continue",
}

// unreadable returns the finding for a status that the server itself would send.
func unreadable(status int) issue.Issue {
	finding := issue.Issue{Code: issue.CodeBadRequest}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		finding.Message, finding.FixHint = "The URL and the headers are too long.", "send shorter headers, or ask for less at once"
	case http.StatusNotImplemented:
		finding.Message, finding.FixHint = "The Transfer-Encoding is not supported.", "send the body with a Content-Length, or chunked"
	case http.StatusHTTPVersionNotSupported:
		finding.Message, finding.FixHint = "The HTTP version is not supported.", "use HTTP/1.1 or HTTP/2"
	default:
		finding.Message = "The request line or a header is malformed."
		finding.FixHint = "write % as %25 and a space as %20 in the URL, send exactly one Host header, and check the other headers"
	}
	return finding
}

// looksLikeHTTP reports whether a client sent the beginning of an HTTP request instead
// of a TLS record.
func looksLikeHTTP(record [5]byte) bool {
	switch string(record[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "DELET", "PATCH", "PRI *":
		return true
	}
	return false
}

// notHTTPS returns the response to an HTTP request on a port with TLS.
func notHTTPS(private bool) []byte {
	return refusalResponse(http.StatusBadRequest, issue.Issue{
		Code: issue.CodeBadRequest, Message: "The request is not encrypted, but this port requires TLS.", FixHint: "use https instead of http in the URL",
	}, false, private)
}

// refusalResponse returns a response with a finding. The server closes the connection
// after it.
func refusalResponse(status int, found issue.Issue, headOnly, private bool) []byte {
	body := envelope(finding{Issue: found})
	res := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Close: true,
		Header: http.Header{
			"Cache-Control": {"no-store"}, "Content-Type": {typeJSON}, "X-Content-Type-Options": nosniff, "X-Request-Id": {newID()},
		},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	if !private {
		res.Header["Access-Control-Allow-Origin"], res.Header["Access-Control-Expose-Headers"] = anyOrigin, exposedHeaders
	}
	if headOnly {
		res.Request = &http.Request{Method: http.MethodHead}
	}
	var b bytes.Buffer
	_ = res.Write(&b) // a buffer takes everything
	return b.Bytes()
}
