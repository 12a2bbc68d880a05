package registers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/registers"
)

func service(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	s, err := datachain.New(store, nil)
	require.NoError(t, err)
	return s
}

// register opens a directory, without looking at it again.
func register(t testing.TB, dir string) *registers.Register {
	t.Helper()
	origin, err := registers.Directory(dir, nil)
	require.NoError(t, err)
	r, err := registers.New(service(t), []registers.Origin{origin}, &registers.Options{Refresh: -1})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func TestSamples(t *testing.T) {
	r := register(t, "../../examples/documents")
	s := r.State()
	for _, refused := range s.Refused() {
		assert.Equal(t, "invalid", filepath.Dir(refused.File), "%v", refused)
	}
	d, ok := s.Document("housing-benefit-check")
	require.True(t, ok)
	assert.Len(t, d.Editions, 1, "thin and resolved are one edition")
	thin, err := r.Text(t.Context(), d, d.Current, registers.Thin)
	require.NoError(t, err)
	want, err := os.ReadFile("../../examples/documents/benefits.json")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(thin))
	resolved, err := r.Text(t.Context(), d, d.Current, registers.Resolved)
	require.NoError(t, err)
	assert.True(t, json.Valid(resolved))
	assert.Contains(t, string(resolved), "schema_snapshot")
	shown, err := r.Present(t.Context(), d, d.Current)
	require.NoError(t, err)
	assert.Equal(t, d.ID, shown.Datachain.ID)
}

// TestPresentAgain shows that what was presented is used again, but not for another state.
func TestPresentAgain(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir, "air-station", "vane", 1, map[string]any{"title": title("en", "Before")})
	origin, err := registers.Directory(dir, nil)
	require.NoError(t, err)
	r, err := registers.New(service(t), []registers.Origin{origin}, &registers.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	present := func() *datachain.Presentation {
		d, ok := r.State().Document("vane")
		require.True(t, ok)
		p, err := r.Present(t.Context(), d, d.Current)
		require.NoError(t, err)
		return p
	}
	before := present()
	require.Same(t, before, present())
	sample(t, dir, "air-station", "vane", 2, map[string]any{"title": title("en", "After")})
	require.Eventually(t, func() bool { return present().Datachain.Title.Pick() == "After" }, time.Minute, time.Millisecond)
	require.Equal(t, "Before", before.Datachain.Title.Pick())
}

// TestSharedDocuments shows that a change of one file leaves the other documents as they
// are in memory: a large register must not exist twice.
func TestSharedDocuments(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir, "air-station", "vane", 1, map[string]any{"title": title("en", "Before")})
	sample(t, dir, "benefits", "benefits", 1, nil)
	r := live(t, dir, nil)
	benefits, ok := r.State().Document("benefits")
	require.True(t, ok)
	sample(t, dir, "air-station", "vane", 2, map[string]any{"title": title("en", "After")})
	s := eventually(t, r, func(s *registers.State) bool {
		vane, ok := s.Document("vane")
		return ok && vane.Title.Pick() == "After"
	})
	same, ok := s.Document("benefits")
	require.True(t, ok)
	require.Same(t, benefits, same)
}
