package registers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/taxonomy"
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

// TestSummary compares the summaries that a register keeps with those of the documents.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/documents")))
	text, err := os.ReadFile(filepath.Join(dir, "crossing-camera.json"))
	require.NoError(t, err)
	var camera struct{ Elements []any }
	require.NoError(t, json.Unmarshal(text, &camera))
	last := len(camera.Elements) - 1 // it is the only one about rights
	action := map[string]any{"type": "url", "label": title("en", "Ask", "fr", "Demander"), "target": "https://lindenau.example/" + strings.Repeat("a", 200)}
	ask := map[string]any{
		"element_id": "rights.ask", "actions": []any{action, action},
		"variables": []any{map[string]any{"id": "how", "value": title("en", strings.Repeat("ü", 20_000), "fr", "\x00", "es", "?")}},
	}
	sample(t, dir, "crossing-camera", "long", 1, map[string]any{"elements": append(camera.Elements[:last:last], ask)})
	sample(t, dir, "crossing-camera", "short", 1, map[string]any{"elements": camera.Elements[:last]})
	r := register(t, dir)
	for _, d := range r.State().Documents() {
		shown, err := r.Present(t.Context(), d, d.Current)
		require.NoError(t, err)
		want := shown.Summary(nil)
		for _, p := range want.Points {
			for k, e := range p.Entries {
				p.Entries[k].Placement = nil
				if len(e.Placement.Actions) > 0 {
					p.Entries[k].Placement = &taxonomy.Placement{Actions: e.Placement.Actions}
				}
			}
		}
		require.Empty(t, cmp.Diff(want, &d.Summary), d.ID)
	}
	rights, ok := find(t, r, "long").Summary.Point("rights")
	require.True(t, ok)
	require.Len(t, rights.Entries[0].Placement.Actions, 2)
	rights, ok = find(t, r, "short").Summary.Point("rights")
	require.True(t, ok)
	require.Empty(t, rights.Entries)
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
