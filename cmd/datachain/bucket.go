package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/s3store"
)

// The flags of access to buckets. Each has a variable, for every command.
const (
	endpointFlag = "s3-endpoint"
	regionFlag   = "s3-region"

	endpointUsage = "URL of S3-compatible storage other than AWS, for a store at s3://bucket/prefix"
	regionUsage   = "region of the bucket (default that of the AWS configuration)"
)

// isBucket tells the address of a bucket from that of another store.
func isBucket(store string) bool { return strings.HasPrefix(store, s3store.Scheme) }

// bucketFlags adds the flags of access to buckets to all commands that take a store,
// and do not have them yet.
func (p *program) bucketFlags(cmd *cobra.Command) {
	if cmd.Flags().Lookup("store") != nil && cmd.Flags().Lookup(endpointFlag) == nil {
		cmd.Flags().StringVar(&p.bucket.Endpoint, endpointFlag, "", "`URL` of S3-compatible storage other than AWS")
		cmd.Flags().StringVar(&p.bucket.Region, regionFlag, "", "`name` of the region that the bucket is in")
		completeFlag(cmd, endpointFlag, cobra.NoFileCompletions)
		completeFlag(cmd, regionFlag, cobra.NoFileCompletions)
	}
	for _, sub := range cmd.Commands() {
		p.bucketFlags(sub)
	}
}

// access returns how to reach buckets.
func (p *program) access() s3store.Access {
	a := p.bucket
	a.Endpoint = cmp.Or(a.Endpoint, p.getenv(variable(endpointFlag)))
	a.Region = cmp.Or(a.Region, p.getenv(variable(regionFlag)))
	return a
}

// openBucket opens a store in a bucket. If the default cache directory is not writable,
// no copies are kept on disk.
func (p *program) openBucket(ctx context.Context, typed string, o s3store.Options) (*s3store.Store, error) {
	o.Report = p.storeProblem
	standard := o.CacheDir == ""
	if standard && p.cacheDir != "" {
		o.CacheDir = filepath.Join(p.cacheDir, "datachain", "stores")
	}
	s, err := s3store.Open(ctx, typed, &o)
	if standard && errors.Is(err, s3store.ErrCacheDir) {
		if p.storeProblem != nil {
			p.storeProblem(fmt.Errorf("caching in memory; set --store-cache: %w", err))
		}
		o.CacheDir = ""
		s, err = s3store.Open(ctx, typed, &o)
	}
	switch {
	case errors.Is(err, s3store.ErrCacheDir):
		return nil, advise(fmt.Errorf("--store-cache %s: %w", o.CacheDir, err), "Choose a writable directory, or omit --store-cache.")
	case err != nil:
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	p.atEnd(func() { _ = s.Close() }) // only read
	return s, nil
}

// serveBucket opens a store in a bucket for a server, which requests the index
// regularly, so that requests do not wait for the bucket.
func (p *program) serveBucket(s *settings) (*s3store.Store, error) {
	o := s3store.Options{Access: s.bucket, Interval: s.refresh, MaxAge: -1, AcceptRemovals: s.acceptRemovals}
	switch {
	case s.refresh < 0:
		o.Interval = s3store.DefaultMaxAge
	case s.refresh == 0:
		o.Interval = 0 // each request asks
	}
	if s.storeCache != "" {
		o.CacheDir = p.path(s.storeCache)
	}
	return p.openBucket(context.Background(), s.store, o)
}
