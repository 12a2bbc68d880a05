package redisshare_test

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

// One of three servers has a third of the limit while Redis is away, as it is here.
func ExampleOpen() {
	share, err := redisshare.Open("unix:///nonexistent/redis.sock", &redisshare.Options{
		Limits:   ratelimit.Limits{Resolve: 3},
		Replicas: 3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer share.Close()
	key := ratelimit.NewKey(ratelimit.Resolve, netip.MustParseAddr("192.0.2.7"), "")
	for range 2 {
		d, err := share.Allow(context.Background(), key)
		fmt.Println(d.Allowed, d.Limit, err)
	}
	// Output:
	// true 1 <nil>
	// false 1 <nil>
}
