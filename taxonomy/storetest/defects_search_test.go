package storetest_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// searchDefects are stores with broken search indexes.
var searchDefects = []defect{
	{
		name: "has garbage for search indexes", caught: []string{searching, searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				return data[:len(data)/2], err
			}
		},
	},
	{
		name: "has empty search indexes", caught: []string{searching, searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				_, err := d.model.SearchIndex(ctx, r, locale)
				return nil, err
			}
		},
	},
	{
		name: "says in words of its own that there is no search index", caught: []string{searching, searches, searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, _ *taxonomy.Release, _ string) ([]byte, error) {
				return nil, cmp.Or(ctx.Err(), errors.New("no search index"))
			}
		},
	},
	{
		name: "has one search index for all locales", caught: []string{searching, searches, searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, _ string) ([]byte, error) {
				return d.model.SearchIndex(ctx, r, "en")
			}
		},
	},
	{
		name: "gives a search index beside the error", caught: []string{searches},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				if errors.Is(err, taxonomy.ErrNotFound) {
					data, _ = built(r, "en")
				}
				return data, err
			}
		},
	},
	{
		name: "gives the search index and an error", caught: []string{searching, searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				return data, cmp.Or(err, taxonomy.ErrNotFound)
			}
		},
	},
	{
		name: "SearchIndex does not look at the context", caught: []string{searches},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				return d.model.SearchIndex(context.WithoutCancel(ctx), r, locale)
			}
		},
	},
	{
		name: "files search indexes by version alone", caught: []string{searchAfter},
		store: func(d *defective) {
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				now, err := d.model.Release(ctx, r.Version())
				if err != nil {
					return nil, err
				}
				return d.model.SearchIndex(ctx, now, locale)
			}
		},
	},
	{
		name: "has other search indexes in parts", caught: []string{searching, searchAfter},
		store: func(d *defective) {
			d.parts = func(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				if err != nil {
					return nil, err
				}
				data[len(data)-1]++
				return section(data), nil
			}
		},
	},
	{
		name: "has search indexes in parts that are too long", caught: []string{searching, searchAfter},
		store: func(d *defective) {
			d.parts = func(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				if err != nil {
					return nil, err
				}
				return section(append(data, 0)), nil
			}
		},
	},
	{
		name: "opens nothing, and says nothing", caught: []string{searching, searches, searchAfter},
		store: func(d *defective) {
			d.parts = func(ctx context.Context, _ *taxonomy.Release, _ string) (*io.SectionReader, error) {
				return nil, ctx.Err()
			}
		},
	},
	{
		name: "opens search indexes for unknown locales", caught: []string{searches},
		store: func(d *defective) {
			d.parts = func(ctx context.Context, r *taxonomy.Release, locale string) (*io.SectionReader, error) {
				if _, err := d.model.SearchIndex(ctx, r, locale); errors.Is(err, taxonomy.ErrNotFound) {
					locale = "en"
				}
				return d.model.OpenSearchIndex(ctx, r, locale)
			}
		},
	},
	{
		name: "keeps the search indexes of before", caught: []string{searchAfter},
		store: func(d *defective) {
			var made sync.Map
			d.search = func(ctx context.Context, r *taxonomy.Release, locale string) ([]byte, error) {
				data, err := d.model.SearchIndex(ctx, r, locale)
				if err == nil {
					first, _ := made.LoadOrStore(r.Version().String()+locale, data)
					data = first.([]byte)
				}
				return data, err
			}
		},
	},
}
