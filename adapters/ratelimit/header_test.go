package ratelimit_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

func TestSetHeader(t *testing.T) {
	for name, c := range map[string]struct {
		decision                  ratelimit.Decision
		policy, limit, retryAfter string
	}{
		"passes": {
			ratelimit.Decision{Allowed: true, Bucket: ratelimit.Read, Limit: 300, Window: time.Minute, Remaining: 12, Reset: 31 * time.Second},
			`"read";q=300;w=60`, `"read";r=12;t=31`, "",
		},
		"refused": {
			ratelimit.Decision{Bucket: ratelimit.Resolve, Limit: 15, Window: time.Minute, Reset: 9 * time.Second, RetryAfter: 9 * time.Second},
			`"resolve";q=15;w=60`, `"resolve";r=0;t=9`, "9",
		},
		"of another limiter, that has fractions": {
			ratelimit.Decision{Bucket: ratelimit.Icons, Limit: 65535, Window: time.Hour, Reset: 1500 * time.Millisecond, RetryAfter: 2001 * time.Millisecond},
			`"icons";q=65535;w=3600`, `"icons";r=0;t=2`, "3",
		},
		"of one that does not know when": {
			ratelimit.Decision{Bucket: ratelimit.Validate, Limit: 30, Window: time.Minute},
			`"validate";q=30;w=60`, `"validate";r=0;t=0`, "1",
		},
		"of one that does not know anything": {ratelimit.Decision{}, "", "", "1"},
		"of one that has the past":           {ratelimit.Decision{RetryAfter: -time.Hour}, "", "", "1"},
		"no limit":                           {ratelimit.Decision{Allowed: true, Bucket: ratelimit.Read}, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			c.decision.SetHeader(h)
			assert.Equal(t, c.policy, h.Get("RateLimit-Policy"))
			assert.Equal(t, c.limit, h.Get("RateLimit"))
			assert.Equal(t, c.retryAfter, h.Get("Retry-After"))
		})
	}
}
