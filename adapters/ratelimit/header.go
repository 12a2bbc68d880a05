package ratelimit

import (
	"net/http"
	"strconv"
	"time"
)

// SetHeader sets the headers RateLimit and RateLimit-Policy
// (draft-ietf-httpapi-ratelimit-headers-11) and, if the request was refused,
// Retry-After:
//
//	RateLimit-Policy: "read";q=300;w=60
//	RateLimit: "read";r=12;t=31
//
// It sets nothing if there is no limit and the request passes. Retry-After is at least
// one second, even if the limiter does not say when to try again.
func (d Decision) SetHeader(h http.Header) {
	if !d.Allowed {
		h.Set("Retry-After", strconv.FormatInt(max(1, seconds(d.RetryAfter)), 10))
	}
	if d.Limit <= 0 {
		return
	}
	// One allocation for the text and one for the slice: every response pays.
	buf := make([]byte, 0, 80)
	buf = appendItem(buf, d.Bucket, ";q=", d.Limit, ";w=", d.Window)
	n := len(buf)
	buf = appendItem(buf, d.Bucket, ";r=", d.Remaining, ";t=", d.Reset)
	text := string(buf)
	values := []string{text[:n], text[n:]}
	h["Ratelimit-Policy"], h["Ratelimit"] = values[:1:1], values[1:]
}

// appendItem appends a structured field item (RFC 9651) with two parameters.
func appendItem(buf []byte, b Bucket, count string, n int, span string, t time.Duration) []byte {
	buf = append(buf, '"')
	buf = append(buf, b.String()...)
	buf = append(buf, '"')
	buf = append(buf, count...)
	buf = strconv.AppendInt(buf, int64(n), 10)
	buf = append(buf, span...)
	return strconv.AppendInt(buf, seconds(t), 10)
}

// seconds rounds up.
func seconds(t time.Duration) int64 { return int64((t + time.Second - 1) / time.Second) }
