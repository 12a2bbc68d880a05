package redisshare_test

import (
	"context"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

// TestMain lets many tests run at once on few cores: they mostly wait. At the end it waits for the
// dials and the lookups of names that the client has given up: they end by themselves, a lookup
// when the resolver has answered.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	code := m.Run()
	until := time.Now().Add(time.Minute)
	for code == 0 {
		leak := goleak.Find()
		if leak == nil {
			break
		}
		if time.Now().After(until) {
			fmt.Fprintln(os.Stderr, leak)
			code = 1
		}
	}
	os.Exit(code)
}

func client(i int) netip.Addr { return netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}) }

func allow(t testing.TB, l ratelimit.Limiter, key ratelimit.Key) ratelimit.Decision {
	t.Helper()
	d, err := l.Allow(context.Background(), key)
	require.NoError(t, err)
	return d
}

// passed makes requests from many goroutines, in turn from each limiter, and
// returns how many pass.
func passed(t testing.TB, key ratelimit.Key, requests int, limiters ...*redisshare.Share) int {
	t.Helper()
	var n atomic.Int64
	var group sync.WaitGroup
	for g := range 16 {
		group.Go(func() {
			for i := range requests {
				d, err := limiters[(g+i)%len(limiters)].Allow(context.Background(), key)
				if err != nil {
					t.Error(err)
				}
				if d.Allowed {
					n.Add(1)
				}
			}
		})
	}
	group.Wait()
	return int(n.Load())
}

// limits make a share of a third easy to tell from the whole.
var limits = ratelimit.Limits{Read: 30, Icons: 60, Validate: 1}
