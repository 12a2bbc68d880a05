package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestFollow(t *testing.T) {
	published, err := taxonomies.Store()
	require.NoError(t, err)
	handler, err := httpapi.New(must(datachain.New(published, nil)), nil)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	store, err := httpstore.Open(server.URL, &httpstore.Options{CacheDir: t.TempDir(), Interval: 10 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()

	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	silent := time.AfterFunc(time.Minute, func() { _ = r.CloseWithError(errors.New("no output for a minute")) })
	defer silent.Stop()
	go func() {
		follow(ctx, store, w)
		_ = w.Close()
	}()
	lines := bufio.NewScanner(r)
	index, err := published.Index(t.Context())
	require.NoError(t, err)
	for _, e := range index.Entries() {
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), e.ID.String()+" has ")
	}
	require.NoError(t, published.Remove(taxonomy.MustVersion("ai@2026-12-01-beta")))
	require.True(t, lines.Scan())
	require.Equal(t, "ai@2026-12-01-beta was retired.", lines.Text())
	stop()
	require.False(t, lines.Scan(), "it stops when the context is done")
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
