package source_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// TestRenameSuccessor shows that an element that gets another id stays the successor of
// others, however they name it.
func TestRenameSuccessor(t *testing.T) {
	const dir = "ai/2026-09-01-stable/"
	version := taxonomy.MustVersion("ai@2026-09-01-stable")
	tree := baseTree(t)
	tree[dir+"schema.yaml"].Data = append(tree[dir+"schema.yaml"].Data, `
removed:
  - {id: purpose.a, replaced_by: purpose.safety, since: 2026-09-01-stable}
  - {id: purpose.b, replaced_by: [purpose.health, "purpose.safety"], since: 2026-09-01-stable}
  - id: purpose.c
    replaced_by:
      - id: purpose.safety
        note: {en: If it protects., fr: S’il protège.}
    since: 2026-09-01-stable
`...)
	tree[dir+"elements/purpose.yaml"].Data = append(tree[dir+"elements/purpose.yaml"].Data, `
- id: purpose.old
  title: {en: Old, fr: Ancien}
  description: {en: It is old., fr: Il est ancien.}
  category_id: purpose
  symbol_id: shield
  status: deprecated
  replaced_by: purpose.safety
`...)
	outline, err := source.NewOutline(tree, version, nil)
	require.NoError(t, err)
	safety := outline.Find(source.KindElement, "purpose.safety")[0]
	require.Len(t, outline.ReferencesTo(safety), 4)
	renaming, err := outline.Rename(safety, "purpose.protection")
	require.NoError(t, err)
	for name, edits := range renaming.Edits {
		tree[name].Data, err = document.ApplyEdits(tree[name].Data, edits)
		require.NoError(t, err)
	}
	compiled, err := source.Compile(tree, version, nil)
	require.NoError(t, err)
	require.Empty(t, compiled.Issues)
	for _, id := range []string{"purpose.a", "purpose.c", "purpose.old"} {
		require.Equal(t, "purpose.protection", compiled.Release.Successors(id)[0].ID, id)
	}
	require.Len(t, compiled.Release.Successors("purpose.b"), 2)
}
