package httpapi

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"
)

// response is the writer of a request, with what is logged about it.
type response struct {
	http.ResponseWriter
	id     [1]string // as a header value
	client netip.Addr
	route  *route
	places
	begun    time.Time
	stopping func() bool // nil is never
	status   int         // 0 until the header is written
	bytes    int64
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (res *response) Unwrap() http.ResponseWriter { return res.ResponseWriter }

var closing = []string{"close"}

// WriteHeader notes the status. A server may have begun to stop since the request
// began.
func (res *response) WriteHeader(status int) {
	if res.status == 0 {
		res.status = status
		if res.stopping != nil && res.stopping() {
			res.Header()["Connection"] = closing
		}
	}
	res.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (res *response) Write(b []byte) (int, error) {
	if res.status == 0 {
		res.WriteHeader(http.StatusOK)
	}
	n, err := res.ResponseWriter.Write(b)
	res.bytes += int64(n)
	return n, err
}

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
