// Package cloud opens buckets and connects to Redis for the commands of programs that have the clients
// for both. Others do not import it: the clients are a third of what such a program compiles.
package cloud

import (
	"cmp"
	"context"

	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/stores"
)

// Buckets opens stores in buckets. The embedded access is used unless a command names another one.
type Buckets struct{ s3bucket.Access }

func (b Buckets) access(a stores.Access) s3bucket.Access {
	with := b.Access
	with.Endpoint, with.Region = cmp.Or(a.Endpoint, with.Endpoint), cmp.Or(a.Region, with.Region)
	return with
}

// Open opens a store for reading.
func (b Buckets) Open(ctx context.Context, address string, a stores.Access, o *stores.BucketOptions) (stores.Remote, error) {
	with := b.access(a)
	s, err := s3store.Open(ctx, address, &s3store.Options{
		Endpoint: with.Endpoint, Region: with.Region, Config: with.Config,
		CacheDir: o.CacheDir, AcceptRemovals: o.AcceptRemovals, Interval: o.Interval, Refresh: o.Refresh, Verify: o.Verify, Report: o.Report,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Target opens a store for publishing.
func (b Buckets) Target(ctx context.Context, address string, a stores.Access) (stores.Target, error) {
	with := b.access(a)
	t, err := s3target.Open(ctx, address, &with)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Redis lets servers share limits and the pages of MCP sessions.
type Redis struct{}

// Check returns what is wrong with an address, without its password.
func (Redis) Check(address string) error { return redisshare.CheckAddress(address) }

// Open connects to Redis.
func (Redis) Open(address string, o *server.ShareOptions) (server.Share, error) {
	s, err := redisshare.Open(address, &redisshare.Options{
		Prefix: o.Prefix, Replicas: o.Replicas, Timeout: o.Timeout, Limits: o.Limits, MaxKeys: o.MaxKeys,
		Unreachable: o.Unreachable, Recovered: o.Recovered, Damaged: o.Damaged,
	})
	if err != nil {
		return nil, err
	}
	return share{s}, nil
}

type share struct{ *redisshare.Share }

func (s share) Stats() server.ShareStats { return server.ShareStats(s.Share.Stats()) }
