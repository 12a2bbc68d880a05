package httpapi

import (
	"crypto/rand"
	"net/http"
	"time"
)

// response is the writer of a request, with what is to be told of it.
type response struct {
	http.ResponseWriter
	id    [1]string // as a field of the header has it
	route *route
	places
	begun  time.Time
	status int // 0 until the header is written
	bytes  int64
}

// Unwrap gives [http.ResponseController] the writer underneath.
func (res *response) Unwrap() http.ResponseWriter { return res.ResponseWriter }

// WriteHeader notes the status.
func (res *response) WriteHeader(status int) {
	if res.status == 0 {
		res.status = status
	}
	res.ResponseWriter.WriteHeader(status)
}

// Write counts.
func (res *response) Write(b []byte) (int, error) {
	if res.status == 0 {
		res.status = http.StatusOK
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
	return rand.Text()
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
