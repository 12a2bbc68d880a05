package datachain_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// asked is a store that counts how often it is asked for a release, or fails.
type asked struct {
	taxonomy.Store
	releases int
	err      error
}

func (s *asked) Index(ctx context.Context) (*taxonomy.Index, error) {
	if s.err != nil {
		return nil, s.err
	}
	return s.Store.Index(ctx)
}

func (s *asked) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	s.releases++
	return s.Store.Release(ctx, v)
}

// What the index says is the same is not read again, by whichever name.
func TestReleaseIsReadOnce(t *testing.T) {
	samples, err := taxonomies.Store()
	require.NoError(t, err)
	store := &asked{Store: samples}
	service := datachain.New(store, nil)
	for range 3 {
		for _, name := range []string{"ai@latest", "ai@2026-09-01-stable"} {
			r, err := service.Release(t.Context(), name)
			require.NoError(t, err)
			require.Equal(t, "ai@2026-09-01-stable", r.Version().String())
		}
	}
	require.Equal(t, 1, store.releases)
	_, err = service.Release(t.Context(), "ai@latest-beta")
	require.NoError(t, err)
	require.Equal(t, 2, store.releases)
}

// A malformed version is the caller's mistake also where there is no index.
func TestMalformedWithoutIndex(t *testing.T) {
	service := datachain.New(&asked{err: errors.New("the disk is gone")}, nil)
	for version, code := range map[string]issue.Code{
		"": issue.CodeBadRequest, "ai": issue.CodeBadRequest, "ai@2026-13-01-stable": issue.CodeBadRequest,
		"ai@latest": issue.CodeUpstreamError, "ai@2026-09-01-stable": issue.CodeUpstreamError,
	} {
		_, err := service.Release(t.Context(), version)
		known, ok := errors.AsType[*datachain.Error](err)
		require.True(t, ok, "%q: %v", version, err)
		require.Equal(t, code, known.Issue.Code, "%q", version)
	}
}
