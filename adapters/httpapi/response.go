package httpapi

import (
	"net/http"
	"net/netip"
	"time"

	"github.com/datachain-go/datachain"
)

// response is the writer of a request, with what is logged about it.
type response struct {
	http.ResponseWriter
	api       *api
	id        [1]string // as a header value
	client    netip.Addr
	clientKey netip.Addr // the client as limits count it, such as an IPv6 network
	route     *route
	pathValues
	// listed and found are what the store had when it was asked whether it can
	// serve the request; found is nil if there is no such version.
	listed *listing
	found  *datachain.Schema
	schema *datachain.Schema // nil until the version is known
	begun  time.Time
	placed bool // it holds a place; see limit
	status int  // 0 until the header is written
	bytes  int64
	// positions means that findings have their place in the document.
	positions bool
	// include is what a resolved document is to include.
	include []string
	// unchecked means that the limiter did not decide.
	unchecked bool
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (res *response) Unwrap() http.ResponseWriter { return res.ResponseWriter }

var closing = []string{"close"}

// release returns the place of a request. It may be called again.
func (res *response) release() {
	if res.placed {
		res.placed = false
		<-res.api.places
	}
}

// WriteHeader notes the status, and that the response is ready. A server may have begun to stop
// since the request began.
func (res *response) WriteHeader(status int) {
	if res.status == 0 && status >= http.StatusOK {
		res.status = status
		if res.api.Stopping != nil && res.api.Stopping() {
			res.Header()["Connection"] = closing
		}
		res.release()
		res.expectRead()
	}
	res.ResponseWriter.WriteHeader(status)
}

// pieceSize is how much of a body a client has to read within [Options.WriteTimeout].
const pieceSize = 64 << 10

// Write writes a part of the body, and gives the client more time for each piece of it: only a
// client that stops reading is cut off, however large the body is.
func (res *response) Write(b []byte) (n int, err error) {
	if res.status == 0 {
		res.WriteHeader(http.StatusOK)
	}
	for n < len(b) && err == nil {
		begun := int(res.bytes % pieceSize)
		if begun == 0 && res.bytes > 0 {
			res.expectRead()
		}
		var written int
		written, err = res.ResponseWriter.Write(b[n:min(n+pieceSize-begun, len(b))])
		n += written
		res.bytes += int64(written)
	}
	return n, err
}

// expectRead sets the time until which the client has to read the next piece. Over HTTP/2, a client
// that does not loses this response, and no other one of its connection.
func (res *response) expectRead() {
	_ = http.NewResponseController(res.ResponseWriter).SetWriteDeadline(time.Now().Add(res.api.WriteTimeout)) // not all writers support it
}
