// Package redisshare lets several servers share their rate limits and the pages of
// MCP sessions through Redis. A [Share] is a [ratelimit.Limiter] and
// [session.Slots]:
//
//	share, err := redisshare.Open("redis://redis:6379/0", &redisshare.Options{Replicas: 3})
//	…
//	defer share.Close()
//	handler, err := httpapi.New(service, &httpapi.Options{Limiter: share, LimiterBudget: 50 * time.Millisecond})
//	server, err := mcp.New(service, &mcp.Options{Slots: share})
//
// # Limits
//
// The window is that of package ratelimit, exact across all servers: a script on
// Redis decides and counts in one step, with the clock of Redis. A check that
// arrives while another one is under way travels with the next batch, so under load
// a round trip and, unless Redis is a cluster, one run of the script serves many. Redis is not asked again about a client that it has
// refused until the refusal expires, which changes no decision, since refused
// requests are not counted. (A client that invents a new name for each request is
// the exception: whether a name has a count of its own only Redis knows.)
//
// # While Redis is away
//
// A check waits at most 25 milliseconds ([Options.Timeout]). Then, and while Redis is away, the server
// decides by itself, with a share of the limit: the limit divided by
// [Options.Replicas]. It has counted what passed through it before, so losing Redis
// gives clients no second limit. Redis counts as away after three failures in a row,
// never after one, and is tried four times a second until it answers within the
// budget again. [Options.Away] and [Options.Back] are called once each time. What
// passes meanwhile is not added to the counts in Redis afterwards.
//
// The limits are exact across servers as long as no check times out. An error about one
// key, such as a wrong type, is not an absence: [Options.Damaged] is called, and the server
// decides about the requests of that client alone.
//
// # Pages
//
// A page is compressed (zstd) and kept for [Options.MaxPageAge], if it is not larger
// than [Options.MaxPage]. The page of a session is the one that was put last, on whichever
// server: each Put gets a ticket from Redis first, and a page never replaces one with a
// later ticket. A page that can't be stored is lost, and the one before it is then out of
// date: no page is better than an older one. Pages are shared as long as Redis answers
// within 400 milliseconds, even if that is too slow for checks.
//
// # Keys
//
// Every key begins with [Options.Prefix] and the version of the layout, and expires:
//
//	datachain:1:{192.0.2.7}:read         the window of an address, in 132 bytes
//	datachain:1:{192.0.2.7}:read:name    the same with a Service-Client name
//	datachain:1:{192.0.2.7}:names        the names that are in use
//	datachain:1:page:{…}                 a page, under the hash of its session id
//	datachain:1:page:{…}:order           the tickets of the last Put and of the page
//	datachain:1:{probe}:read             what the probe counts, also under {probe2}
//
// All keys of an address are in one slot of a cluster. Redis 6.2 or later, or
// Valkey, is required; set maxmemory-policy to volatile-ttl or another one that
// evicts keys, so that a full Redis makes the limits lenient instead of failing.
//
// # Addresses
//
//	redis://user:password@host:6379/0                       one server
//	rediss://…                                              with TLS
//	unix:///run/redis.sock?db=0                             a Unix socket
//	redis+sentinel://user:password@a:26379,b:26379/master/0 the primary that sentinels name
//	redis+cluster://user:password@a:6379,b:6379             a cluster
//
// rediss+sentinel:// and rediss+cluster:// use TLS, too. Sentinels that require a
// password get it from the parameters sentinel_username and sentinel_password.
package redisshare
