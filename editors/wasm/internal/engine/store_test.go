package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// source has the sample releases, and fails or lies if it is told to.
type source struct {
	taxonomy.Store
	fail    error
	other   string // the version that is sent in place of others
	fetched int
}

func newSource(t testing.TB) *source {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return &source{Store: store}
}

func (s *source) Index(ctx context.Context) ([]byte, error) {
	index, err := s.Store.Index(ctx)
	if err != nil || s.fail != nil {
		return nil, errors.Join(err, s.fail)
	}
	return json.Marshal(index)
}

func (s *source) Release(ctx context.Context, needed engine.Needed) ([]byte, error) {
	s.fetched++
	return encoded(ctx, s.Store, cmp.Or(s.other, needed.ID.String()))
}

const version = "ai@2026-11-15-stable"

func TestStore(t *testing.T) {
	s := newSource(t)
	store := engine.NewStore(s)
	_, err := store.Index(t.Context())
	require.Error(t, err, "the index has not been read")
	changes := store.Changes(t.Context())
	require.NoError(t, store.Refresh(t.Context()))
	<-changes
	require.NoError(t, store.Refresh(t.Context()))
	require.Empty(t, changes, "the index is the same")

	s.other = "ai@2026-09-01-stable"
	_, err = store.Release(t.Context(), taxonomy.MustVersion(version))
	require.ErrorIs(t, err, taxonomy.ErrHashMismatch, "another release")
	s.other, s.fetched = "", 0
	for range 2 {
		r, err := store.Release(t.Context(), taxonomy.MustVersion(version))
		require.NoError(t, err)
		require.Equal(t, version, r.Version().String())
	}
	require.Equal(t, 1, s.fetched)
	_, err = store.Release(t.Context(), taxonomy.MustVersion("ai@2020-01-01-stable"))
	require.ErrorIs(t, err, taxonomy.ErrNotFound)

	s.fail = errors.New("offline")
	require.ErrorIs(t, store.Refresh(t.Context()), s.fail)
	_, err = store.Index(t.Context())
	require.NoError(t, err, "the last index stays")
}

func ExampleStore() {
	samples, _ := published.Store()
	store := engine.NewStore(&source{Store: samples})
	if err := store.Refresh(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	release, err := store.Release(context.Background(), taxonomy.MustVersion(version))
	fmt.Println(release.Version(), err)
	// Output: ai@2026-11-15-stable <nil>
}
