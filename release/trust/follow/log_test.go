package follow_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestNone shows that without a trust there is no verifier, also none that is a nil pointer.
func TestNone(t *testing.T) {
	for _, log := range []*follow.Log{follow.With(nil, t.TempDir()), follow.Served(nil, "")} {
		require.True(t, log.Verify(nil) == nil) //nolint:testifylint // Nil would accept a nil pointer
		require.Nil(t, log.Checkpoint())
		require.NoError(t, log.CheckDocuments(t.Context(), nil))
		require.NoError(t, log.ConfirmDocuments(t.Context()))
		require.ErrorIs(t, log.MissingDocuments(t.Context(), fs.ErrNotExist), fs.ErrNotExist)
	}
}

// TestNoStore shows that a Log that no store was opened with proves nothing.
func TestNoStore(t *testing.T) {
	text, err := publishSigned(context.Background(), t.TempDir())
	require.NoError(t, err)
	trusted, err := trust.ParseTrust(text)
	require.NoError(t, err)
	log := follow.With(trusted, "")
	x, err := taxonomy.NewIndex(nil)
	require.NoError(t, err)
	require.ErrorContains(t, log.Check(t.Context(), x), "Log.Verify")
	require.ErrorContains(t, log.ConfirmDocuments(t.Context()), "Log.Verify")
	require.ErrorContains(t, log.MissingDocuments(t.Context(), fs.ErrNotExist), "Log.Verify")
	require.NotErrorIs(t, log.Check(t.Context(), x), taxonomy.ErrRefused)
}
