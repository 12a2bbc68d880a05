package laststore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
)

// BenchmarkRelease reads a release that is there, from the inner store and
// through a Store, with and without a deadline.
func BenchmarkRelease(b *testing.B) {
	pubs := layouttest.Publications()
	inner, err := memstore.New(pubs...)
	require.NoError(b, err)
	limited, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	for _, c := range []struct {
		name  string
		store taxonomy.Store
		ctx   context.Context
	}{
		{"inner", inner, b.Context()},
		{"last", must(laststore.New(inner, nil)), b.Context()},
		{"last with a deadline", must(laststore.New(inner, nil)), limited},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.store.Release(c.ctx, pubs[0].Release.Version()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
