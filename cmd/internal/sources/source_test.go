package sources_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/sources"
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

// A source is a store of all its versions, whatever part of it was named.
func TestSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starter(t, dir, "robot@2026-01-01-beta")
	put(t, dir, "robot/2026-02-02-beta/schema.yaml", "title: [")
	for name, within := range map[string]string{
		".": "", "robot": "robot", "robot/2026-01-01-beta": "robot/2026-01-01-beta", "robot/2026-01-01-beta/elements": "robot/2026-01-01-beta",
	} {
		s, err := sources.Open(dir, name)
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Root.Close() })
		assert.Equal(t, within, s.Within)
		x, err := s.Index(context.Background())
		require.NoError(t, err, "though the aliases of a version can't be read")
		assert.Equal(t, 2, x.Len())
		good, err := s.Find("robot@2026-01-01-beta")
		require.NoError(t, err)
		_, err = s.Release(t.Context(), good)
		require.NoError(t, err)
		_, err = s.Load(taxonomy.MustVersion("robot@2026-02-02-beta"))
		require.ErrorContains(t, err, "robot@2026-02-02-beta has 1 error; see 'datachain schema lint "+filepath.Join("robot", "2026-02-02-beta")+"'")
	}
}
