//go:build unix

package redisshare_test

import (
	"context"
	"encoding/binary"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

const benchClients = 1000

// BenchmarkCheck measures a check of the limiter in memory, of the shared one by
// itself and with others under load, and of a client that is refused. The windows
// are full: each slot has requests. It reports the CPU time of this process and of
// Redis.
func BenchmarkCheck(b *testing.B) {
	memory, err := ratelimit.NewMemory(&ratelimit.Options{Limits: ratelimit.Limits{Icons: 65535}})
	require.NoError(b, err)
	server := redistest.StartRedis(b)
	c := control(b, server)
	s := open(b, server.Address, redisshare.Patient(redisshare.Options{Limits: ratelimit.Limits{Icons: 65535, Resolve: 1}}, 0))
	for _, bench := range []struct {
		name     string
		limiter  ratelimit.Limiter
		bucket   ratelimit.Bucket
		parallel int
	}{
		{"memory", memory, ratelimit.Icons, 1},
		{"redis", s, ratelimit.Icons, 1},
		{"redis, 64 at once", s, ratelimit.Icons, 64},
		{"redis, refused", s, ratelimit.Resolve, 64},
	} {
		b.Run(bench.name, func(b *testing.B) {
			fillWindows(b, c)
			keys := make([]ratelimit.Key, benchClients)
			for i := range keys {
				keys[i] = ratelimit.NewKey(bench.bucket, client(i), "")
				allow(b, bench.limiter, keys[i])
				if bench.bucket == ratelimit.Resolve {
					allow(b, bench.limiter, keys[i])
				}
			}
			measure(b, c, func() { run(b, bench.limiter, keys, bench.parallel) })
		})
	}
}

// run makes b.N requests from a number of goroutines.
func run(b *testing.B, l ratelimit.Limiter, keys []ratelimit.Key, parallel int) {
	b.Helper()
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	done := make(chan error, parallel)
	for range parallel {
		go func() {
			ctx := context.Background()
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if _, err := l.Allow(ctx, keys[i*7919%benchClients]); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range parallel {
		require.NoError(b, <-done)
	}
	b.StopTimer()
}

// measure reports the CPU time of a function per operation.
func measure(b *testing.B, c *redis.Client, f func()) {
	b.Helper()
	own, theirs := ownCPU(b), redisCPU(b, c)
	f()
	b.ReportMetric(float64((ownCPU(b)-own).Microseconds())/float64(b.N), "µs-cpu/op")
	b.ReportMetric(float64((redisCPU(b, c)-theirs).Microseconds())/float64(b.N), "µs-redis/op")
}

func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// redisCPU returns the CPU time of the main thread of Redis.
func redisCPU(b *testing.B, c *redis.Client) time.Duration {
	b.Helper()
	info, err := c.Info(context.Background(), "cpu").Result()
	require.NoError(b, err)
	var total float64
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user_main_thread" || name == "used_cpu_sys_main_thread" {
			seconds, err := strconv.ParseFloat(value, 64)
			require.NoError(b, err)
			total += seconds
		}
	}
	return time.Duration(total * float64(time.Second))
}

// fillWindows writes windows with a request in each slot.
func fillWindows(b *testing.B, c *redis.Client) {
	b.Helper()
	now, err := c.Time(context.Background()).Result()
	require.NoError(b, err)
	window := binary.BigEndian.AppendUint32(nil, uint32(now.Unix()))
	window = binary.BigEndian.AppendUint32(window, uint32(now.Unix())-60)
	window = binary.BigEndian.AppendUint16(window, 61)
	for range 61 {
		window = binary.BigEndian.AppendUint16(window, 1)
	}
	pipe := c.Pipeline()
	for i := range benchClients {
		pipe.Set(context.Background(), "datachain:1:{"+client(i).String()+"}:icons", window, time.Minute)
	}
	_, err = pipe.Exec(context.Background())
	require.NoError(b, err)
}

// BenchmarkPage stores and reads a page of 55 KB.
func BenchmarkPage(b *testing.B) {
	server := redistest.StartRedis(b)
	c := control(b, server)
	s := open(b, server.Address, redisshare.Patient(redisshare.Options{}, 0))
	page := []byte(strings.Repeat(`<section class="card"><h2>Element `+strconv.Itoa(b.N)+`</h2><p>`+strings.Repeat("text ", 30)+"</p></section>", 250))
	ctx := context.Background()
	b.Run("put", func(b *testing.B) {
		measure(b, c, func() {
			b.ReportAllocs()
			for range b.N {
				require.NoError(b, s.Put(ctx, "a", page))
			}
		})
	})
	b.Run("get", func(b *testing.B) {
		measure(b, c, func() {
			b.ReportAllocs()
			for range b.N {
				_, found, err := s.Get(ctx, "a")
				require.True(b, found && err == nil)
			}
		})
	})
}
