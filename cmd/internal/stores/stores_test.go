package stores_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// put writes a file.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// starter writes a schema source with a version.
func starter(t *testing.T, dir, version string) {
	t.Helper()
	v := taxonomy.MustVersion(version)
	for name, text := range write.Starter(v) {
		put(t, dir, source.Directory(v)+"/"+name, string(text))
	}
}

// Every location becomes a store: what differs is only how it is named. Servers follow it.
func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starter(t, filepath.Join(dir, "schemas"), "robot@2026-01-01-beta")
	put(t, dir, "schemas/robot/2026-02-02-beta/schema.yaml", "title: [")
	for _, c := range []struct {
		location stores.Location
		shown    string
		has      string
	}{
		{stores.Location{Samples: true}, "the built-in sample taxonomies", "ai@latest"},
		{stores.Location{Schemas: "schemas"}, "the schema source in schemas", "robot@2026-01-01-beta"},
	} {
		require.Equal(t, c.shown, c.location.String())
		for _, follow := range []bool{false, true} {
			opened, err := stores.Open(t.Context(), c.location, &stores.Options{Dir: dir, Follow: follow, Refresh: -1})
			require.NoError(t, err)
			t.Cleanup(opened.Close)
			x, err := opened.Index(t.Context())
			require.NoError(t, err)
			ref, err := taxonomy.ParseRef(c.has)
			require.NoError(t, err)
			e, ok := x.Lookup(ref)
			require.True(t, ok, c.has)
			_, err = opened.Release(t.Context(), e.ID)
			require.NoError(t, err)
			if c.location.Schemas != "" && !follow {
				require.Len(t, opened.Broken, 1)
			}
		}
	}
}
