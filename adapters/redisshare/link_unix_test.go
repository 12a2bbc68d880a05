//go:build unix

package redisshare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/internal/enginetest"
)

// TestHeldConnection closes the connection that checks use. If it was idle, that is
// noticed before a check is sent; otherwise one check is decided here, and the next by
// Redis again, which does not count as away.
func TestHeldConnection(t *testing.T) {
	t.Parallel()
	server := enginetest.StartRedis(t)
	c := control(t, server)
	var e events
	s := open(t, server.Address, redisshare.Patient(e.options(), 0))
	next := 0
	byRedis := func() bool {
		before := s.Stats().Redis
		next++
		require.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Read, client(next), "")).Allowed)
		return s.Stats().Redis > before
	}
	closeAll := func() { require.NoError(t, c.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err()) }
	require.True(t, byRedis())
	require.True(t, redisshare.Holds(s))

	for range 3 {
		closeAll()
		redisshare.Rest(s)
		assert.True(t, byRedis(), "an idle connection is looked at")
	}
	closeAll()
	byRedis() // unless the machine is so slow that the connection was idle
	assert.True(t, byRedis(), "with a new connection")
	assert.Empty(t, e.all(), "Redis was not away")
	assert.Zero(t, s.Stats().TimesAway)
}
