package ratelimit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/ratelimit/ratelimittest"
)

func TestMemory(t *testing.T) {
	var clock fakeClock
	ratelimittest.Run(t, func(t *testing.T, limits ratelimit.Limits) ratelimit.Limiter {
		t.Helper()
		m, err := ratelimit.NewMemory(&ratelimit.Options{Limits: limits, Now: clock.now})
		require.NoError(t, err)
		return m
	}, &ratelimittest.Options{Now: clock.now, Sleep: clock.advance})
}
