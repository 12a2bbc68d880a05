//go:build unix

package redistest_test

import (
	"testing"

	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// A test of a program that shares limits runs a Redis of its own, and pauses it.
func ExampleStartRedis() {
	_ = func(t *testing.T) { // a test
		server := redistest.StartRedis(t)
		share, err := redisshare.Open(server.Address, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = share.Close() }() // nothing was written
		server.Pause(t)
	}
}
