package redisshare

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// DefaultTimeout is how long a check waits for Redis unless [Options.Timeout] is set.
const DefaultTimeout = 25 * time.Millisecond

const (
	// probeTimeout limits a probe, which may have to connect first.
	probeTimeout = time.Second
	// pageTimeout limits each call for a page: a Put makes two, and each is repeated
	// once if need be.
	pageTimeout = 400 * time.Millisecond
	dialTimeout = 500 * time.Millisecond
	// probeAway and probeIdle are the times between two probes while Redis is
	// away, and while it is not and no check has been answered meanwhile.
	probeAway = 250 * time.Millisecond
	probeIdle = 500 * time.Millisecond
	// giveUpAfter is how long the first contact may take; see Settled.
	giveUpAfter = 3 * time.Second
	// tellAgain is the time between two calls of Damaged.
	tellAgain = time.Minute
	// failuresUntilAway is how many failures in a row mean that Redis is away.
	failuresUntilAway = 3
)

// Options configure a [Share]. Nil and the zero value mean the defaults.
type Options struct {
	// Limits are the limits of all servers together. All must have the same.
	Limits ratelimit.Limits
	// Replicas is the number of servers; 0 means 1. While Redis is away each
	// has this part of the limits, but at least one request.
	Replicas int
	// Timeout is how long a check waits for Redis; 0 means [DefaultTimeout]. A Redis
	// that takes longer counts as away. Callers that guard their limiter with a
	// timeout of their own need a longer one.
	Timeout time.Duration
	// MaxKeys limits the memory of a server for its own counts; see
	// [ratelimit.Options].
	MaxKeys int
	// Prefix begins every key; "" means "datachain". It must not contain
	// braces.
	Prefix string
	// MaxPage is the size of the largest page that is kept, before
	// compression; 0 means 4 MiB.
	MaxPage int
	// MaxPageAge is how long a page is kept; 0 means an hour.
	MaxPageAge time.Duration
	// TLS is used for addresses with TLS instead of the defaults, for example
	// with the certificates of a private authority.
	TLS *tls.Config
	// Away is called when Redis is considered away, with the reason, and Back
	// when it answers again. They must neither block nor call the Share.
	Away func(error)
	Back func()
	// Damaged is called when a key has a type or content that Redis or this server can't
	// use, at most once a minute. Only the client or session of the key is affected.
	Damaged func(error)

	// For tests, which can't move the clock of Redis, and must not depend on
	// the speed of the machine.
	window, giveUp time.Duration
}

// withDefaults returns the effective options.
func (o *Options) withDefaults() (Options, error) {
	var d Options
	if o != nil {
		d = *o
	}
	switch {
	case d.Replicas < 0:
		return d, fmt.Errorf("redisshare: Replicas is %d: it must be 1 or more, or 0 for the default", d.Replicas)
	case d.MaxPage < 0 || d.MaxPageAge < 0 || d.Timeout < 0:
		return d, fmt.Errorf("redisshare: MaxPage %d, MaxPageAge %s and Timeout %s must not be negative", d.MaxPage, d.MaxPageAge, d.Timeout)
	case strings.ContainsAny(d.Prefix, "{}"):
		return d, errors.New("redisshare: Prefix must not contain braces, which select the slot of a cluster")
	}
	d.Replicas = cmp.Or(d.Replicas, 1)
	d.Prefix = cmp.Or(d.Prefix, "datachain")
	d.MaxPage = cmp.Or(d.MaxPage, 4<<20)
	d.MaxPageAge = cmp.Or(d.MaxPageAge, time.Hour)
	d.window = cmp.Or(d.window, ratelimit.Window)
	d.Timeout = cmp.Or(d.Timeout, DefaultTimeout)
	d.giveUp = cmp.Or(d.giveUp, giveUpAfter)
	if d.Away == nil {
		d.Away = func(error) {}
	}
	if d.Back == nil {
		d.Back = func() {}
	}
	if d.Damaged == nil {
		d.Damaged = func(error) {}
	}
	return d, nil
}

// share returns the limits of one of several servers.
func share(limits []int, replicas int) ratelimit.Limits {
	part := func(b ratelimit.Bucket) int {
		if limits[b] == ratelimit.Off {
			return ratelimit.Off
		}
		return max(1, limits[b]/replicas)
	}
	return ratelimit.Limits{
		Read: part(ratelimit.Read), Icons: part(ratelimit.Icons), Validate: part(ratelimit.Validate), Resolve: part(ratelimit.Resolve),
	}
}

// client returns a client with a pool of its own. Nothing is retried: a check
// that fails is decided here, and a probe is repeated anyway.
func client(address redis.UniversalOptions, secure *tls.Config, connections int) redis.UniversalClient {
	if address.TLSConfig != nil && secure != nil {
		address.TLSConfig = secure.Clone()
	}
	address.ContextTimeoutEnabled = true
	address.DialTimeout, address.ReadTimeout, address.WriteTimeout = dialTimeout, probeTimeout, probeTimeout
	address.PoolTimeout = probeTimeout
	address.PoolSize, address.MinIdleConns = connections, 2
	address.PipelinePoolSize = -1 // batches use the connections that are open
	address.MaxRetries, address.DialerRetries = -1, 1
	address.FailingTimeoutSeconds = 1
	address.DisableIdentity = true // saves a round trip for each connection
	address.Protocol = 2           // without push messages, which each reply would be searched for
	address.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewUniversalClient(&address)
}
