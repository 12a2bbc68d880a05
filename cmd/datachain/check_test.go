package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestCheckSamples(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := execute(t.Context(), testSystem(t.TempDir()), "check")
	require.Equal(t, exitGood, code, stderr)
	require.Contains(t, stdout, "\n9 versions, no problems\n")
}

// TestCheckFinds breaks a store in every way that check knows.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	edit := func(file, old, text string) func(t *testing.T, version string) {
		return func(t *testing.T, version string) {
			name := onlyFile(t, filepath.Join(version, filepath.FromSlash(file)))
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Contains(t, string(data), old)
			require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), old, text, 1)), 0o644))
		}
	}
	for _, tt := range []struct {
		name  string
		harm  func(t *testing.T, version string)
		want  string
		baked bool
	}{
		{"nothing", func(*testing.T, string) {}, "", true},
		{"a release", edit("release.json", "Purpose", "Porpoise"), "The release can't be loaded: ", false},
		{"a symbol", edit("symbols/letter.svg", "<path", "<script/><path"), "The release can't be loaded: ", false},
		{"an icon", edit("icons/contact.office/dark.svg", "<svg", "<svg onload=\"x()\""), "The icon contact.office/dark is out of date: run 'datachain icons bake'.", false},
		{"a search index", func(t *testing.T, version string) {
			require.NoError(t, os.WriteFile(filepath.Join(version, "search", "en.index"), []byte("dcsearch"), 0o644))
		}, "The search index for en can't be read: ", true},
		{"a missing search index", func(t *testing.T, version string) {
			require.NoError(t, os.Remove(filepath.Join(version, "search", "en.index")))
		}, "", true},
		{"a missing icon", func(t *testing.T, version string) {
			require.NoError(t, os.Remove(filepath.Join(version, "icons", "contact.office", "dark.svg")))
		}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			publishStarter(t, dir, "robot@2026-01-01-beta", "--layout", "files")
			version := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-beta", "sha256-*"))
			tt.harm(t, version)
			code, stdout, stderr := execute(t.Context(), testSystem(dir), "check", "--store", "store", "--format", "json")
			var answer checkAnswer
			require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stderr)
			require.Len(t, answer.Versions, 1)
			v := answer.Versions[0]
			if tt.want == "" {
				require.Equal(t, exitGood, code)
				assert.Empty(t, v.Problems)
				assert.Equal(t, tt.baked, v.Icons == v.BakedIcons)
				return
			}
			require.Equal(t, exitFindings, code)
			require.Len(t, v.Problems, 1)
			assert.Contains(t, v.Problems[0], tt.want)
		})
	}
}

// TestCheckPack shows that a pack with a form of the release that does not fit is
// reported, although it is not used.
func TestCheckPack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-beta")
	name := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-beta", "sha256-*", "release.pack"))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	form := bytes.Index(data, []byte("dcform"))
	require.Positive(t, form)
	old := taxonomy.Hash(sha256.Sum256(data))
	data[form+8]++ // the content that it belongs to
	require.NoError(t, os.WriteFile(name, data, 0o644))
	index := filepath.Join(dir, "store", "index.json")
	text, err := os.ReadFile(index)
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte(old.String()), []byte(taxonomy.Hash(sha256.Sum256(data)).String()))
	require.NoError(t, os.WriteFile(index, text, 0o644))

	code, stdout, stderr := execute(t.Context(), testSystem(dir), "check", "--store", "store", "--format", "json")
	require.Equal(t, exitFindings, code, stderr)
	var answer checkAnswer
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stderr)
	require.Len(t, answer.Versions[0].Problems, 1)
	assert.Contains(t, answer.Versions[0].Problems[0], "the form of the release can't be used: it belongs to the content")
	assert.Contains(t, answer.Versions[0].Problems[0], "publish or copy the release again")
}

func TestCheckNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.json"), []byte(`{"versions":[]}`), 0o644))
	code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", ".")
	require.Equal(t, exitFindings, code, "a server without a version is never ready")
	require.Equal(t, "no versions\n", stdout)
}

// TestCheckServer checks what another server serves, and one that is not there.
func TestCheckServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort)
	code, stdout, stderr := execute(t.Context(), testSystem(""), "check", "--store", s.api)
	require.Equal(t, exitGood, code, stderr)
	require.Contains(t, stdout, "sensor@2026-11-15-stable")
	s.stop()
	code, _, stderr = execute(t.Context(), testSystem(""), "check", "--store", s.api)
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "connection refused")
}

// TestCheckSymbols shows that symbols are checked although the content hash is
// right.
func TestCheckSymbols(t *testing.T) {
	t.Parallel()
	en := func(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	r, err := taxonomy.NewRelease(v, taxonomy.Content{
		Title: en("Robots"), Description: en("Robots."), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "robot", Name: en("Robot"), Categories: []string{"purpose"}},
		Categories: []taxonomy.Category{{
			ID: "purpose", Name: en("Purpose"), Description: en("Why."), Shape: taxonomy.Circle,
		}},
		Elements: []taxonomy.Element{{
			ID: "care", Title: en("Care"), Description: en("It cares."), CategoryID: "purpose", SymbolID: "bad",
			IconVariants: []string{"default", "dark"},
		}},
		Symbols: map[string]string{
			"bad":   `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><script>x()</script></svg>`,
			"loose": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">  <circle cx="18" cy="18" r="9"/>  </svg>`,
		},
	})
	require.NoError(t, err)
	s, err := memstore.New(taxonomy.Publication{Release: r})
	require.NoError(t, err)
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	got, err := checkVersion(t.Context(), s, x.Entries()[0])
	require.NoError(t, err)
	require.Len(t, got.Problems, 4, got.Problems)
	assert.Contains(t, got.Problems[0], "The symbol bad is not safe: ")
	assert.Contains(t, got.Problems[1], "The symbol loose is not in its published form")
	assert.Contains(t, got.Problems[2], "The icon care/default can't be drawn: ")
}

// TestCheckTellsEnough shows that a release full of problems does not fill the
// screen.
func TestCheckTellsEnough(t *testing.T) {
	t.Parallel()
	var v checkedVersion
	for range 1000 {
		v.found("a problem")
	}
	var out strings.Builder
	require.NoError(t, (&checkAnswer{Versions: []checkedVersion{v}}).print(&program{system: system{stdout: &out}}))
	require.Contains(t, out.String(), "1000 problems\n")
	require.Contains(t, out.String(), ": and 980 more\n")
}

// TestCheckBound changes what stable versions of a store are bound to.
func TestCheckBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-stable")
	publishStarter(t, dir, "robot@2026-02-02-stable")
	code, _, stderr := execute(t.Context(), testSystem(dir), "schema", "retire", "robot@2026-01-01-stable", "--store", "store")
	require.Equal(t, exitGood, code, stderr)
	code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", "store")
	require.Equal(t, exitGood, code, stdout)
	for version, says := range map[string]string{"2026-01-01-stable": " (retired): ", "2026-02-02-stable": ": "} {
		bound := filepath.Join(dir, "store", "robot", version, "bound")
		good, err := os.ReadFile(bound)
		require.NoError(t, err)
		for text, want := range map[string]string{
			"sha256-" + strings.Repeat("0", 64): "It is bound to the content sha256-0000",
			"?":                                 "The content that it is bound to can't be read: ",
		} {
			require.NoError(t, os.WriteFile(bound, []byte(text), 0o644))
			code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", "store")
			require.Equal(t, exitFindings, code, stdout)
			require.Contains(t, strings.Join(strings.Fields(stdout), " "), "robot@"+version+says+want)
		}
		require.NoError(t, os.WriteFile(bound, good, 0o644))
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "store", "robot", "2026-02-02-stable", "bound")))
	code, stdout, _ = execute(t.Context(), testSystem(dir), "check", "--store", "store")
	require.Equal(t, exitGood, code, "as in stores of before: "+stdout)
}
