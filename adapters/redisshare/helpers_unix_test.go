//go:build unix

package redisshare_test

import (
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// patience is how long something may take that happens by itself.
const patience = 30 * time.Second

// open returns a Share that has reached Redis.
func open(t testing.TB, address string, o *redisshare.Options) *redisshare.Share {
	t.Helper()
	s, err := redisshare.Open(address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	select {
	case <-s.Settled():
	case <-time.After(patience):
		t.Fatal("Redis is not settled")
	}
	require.Eventually(t, func() bool { return s.Err() == nil }, patience, time.Millisecond) // it is given up soon
	return s
}

// three returns three servers.
func three(t testing.TB, address string, o *redisshare.Options) []*redisshare.Share {
	t.Helper()
	return []*redisshare.Share{open(t, address, o), open(t, address, o), open(t, address, o)}
}

// nextSlot waits for the next second of the clock of Redis.
func nextSlot(t testing.TB, server *redistest.Redis) {
	t.Helper()
	c := control(t, server)
	begun, err := c.Time(t.Context()).Result()
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		now, err := c.Time(t.Context()).Result()
		return err == nil && now.Unix() > begun.Unix()
	}, patience, 5*time.Millisecond)
}

// control returns a client for what a Share does not do.
func control(t testing.TB, s *redistest.Redis) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: s.Host()})
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

// events records calls of Away and Back.
type events struct {
	mu   sync.Mutex
	seen []string
	err  error
}

func (e *events) options() redisshare.Options {
	return redisshare.Options{Unreachable: e.away, Recovered: func() { e.add("back") }}
}

func (e *events) away(err error) {
	e.add("away")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

func (e *events) add(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, what)
}

// reset forgets what was seen.
func (e *events) reset() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen, e.err = nil, nil
}

func (e *events) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.seen...)
}

func (e *events) reason() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}
