package httpapi

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Listener returns a listener for an [http.Server] that serves the handler, so
// that clients always get an error that they can parse. A request that net/http
// cannot read, such as one for /%zz or one without a Host header, never reaches a
// handler: the server itself answers it, in plain text and without CORS headers.
// On a connection of this listener, that response is an error like all others. It
// has no effect on TLS, because it cannot recognize an encrypted response.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

type conn struct{ net.Conn }

// A refusal of the server itself is one write: a status line, exactly these two
// headers, and a text. A handler cannot send it, because its responses have a Date.
var (
	refusalStart = []byte("HTTP/1.1 ")
	refusal      = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

// Write replaces a refusal of the server itself.
func (c *conn) Write(b []byte) (int, error) {
	line := bytes.IndexByte(b, '\r')
	if line < len(refusalStart)+3 || !bytes.HasPrefix(b[line:], refusal) || !bytes.HasPrefix(b, refusalStart) {
		return c.Conn.Write(b)
	}
	status, _ := strconv.Atoi(string(b[len(refusalStart) : len(refusalStart)+3]))
	if _, err := c.Conn.Write(refused(status)); err != nil {
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

// refused returns the response in place of one with the given status.
func refused(status int) []byte {
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
	body := envelope(finding)
	res := http.Response{
		StatusCode: http.StatusBadRequest, ProtoMajor: 1, ProtoMinor: 1, Close: true,
		Header: http.Header{
			"Access-Control-Allow-Origin": anyOrigin, "Access-Control-Expose-Headers": exposedHeaders,
			"Cache-Control": {"no-store"}, "Content-Type": {typeJSON}, "X-Content-Type-Options": nosniff, "X-Request-Id": {newID()},
		},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	var b bytes.Buffer
	_ = res.Write(&b) // a buffer takes everything
	return b.Bytes()
}
