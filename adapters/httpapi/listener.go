package httpapi

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Listener returns a listener for an [http.Server] that serves the handler. A
// request that net/http can't read, such as one for /%zz or one without a Host,
// never reaches a handler: the server answers it with a line of text. On a
// connection of this listener that answer has the form of every other failure.
//
// Under TLS there is nothing to be seen here, and the line stays.
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

// refusal is all of the header that the server writes by itself, and in one piece
// with the status line and the text. No handler can send this: a date would be
// there, at least.
var refusal = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// Write sends what the server writes, unless it is a refusal of its own.
func (c *conn) Write(b []byte) (int, error) {
	line := bytes.IndexByte(b, '\r')
	if line < 0 || !bytes.HasPrefix(b[line:], refusal) || !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(refused(string(b[:line]))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// CloseWrite lets the server see to it that the client gets the answer.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// refused is the answer in place of one with the given status line.
func refused(statusLine string) []byte {
	finding := issue.Issue{
		Code:    issue.CodeBadRequest,
		Message: "The request can't be read: its address or a field of its header is malformed.",
		FixHint: "write % as %25 and a space as %20 in addresses",
	}
	status := strings.TrimPrefix(statusLine, "HTTP/1.1 ")
	if _, reason, ok := strings.Cut(status, ": "); ok {
		finding.Message, finding.FixHint = "The request can't be read: "+prose.Plain(reason)+".", "mend what the message names"
	}
	switch {
	case strings.HasPrefix(status, "431"):
		finding.Message, finding.FixHint = "The address and the fields of the header are too long together.", "ask for less at once"
	case strings.HasPrefix(status, "501"):
		finding.Message, finding.FixHint = "The request can't be read: it has a Transfer-Encoding that is not known.", "send the body as it is, or chunked"
	}
	body, _ := json.Marshal(failed{Errors: issue.Issues{finding}}) // texts alone
	answer := http.Response{
		StatusCode: http.StatusBadRequest, ProtoMajor: 1, ProtoMinor: 1, Close: true,
		Header: http.Header{
			"Access-Control-Allow-Origin": anyOrigin, "Access-Control-Expose-Headers": exposedFields,
			"Cache-Control": {"no-store"}, "Content-Type": {typeJSON}, "X-Content-Type-Options": nosniff, "X-Request-Id": {newID()},
		},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
	var b bytes.Buffer
	_ = answer.Write(&b) // into memory
	return b.Bytes()
}
