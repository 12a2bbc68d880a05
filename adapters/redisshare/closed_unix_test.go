//go:build unix

package redisshare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// TestClosedConnections closes the connections that checks use, as a proxy does with idle ones.
// That is noticed before a check is sent, and Redis does not count as away.
func TestClosedConnections(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
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
	require.True(t, byRedis())
	for range 3 {
		require.NoError(t, c.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err())
		assert.True(t, byRedis())
	}
	assert.Empty(t, e.all(), "Redis was not away")
	assert.Zero(t, s.Stats().Outages)
}
