package edit_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
)

// TestApplyAfterAnchor adds a member after a key that has an anchor and no value.
func TestApplyAfterAnchor(t *testing.T) {
	const name = sourcetest.Dir + "categories/purpose.yaml"
	tree := sourcetest.Base(t)
	text := string(tree[name].Data) + "context: &a\n"
	tree[name] = &fstest.MapFile{Data: []byte(text)}
	edits, err := edit.Apply(tree, sourcetest.Version(), &edit.Changes{Set: []edit.Change{
		{Kind: source.KindCategory, ID: "purpose", Path: []edit.Step{{Key: "authoring_guidance"}, {Locale: "en"}}, Value: "Care."},
	}})
	require.NoError(t, err)
	assert.Equal(t, text+"authoring_guidance:\n  en: Care.\n", string(edits[name]))
}
