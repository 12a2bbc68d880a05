package s3target_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
)

// TestDocuments publishes the documents of a register into a bucket, and withdraws one of them.
func TestDocuments(t *testing.T) {
	server := access(s3test.NewS3(bucket))
	open := func() *s3target.Target {
		target, err := s3target.Open(t.Context(), address, &server)
		require.NoError(t, err)
		return target
	}
	samples, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(samples, nil)
	require.NoError(t, err)
	read := func(origin register.Origin) *register.Register {
		r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: -1})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, r.Close()) })
		return r
	}
	dir, err := register.OpenDirectory("../../../examples/documents", nil)
	require.NoError(t, err)
	written := read(dir)
	_, err = publishing.Documents(t.Context(), open(), written, nil)
	require.NoError(t, err)
	stored, err := register.ListStored(t.Context(), publishing.TargetFiles(open()), nil)
	require.NoError(t, err)
	assert.Len(t, stored, len(written.State().Documents()))

	slug := stored[0].Slug
	_, err = publishing.Withdraw(t.Context(), open(), slug, "It was switched off")
	require.NoError(t, err)
	published := read(register.Stored("bucket", publishing.TargetFiles(open()), nil))
	d, ok := published.State().Document(slug)
	require.True(t, ok)
	assert.True(t, d.Removed())
}
