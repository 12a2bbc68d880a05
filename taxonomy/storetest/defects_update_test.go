package storetest_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// updateDefects are stores that are wrong once their content has changed.
var updateDefects = []defect{
	{
		name: "reads each release once and for all", caught: []string{changedBeta, retired, oldStays, forward},
		store: func(d *defective) {
			var read sync.Map
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				if r, ok := read.Load(v); ok && ctx.Err() == nil {
					return r.(*taxonomy.Release), nil
				}
				r, err := d.model.Release(ctx, v)
				if err == nil {
					read.Store(v, r)
				}
				return r, err
			}
		},
	},
	{
		name: "reads the index once and for all", caught: []string{changedBeta, newVersion, retired, oldStays, follow, reported},
		store: func(d *defective) {
			first := sync.OnceValues(func() (*taxonomy.Index, error) { return d.model.Index(context.Background()) })
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				return first()
			}
		},
	},
	{
		name: "shows an update at the second look", caught: []string{changedBeta, newVersion, retired, oldStays, follow, reported},
		store: func(d *defective) {
			var last atomic.Pointer[taxonomy.Index]
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				x, err := d.model.Index(ctx)
				if err != nil {
					return nil, err
				}
				if before := last.Swap(x); before != nil {
					return before, nil
				}
				return x, nil
			}
		},
	},
	{
		name: "still gives what is retired", caught: []string{retired},
		store: func(d *defective) {
			attic := new(model)
			d.onUpdate = func(c storetest.Content) {
				attic.update(storetest.Content{Releases: d.releases})
				d.model.update(c)
			}
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if errors.Is(err, taxonomy.ErrNotFound) {
					return attic.Release(ctx, v)
				}
				return r, err
			}
		},
	},
	{
		name: "writes the new content over the old", caught: []string{oldStays}, only: true,
		store: func(d *defective) {
			d.onUpdate = func(c storetest.Content) {
				for _, r := range d.releases {
					for _, next := range c.Releases {
						if r.Version() == next.Version() {
							*r = *next
						}
					}
				}
				d.model.update(c)
				for i, r := range d.releases {
					own := *r
					d.releases[i] = &own
				}
			}
		},
	},
}
