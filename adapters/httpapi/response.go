package httpapi

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// response is the writer of a request, with what is logged about it.
type response struct {
	http.ResponseWriter
	api    *api
	id     [1]string // as a header value
	client netip.Addr
	// request is the one that is answered.
	request *http.Request
	share   netip.Addr // whose share of the server it takes: the client as limits count it
	route   *route
	places
	// index and found are what the store had when it was asked whether it can
	// serve the request; found is nil if there is no such version.
	index  *taxonomy.Index
	found  *datachain.Schema
	schema *datachain.Schema // nil until the version is known
	begun  time.Time
	phase  phase
	status int // 0 until the header is written
	bytes  int64
	// unread is how many bytes of a write its reader has not read yet.
	unread int64
	reader *reader
	// positions means that findings have their place in the document.
	positions bool
	// unchecked means that the limiter did not decide.
	unchecked bool
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (res *response) Unwrap() http.ResponseWriter { return res.ResponseWriter }

var closing = []string{"close"}

// WriteHeader notes the status, and that only the client is waited for from now
// on, see unread. A server may have begun to stop since the request began.
func (res *response) WriteHeader(status int) {
	if res.status == 0 && status >= http.StatusOK {
		res.status = status
		if res.api.Stopping != nil && res.api.Stopping() {
			res.Header()["Connection"] = closing
		}
		if res.phase == preparing {
			res.phase = sending
			res.api.shares.send()
		}
	}
	res.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (res *response) Write(b []byte) (int, error) {
	if res.status == 0 {
		res.WriteHeader(http.StatusOK)
	}
	n, err := res.writePieces(b)
	res.bytes += int64(n)
	return n, err
}

// pieceSize is how much a client has to read within [Options.WriteTimeout], and
// minRate how many bytes a second it has to read after that time.
const (
	pieceSize = 64 << 10
	minRate   = 32 << 10
)

// buffered is what a server takes without waiting for the client.
const buffered = 4 << 10

// writePieces writes a body of any size to a client that may read slowly, or not
// at all. A body of one piece is left to the timeout of the server.
func (res *response) writePieces(b []byte) (n int, err error) {
	if len(b) <= buffered {
		return res.ResponseWriter.Write(b)
	}
	unread := res.api.unread
	unread.add(res, len(b))
	defer unread.done(res)
	if len(b) <= pieceSize {
		return res.ResponseWriter.Write(b)
	}
	control := http.NewResponseController(res.ResponseWriter)
	now := time.Now()
	end := now.Add(res.api.WriteTimeout + time.Duration(len(b)/minRate)*time.Second)
	for n < len(b) && err == nil {
		deadline := now.Add(res.api.WriteTimeout)
		if end.Before(deadline) {
			deadline = end
		}
		_ = control.SetWriteDeadline(deadline) // not all writers support it
		var written int
		written, err = res.ResponseWriter.Write(b[n:min(n+pieceSize, len(b))])
		unread.read(res, written)
		n += written
		now = time.Now()
	}
	return n, err
}

// hurry limits the time to send a refusal, so that it costs less than what was
// refused, even if the client does not read it.
func (res *response) hurry() {
	_ = http.NewResponseController(res.ResponseWriter).SetWriteDeadline(time.Now().Add(refusalTimeout)) // not all writers support it
}

// refusalTimeout is the time to send a refusal.
const refusalTimeout = time.Second

// requestID returns the request id of the client if it is valid, else a new one.
func requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && validID(ids[0]) {
		return ids[0]
	}
	return newID()
}

// newID returns a new request id. It need not be secret, so the generator of the
// runtime is good enough; rand.Text takes twice as long.
func newID() string {
	id := binary.BigEndian.AppendUint64(make([]byte, 0, 16), rand.Uint64()) //nolint:gosec // not a secret
	return hex.EncodeToString(binary.BigEndian.AppendUint64(id, rand.Uint64()))
}

// validID reports whether an id is 1 to 128 letters, digits, periods, _ and -.
func validID(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 1 <= len(id) && len(id) <= 128
}
