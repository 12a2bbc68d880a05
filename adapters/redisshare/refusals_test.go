package redisshare

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// TestRefusalsBound adds more refusals than are kept: expired ones go first.
func TestRefusalsBound(t *testing.T) {
	r := &refusals{max: 100, all: make(map[ratelimit.Key]refusal)}
	key := func(i int) ratelimit.Key {
		return ratelimit.NewKey(ratelimit.Read, netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), "")
	}
	for i := range 1000 {
		r.add(key(i), refusal{holds: time.Minute, retry: time.Minute}, 0)
		assert.LessOrEqual(t, r.len(), 100)
	}
	_, refused := r.find(key(999), time.Second)
	assert.True(t, refused, "the latest one is kept")
	for i := range 200 {
		r.add(key(2000+i), refusal{holds: 3 * time.Minute, retry: 3 * time.Minute}, 2*time.Minute)
	}
	assert.LessOrEqual(t, r.len(), 100)
	for k := range r.all {
		retry, refused := r.find(k, 2*time.Minute)
		assert.True(t, refused && retry == time.Minute, "no expired one is left")
	}
	_, refused = r.find(key(2199), 3*time.Minute)
	assert.False(t, refused)
}
