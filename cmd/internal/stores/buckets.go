package stores

import (
	"context"
	"errors"
	"time"

	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// Buckets opens stores in buckets. Only programs with a client for them have one.
type Buckets interface {
	Open(ctx context.Context, address string, access Access, o *BucketOptions) (Remote, error)
	Target(ctx context.Context, address string, access Access) (Target, error)
}

// BucketOptions say how to read a store in a bucket; see package s3store.
type BucketOptions struct {
	CacheDir          string
	AcceptRemovals    bool
	Interval, Refresh time.Duration
	Verify            func(taxonomy.ReadFunc) taxonomy.Verifier
	Report            func(error)
}

// Remote is a remote store, whose last good copies are kept.
type Remote interface {
	taxonomy.Store
	Cached() taxonomy.Store
	Close() error
}

// Target is where versions are published.
type Target interface {
	publish.Target
	Close() error
}

var errNoBuckets = errors.New("this program can't open s3://; use datachain-cloud, which opens buckets")
