package httpapi

import (
	"math/rand/v2"
	"net/http"
	"net/netip"
	"time"
)

// response is the writer of a request, with what is to be told of it.
type response struct {
	http.ResponseWriter
	id     [1]string // as a field of the header has it
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

// WriteHeader notes the status. It is now that a server stops or does not, and not
// when the request began.
func (res *response) WriteHeader(status int) {
	if res.status == 0 {
		res.status = status
		if res.stopping != nil && res.stopping() {
			res.Header()["Connection"] = closing
		}
	}
	res.ResponseWriter.WriteHeader(status)
}

var closing = []string{"close"}

// Write counts.
func (res *response) Write(b []byte) (int, error) {
	if res.status == 0 {
		res.WriteHeader(http.StatusOK)
	}
	n, err := res.ResponseWriter.Write(b)
	res.bytes += int64(n)
	return n, err
}

// requestID keeps the client's own id if it is a decent one.
func requestID(r *http.Request) string {
	if ids := r.Header["X-Request-Id"]; len(ids) == 1 && decent(ids[0]) {
		return ids[0]
	}
	return newID()
}

// newID returns a new request id. Nobody else has it, and nothing depends on its
// being a secret, so the generator of the runtime is good enough, and quick.
func newID() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	var id [26]byte
	high, low := rand.Uint64(), rand.Uint64() //nolint:gosec // it is no secret
	for i := range 13 {
		id[i], id[13+i] = letters[high%32], letters[low%32]
		high, low = high/32, low/32
	}
	return string(id[:])
}

// decent reports whether an id is 1 to 128 letters, digits, periods, _ and -.
func decent(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return 1 <= len(id) && len(id) <= 128
}
