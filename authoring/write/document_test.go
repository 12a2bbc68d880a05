package write_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestDocumentLocale: a locale that is no language tag is refused, before a file has it.
func TestDocumentLocale(t *testing.T) {
	v := taxonomy.MustVersion("sensor@2026-11-15-stable")
	sample, err := source.Compile(taxonomies.FS(), v, nil)
	require.NoError(t, err)
	_, err = write.Document(sample.Release, "crossing", "not a locale", time.Now())
	require.ErrorContains(t, err, v.String())
	require.ErrorContains(t, err, "not a locale")
}
