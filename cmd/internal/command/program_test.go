package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWithoutCloud runs commands in a program that has no clients for buckets and Redis. They say which
// program has them, and do not repeat a password.
func TestWithoutCloud(t *testing.T) {
	t.Parallel()
	const noBucket = "this program can't open s3://; use datachain-cloud"
	for line, want := range map[string]string{
		"serve --store s3://releases/public":                     "--store s3://releases/public: " + noBucket,
		"schema list --store s3://releases/public":               noBucket,
		"schema publish --samples --store s3://releases/public":  noBucket,
		"schema retire ai@2026-01-01-beta --store s3://releases": noBucket,
		"check --store s3://releases/public":                     noBucket,
		"serve --samples --shared redis://user:secret@localhost": "this program can't open redis://; use datachain-cloud",
		"serve --samples --shared nonsense":                      "this program can't open redis://; use datachain-cloud",
	} {
		sys := testSystem(t.TempDir())
		sys.Buckets, sys.redis = nil, nil
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields(line)...)
		assert.Equal(t, 2, code, line)
		assert.Empty(t, stdout, line)
		assert.Contains(t, strings.Join(strings.Fields(stderr), " "), want, line)
		assert.NotContains(t, stderr, "secret", line)
	}
}

// TestNames shows that help names the program that prints it.
func TestNames(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	sys.name = "datachain-cloud"
	code, stdout, stderr := execute(t.Context(), sys, "serve", "--help")
	require.Zero(t, code, stderr)
	assert.Contains(t, stdout, "datachain-cloud serve [flags]")
	assert.Contains(t, stdout, "  datachain-cloud serve --schemas taxonomies")
	assert.NotContains(t, stdout, "datachain serve")
}
