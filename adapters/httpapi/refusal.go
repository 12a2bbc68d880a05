package httpapi

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

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
		return wholeResponse(http.StatusExpectationFailed, unknownExpectation, !bytes.HasSuffix(b, empty), private) // only HEAD has no length
	}
	line := bytes.IndexByte(b, '\r')
	if line < len(refusalStart)+3 || !bytes.HasPrefix(b[line:], refusal) || !bytes.HasPrefix(b, refusalStart) {
		return nil
	}
	status, _ := strconv.Atoi(string(b[len(refusalStart) : len(refusalStart)+3]))
	return wholeResponse(http.StatusBadRequest, unreadable(status), false, private)
}

// unknownExpectation refuses an Expect header.
var unknownExpectation = issue.Issue{
	Code: issue.CodeExpectationFailed, Message: "The expectation in the Expect header is not supported.",
	FixHint: "omit Expect, or use Expect: 100-continue",
}

// unreadable returns the finding in place of a status of the server itself.
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

// looksLikeHTTP reports whether a client sent the begin of an HTTP request instead
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
	return wholeResponse(http.StatusBadRequest, issue.Issue{
		Code: issue.CodeBadRequest, Message: "The request is not encrypted, but this port requires TLS.", FixHint: "use https instead of http in the URL",
	}, false, private)
}

// wholeResponse returns a response with a finding. The server closes the connection
// after it.
func wholeResponse(status int, found issue.Issue, headOnly, private bool) []byte {
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
