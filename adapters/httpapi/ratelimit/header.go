package ratelimit

import (
	"net/http"
	"strconv"
	"time"
)

// SetHeader tells a client where it stands, in the fields RateLimit and
// RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11) and, if the request
// was refused, Retry-After:
//
//	RateLimit-Policy: "read";q=300;w=60
//	RateLimit: "read";r=12;t=31
//
// It sets nothing where there is no limit.
func (d Decision) SetHeader(h http.Header) {
	if d.Limit <= 0 {
		return
	}
	h.Set("RateLimit-Policy", item(d.Bucket, ";q=", d.Limit, ";w=", d.Window))
	h.Set("RateLimit", item(d.Bucket, ";r=", d.Remaining, ";t=", d.Reset))
	if !d.Allowed {
		h.Set("Retry-After", strconv.FormatInt(max(1, seconds(d.RetryAfter)), 10))
	}
}

// item writes a string with two parameters as a structured field (RFC 9651).
func item(b Bucket, count string, n int, span string, t time.Duration) string {
	buf := make([]byte, 0, 40)
	buf = append(buf, '"')
	buf = append(buf, b.String()...)
	buf = append(buf, '"')
	buf = append(buf, count...)
	buf = strconv.AppendInt(buf, int64(n), 10)
	buf = append(buf, span...)
	buf = strconv.AppendInt(buf, seconds(t), 10)
	return string(buf)
}

// seconds rounds up.
func seconds(t time.Duration) int64 { return int64((t + time.Second - 1) / time.Second) }
