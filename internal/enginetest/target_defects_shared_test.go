package enginetest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/enginetest"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// defectiveBucket is a shared target with some of its methods replaced.
type defectiveBucket struct {
	*enginetest.Bucket
	add         func(context.Context, string, publish.File) error
	removePacks func(context.Context, publish.Stored, ...taxonomy.Hash) error
}

func (d *defectiveBucket) Add(ctx context.Context, dir string, f publish.File) error {
	if d.add != nil {
		return d.add(ctx, dir, f)
	}
	return d.Bucket.Add(ctx, dir, f)
}

func (d *defectiveBucket) RemovePacks(ctx context.Context, s publish.Stored, packs ...taxonomy.Hash) error {
	if d.removePacks != nil {
		return d.removePacks(ctx, s, packs...)
	}
	return d.Bucket.RemovePacks(ctx, s, packs...)
}

// now returns what a bucket stores in the directory of s.
func (d *defectiveBucket) now(ctx context.Context, dir string) publish.Stored {
	stored, _ := d.Stored(ctx)
	for _, s := range stored {
		if s.Dir == dir {
			return s
		}
	}
	return publish.Stored{Dir: dir}
}

// TestSharedDefects shows that each clause for shared targets can fail.
func TestSharedDefects(t *testing.T) {
	for _, c := range []struct {
		name, caught string
		spoil        func(d *defectiveBucket)
	}{
		{"removes no packs", "packs are not replaced", func(d *defectiveBucket) {
			d.removePacks = func(ctx context.Context, _ publish.Stored, _ ...taxonomy.Hash) error { return ctx.Err() }
		}},
		{"removes packs that are used again", "packs in use are not removed", func(d *defectiveBucket) {
			d.removePacks = func(ctx context.Context, s publish.Stored, packs ...taxonomy.Hash) error {
				return d.Bucket.RemovePacks(ctx, d.now(ctx, s.Dir), packs...)
			}
		}},
		{"has one pack for each release", "several publishers of a release keep its pack", func(d *defectiveBucket) {
			d.add = func(ctx context.Context, dir string, f publish.File) error {
				if _, ok := published.ParsePack(f.Name); ok {
					s := d.now(ctx, dir)
					_ = d.Bucket.RemovePacks(ctx, s, s.Packs...)
				}
				return d.Bucket.Add(ctx, dir, f)
			}
		}},
		{"ignores the context", canceled, func(d *defectiveBucket) {
			d.removePacks = func(ctx context.Context, s publish.Stored, packs ...taxonomy.Hash) error {
				return d.Bucket.RemovePacks(context.WithoutCancel(ctx), s, packs...)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bucket := &defectiveBucket{Bucket: new(enginetest.Bucket)}
			c.spoil(bucket)
			open := func(context.Context) (publish.Target, error) { return bucket, nil }
			err := enginetest.CheckTarget(t.Context(), c.caught, open)
			require.Error(t, err)
			t.Log(err)
		})
	}
}
