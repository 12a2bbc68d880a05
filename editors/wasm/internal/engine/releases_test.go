package engine_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestArchive opens a release from the archive that the index of a static host names.
func TestArchive(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	v := taxonomy.MustVersion("ai@2026-11-15-stable")
	r, err := store.Release(t.Context(), v)
	require.NoError(t, err)
	var archive bytes.Buffer
	require.NoError(t, reader.WriteArchive(&archive, r, nil))
	text, err := taxonomy.EncodeIndex(index.WithRecord(taxonomy.Record{
		Sequence: 1, Archives: map[taxonomy.Version]taxonomy.Hash{v: sha256.Sum256(archive.Bytes())},
	}))
	require.NoError(t, err)
	e := engine.New()
	require.Nil(t, decode(t, e.SetIndex(text)).Error)
	options, err := json.Marshal(map[string]string{"version": v.String()})
	require.NoError(t, err)
	load := decode(t, e.Call("open", options, nil)).Load
	require.NotNil(t, load)
	require.Contains(t, load.Archive, load.ContentHash)
	require.NotNil(t, decode(t, e.Add(v.String(), archive.Bytes()[1:])).Error)
	require.Nil(t, decode(t, e.Add(v.String(), archive.Bytes())).Error)
	require.Nil(t, decode(t, e.Call("open", options, nil)).Load)
}

func ExampleNeed() {
	entry := taxonomy.Entry{ID: taxonomy.MustVersion("ai@2026-09-01-stable")}
	needed := engine.Need(entry)
	fmt.Println(needed.ID, needed.Archive == "")
	// Output: ai@2026-09-01-stable true
}
