//go:build unix

package redisshare_test

import (
	"encoding/binary"
	mathrand "math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
)

// wait waits until a condition holds.
func wait(t *testing.T, what string, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, patience, time.Millisecond, what)
}

// waitAway makes requests until Redis counts as away, and waitBack waits until it
// does not.
func waitAway(t *testing.T, s *redisshare.Share) {
	t.Helper()
	wait(t, "Redis is away", func() bool {
		allow(t, s, ratelimit.NewKey(ratelimit.Resolve, client(9999), ""))
		return s.Err() != nil
	})
}

func waitBack(t *testing.T, s *redisshare.Share) {
	t.Helper()
	wait(t, "Redis is back", func() bool { return s.Err() == nil })
}

// waitError waits until Redis is away for a reason.
func waitError(t *testing.T, s *redisshare.Share, want string) {
	t.Helper()
	wait(t, want, func() bool { return s.Err() != nil && strings.Contains(s.Err().Error(), want) })
}

// exact checks that servers let exactly the limit pass together. If one of them
// decided by itself, because the machine is slow, it tries again with another client.
func exact(t *testing.T, first int, shares ...*redisshare.Share) {
	t.Helper()
	local := func() (n uint64) {
		for _, s := range shares {
			n += s.Stats().Local
		}
		return n
	}
	for i := range 20 {
		before := local()
		n := passed(t, ratelimit.NewKey(ratelimit.Read, client(first+i), ""), 10, shares...)
		if local() == before {
			require.Equal(t, limits.Read, n)
			return
		}
	}
	t.Fatal("a server decides by itself, though Redis is there")
}

// TestFaults takes Redis away from three servers in several ways.
func TestFaults(t *testing.T) {
	for name, fault := range map[string]struct {
		away, back func(*redistest.Redis, *testing.T)
	}{
		"killed": {
			func(s *redistest.Redis, t *testing.T) { s.Kill(t) },
			func(s *redistest.Redis, t *testing.T) { s.Restart(t) }, // with an empty script cache
		},
		"paused": {
			func(s *redistest.Redis, t *testing.T) { s.Pause(t) },
			func(s *redistest.Redis, t *testing.T) { s.Continue(t) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.StartRedis(t)
			var e events
			o := e.options()
			o.Limits, o.Replicas = limits, 3
			shares := three(t, server.Address, redisshare.Tolerant(o))
			used := ratelimit.NewKey(ratelimit.Read, client(1), "")
			passed(t, used, 10, shares[0])
			exact(t, 100, shares...)
			e.reset()

			fault.away(server, t)
			for _, s := range shares {
				waitAway(t, s)
			}
			assert.Equal(t, []string{"away", "away", "away"}, e.all(), "each says so once")
			require.Error(t, e.reason())
			for _, s := range shares {
				assert.Equal(t, limits.Read/3, passed(t, ratelimit.NewKey(ratelimit.Read, client(2), ""), 10, s), "the share")
				assert.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Validate, client(2), "")).Allowed, "at least one")
			}
			assert.Zero(t, passed(t, used, 10, shares[0]), "a client that was refused before gets no second limit")

			fault.back(server, t)
			for _, s := range shares {
				waitBack(t, s)
			}
			exact(t, 200, shares...)
			assert.ElementsMatch(t, []string{"away", "away", "away", "back", "back", "back"}, e.all())
			assert.GreaterOrEqual(t, shares[0].Stats().Outages, uint64(1))
		})
	}
}

// TestLoading restarts Redis with data that take long to load: it answers with errors
// meanwhile, which count as absence, and is back by itself when they are loaded.
func TestLoading(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t, "--rdbcompression", "no")
	var e events
	o := e.options()
	o.Limits, o.Replicas = limits, 3
	s := open(t, server.Address, redisshare.Tolerant(o))
	exact(t, 100, s)
	c := control(t, server)
	const keys = 5000
	pipe := c.Pipeline()
	for i := range keys {
		pipe.Set(t.Context(), "other:"+strconv.Itoa(i), strings.Repeat("x", 1024), 0)
	}
	_, err := pipe.Exec(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Save(t.Context()).Err())
	server.Kill(t)
	waitAway(t, s)
	e.reset()

	// It waits after each key, in microseconds, and answers after each kilobyte.
	server.Restart(t, "--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024")
	waitError(t, s, "LOADING")
	require.Error(t, s.Err())
	assert.Equal(t, "loading", redisshare.Kind(s.Err()))
	require.ErrorContains(t, s.Err(), "wait until Redis has loaded its data")
	assert.NotZero(t, s.Stats().Errors["loading"])
	assert.Equal(t, limits.Read/3, passed(t, ratelimit.NewKey(ratelimit.Read, client(1), ""), 10, s), "the share")
	started, err := redisshare.Open(server.Address, redisshare.Tolerant(redisshare.Options{Limits: limits, Replicas: 3}))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, started.Close()) })
	waitError(t, started, "LOADING") // given up
	assert.Empty(t, e.all(), "it is away all the time")

	require.NoError(t, c.ConfigSet(t.Context(), "key-load-delay", "0").Err())
	waitBack(t, s)
	waitBack(t, started)
	assert.Equal(t, []string{"back"}, e.all())
	exact(t, 200, s, started)
	n, err := c.DBSize(t.Context()).Result()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, n, int64(keys), "it had something to load")
}

// TestCountedBefore shows that a server that loses Redis remembers what passed
// through it.
func TestCountedBefore(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	s := open(t, server.Address, redisshare.Tolerant(redisshare.Options{Limits: limits, Replicas: 3}))
	key := ratelimit.NewKey(ratelimit.Read, client(1), "")
	for range 6 {
		require.True(t, allow(t, s, key).Allowed)
	}
	server.Kill(t)
	waitAway(t, s)
	n := 0
	for allow(t, s, key).Allowed {
		n++
	}
	assert.Equal(t, limits.Read/3-6, n)
}

// TestEmptyScriptCache shows that a server that does not know the script gets it,
// without an error and without counting twice.
func TestEmptyScriptCache(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	s := open(t, server.Address, redisshare.Patient(redisshare.Options{Limits: limits}, 0))
	c := control(t, server)
	for i := range 5 {
		require.NoError(t, c.ScriptFlush(t.Context()).Err())
		d := allow(t, s, ratelimit.NewKey(ratelimit.Read, client(1), ""))
		require.Equal(t, limits.Read-1-i, d.Remaining)
	}
	assert.Zero(t, s.Stats().Local)
}

// TestDamagedKey shows that a key of another type is the trouble of one client, however
// often that one asks.
func TestDamagedKey(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	var e events
	o := e.options()
	o.Damaged = func(err error) { e.add(err.Error()) }
	s := open(t, server.Address, redisshare.Patient(o, 0))
	name := "datachain:1:{" + client(1).String() + "}:read"
	require.NoError(t, control(t, server).SAdd(t.Context(), name, "x").Err())
	const requests = 20
	for range requests {
		require.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Read, client(1), "")).Allowed)
		require.NoError(t, s.Err())
	}
	assert.EqualValues(t, requests, s.Stats().Local, "decided by the share")
	assert.EqualValues(t, requests, s.Stats().Errors["key"])
	require.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Read, client(2), "")).Allowed)
	assert.EqualValues(t, requests, s.Stats().Local)
	assert.Zero(t, s.Stats().Outages)
	require.Len(t, e.all(), 1)
	assert.Contains(t, e.all()[0], name)
	assert.Contains(t, e.all()[0], "delete the key")
}

// TestDamagedWindow shows that the script ends whatever a window contains, and that limits
// hold again when the window has passed.
func TestDamagedWindow(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	c := control(t, server)
	s := open(t, server.Address, redisshare.Patient(redisshare.Options{Limits: limits}, time.Second))
	now, err := c.Time(t.Context()).Result()
	require.NoError(t, err)
	random := mathrand.New(mathrand.NewPCG(1, 2))
	for i := range 300 {
		// The newest and the oldest slot, the total, and two counts.
		window := binary.BigEndian.AppendUint32(nil, uint32(now.Unix())+random.Uint32N(3))
		window = binary.BigEndian.AppendUint32(window, []uint32{0, uint32(now.Unix()), random.Uint32()}[i%3])
		window = binary.BigEndian.AppendUint16(window, []uint16{1, 40, 1<<16 - 1}[random.IntN(3)])
		for range 2 {
			window = binary.BigEndian.AppendUint16(window, []uint16{0, 1, 40}[random.IntN(3)])
		}
		if i%50 == 0 {
			window = window[1:]
		}
		name := "datachain:1:{" + client(i).String() + "}:read"
		require.NoError(t, c.Set(t.Context(), name, window, 0).Err())
		allow(t, s, ratelimit.NewKey(ratelimit.Read, client(i), ""))
		require.NoError(t, s.Err(), "%x", window)
	}
	assert.Zero(t, s.Stats().Local)
	wait(t, "all are allowed", func() bool {
		for i := range 300 {
			if !allow(t, s, ratelimit.NewKey(ratelimit.Read, client(i), "")).Allowed {
				return false
			}
		}
		return true
	})
}

// TestOneErrorAmongOthers shows that a failure does not touch the checks that are under way
// with it.
func TestOneErrorAmongOthers(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	s := open(t, server.Address, redisshare.Patient(redisshare.Options{Limits: limits}, 0))
	require.NoError(t, control(t, server).SAdd(t.Context(), "datachain:1:{"+client(2).String()+"}:read", "x").Err()) // of another type
	before := s.Stats()
	var all sync.WaitGroup
	ask := func(key ratelimit.Key, n *atomic.Int64) {
		all.Go(func() {
			if d, err := s.Allow(t.Context(), key); assert.NoError(t, err) && d.Allowed {
				n.Add(1)
			}
		})
	}
	var broken, named, others atomic.Int64
	for range limits.Read + 10 {
		ask(ratelimit.NewKey(ratelimit.Read, client(3), "a"), &named)
		ask(ratelimit.NewKey(ratelimit.Read, client(2), ""), &broken)
		ask(ratelimit.NewKey(ratelimit.Read, client(4), ""), &others)
	}
	all.Wait()
	assert.EqualValues(t, limits.Read, named.Load())
	assert.EqualValues(t, limits.Read, others.Load())
	assert.EqualValues(t, limits.Read, broken.Load(), "by the share of the only server")
	after := s.Stats()
	assert.EqualValues(t, limits.Read+10, after.Errors["key"]-before.Errors["key"])
	assert.EqualValues(t, limits.Read+10, after.Local-before.Local)
	require.NoError(t, s.Err())
}

// TestPause stops Redis for a moment that is too long for all checks that are under way: they
// are decided here, and Redis does not count as away.
func TestPause(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	var e events
	o := e.options()
	o.Limits = limits
	s := open(t, server.Address, redisshare.Tolerant(o))
	e.reset() // the machine may be slow at the start
	server.Pause(t)
	assert.Equal(t, 16, passed(t, ratelimit.NewKey(ratelimit.Read, client(1), ""), 1, s))
	server.Continue(t)
	assert.Positive(t, s.Stats().Errors["timeout"])
	exact(t, 100, s)
	assert.Empty(t, e.all())
}

// TestSlow puts a delay between the server and Redis, longer than the budget: Redis
// is then away, and does not come and go.
func TestSlow(t *testing.T) {
	t.Parallel()
	redistest.Long(t)
	server := redistest.StartRedis(t)
	p := newProxy(t, server.Host())
	var e events
	o := e.options()
	o.Limits, o.Replicas = limits, 3
	s := open(t, p.address, redisshare.Tolerant(o))
	exact(t, 100, s)
	e.reset()
	p.delay.Store(int64(400 * time.Millisecond))
	waitAway(t, s)
	seen := p.answers.Load()
	wait(t, "probes were answered", func() bool { return p.answers.Load() > seen+2 })
	assert.Equal(t, []string{"away"}, e.all())
	assert.Equal(t, 10, passed(t, ratelimit.NewKey(ratelimit.Read, client(1), ""), 10, s))
	p.delay.Store(0)
	waitBack(t, s)
	exact(t, 200, s)
}

// proxy forwards connections to a Unix socket, with a delay before each answer.
type proxy struct {
	address string
	delay   atomic.Int64
	answers atomic.Int64
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	p := &proxy{address: "redis://" + l.Addr().String()}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("unix", target) //nolint:noctx // it does not wait
			if err != nil {
				_ = from.Close()
				continue
			}
			go func() {
				defer to.Close()
				buf := make([]byte, 64<<10)
				for {
					n, err := from.Read(buf)
					if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
						return
					}
				}
			}()
			go p.answer(from, to)
		}
	}()
	return p
}

// answer copies what Redis answers.
func (p *proxy) answer(from, to net.Conn) {
	defer from.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := to.Read(buf)
		if err != nil {
			return
		}
		time.Sleep(time.Duration(p.delay.Load()))
		p.answers.Add(1)
		if _, err := from.Write(buf[:n]); err != nil {
			return
		}
	}
}

// TestUnreachable opens a Share without Redis: it is given up, and works alone
// until Redis comes.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	server.Kill(t)
	var e events
	o := e.options()
	o.Limits, o.Replicas = limits, 3
	s, err := redisshare.Open(server.Address, redisshare.Tolerant(o))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	assert.Equal(t, 10, passed(t, ratelimit.NewKey(ratelimit.Read, client(1), ""), 10, s), "before it is given up")
	select {
	case <-s.Settled():
		require.Error(t, s.Err(), "given up")
	case <-time.After(patience):
		t.Fatal("not given up")
	}
	assert.Equal(t, []string{"away"}, e.all())
	server.Restart(t)
	waitBack(t, s)
	assert.Equal(t, []string{"away", "back"}, e.all())
	exact(t, 100, s)
}

// TestOff checks that a bucket without a limit passes without Redis, and does not count as
// a decision of this server alone: an alert on those says that limits are inexact.
func TestOff(t *testing.T) {
	t.Parallel()
	s := open(t, redistest.StartRedis(t).Address, &redisshare.Options{Limits: ratelimit.Limits{Read: -1}})
	before := s.Stats()
	assert.True(t, allow(t, s, ratelimit.NewKey(ratelimit.Read, client(1), "")).Allowed)
	after := s.Stats()
	assert.Equal(t, before.Local, after.Local)
	assert.Equal(t, before.Redis, after.Redis)
	assert.Equal(t, uint64(1), s.Stats().Limiter.Allowed[ratelimit.Read])
}

// TestServerErrors shows what an operator reads.
func TestServerErrors(t *testing.T) {
	for name, c := range map[string]struct {
		settings, command []string
		kind              string
		want              []string
	}{
		"no password":   {[]string{"--requirepass", "secret"}, nil, "auth", []string{"NOAUTH", "check the user and the password"}},
		"out of memory": {[]string{"--maxmemory", "1"}, nil, "memory", []string{"OOM", "raise maxmemory"}},
		"a replica":     {[]string{"--replicaof", "127.0.0.1 1"}, nil, "readonly", []string{"READONLY", "use the address of the primary"}},
		"no scripts":    {nil, []string{"ACL", "SETUSER", "default", "-evalsha"}, "auth", []string{"NOPERM", "ACL SETUSER"}},
		"no names":      {nil, []string{"ACL", "SETUSER", "default", "-zadd"}, "auth", []string{"can't run this command", "ACL SETUSER"}},
		"a cluster":     {[]string{"--cluster-enabled", "yes"}, []string{"CLUSTER", "ADDSLOTSRANGE", "0", "16383"}, "config", []string{"CROSSSLOT", "use redis+cluster://"}},
		"no permission": {nil, []string{"ACL", "SETUSER", "default", "resetkeys", "~other:*"}, "auth", []string{"NOPERM", "ACL SETUSER"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.StartRedis(t, c.settings...)
			if c.command != nil {
				words := make([]any, len(c.command))
				for i, w := range c.command {
					words[i] = w
				}
				require.NoError(t, control(t, server).Do(t.Context(), words...).Err())
			}
			s, err := redisshare.Open(server.Address, redisshare.Patient(redisshare.Options{}, 0))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			for _, want := range c.want {
				waitError(t, s, want)
			}
			for range 20 { // it does not come and go
				allow(t, s, ratelimit.NewKey(ratelimit.Read, client(1), ""))
			}
			assert.EqualValues(t, 1, s.Stats().Outages)
			require.Error(t, s.Err())
			assert.Equal(t, c.kind, redisshare.Kind(s.Err()))
			assert.NotContains(t, s.Err().Error(), "secret")
		})
	}
}

// TestCloseWhileChecking shows that requests that are still served get a decision.
func TestCloseWhileChecking(t *testing.T) {
	server := redistest.StartRedis(t)
	for range 20 {
		s, err := redisshare.Open(server.Address, &redisshare.Options{Limits: limits})
		require.NoError(t, err)
		<-s.Settled()
		stop := make(chan struct{})
		failed := make(chan error, 4)
		var group sync.WaitGroup
		for i := range cap(failed) {
			group.Go(func() {
				for n := 0; ; n++ {
					if _, err := s.Allow(t.Context(), ratelimit.NewKey(ratelimit.Read, client(100*i+n%100), "")); err != nil {
						failed <- err
						return
					}
					select {
					case <-stop:
						return
					default:
					}
				}
			})
		}
		require.NoError(t, s.Close())
		close(stop)
		group.Wait()
		require.Empty(t, failed)
	}
}
