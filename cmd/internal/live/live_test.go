package live_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// A source has no versions that are deprecated or were retired, and its evolution is not opaque.
func TestStore(t *testing.T) {
	storetest.RunReleases(t, func(t *testing.T, c storetest.Content) taxonomy.Store {
		dir := sourceDir(t, c)
		return openLive(t, dir, nil)
	})
}

func TestStoreUpdates(t *testing.T) {
	storetest.RunReleaseUpdates(t, func(t *testing.T, c storetest.Content) (taxonomy.Store, func(*testing.T, storetest.Content)) {
		dir := sourceDir(t, c)
		update := func(t *testing.T, c storetest.Content) { writeAll(t, dir, c) }
		return openLive(t, dir, &live.Options{Interval: 10 * time.Millisecond}), update
	})
}

const (
	beta   = "draft/2026-05-05-beta"
	stable = "draft/2026-05-01-stable"
)

// liveStarter writes the starter taxonomy as the version in a folder.
func liveStarter(t *testing.T, dir, folder string) taxonomy.Version {
	t.Helper()
	v := taxonomy.MustVersion(strings.Replace(folder, "/", "@", 1))
	for name, data := range write.Starter(v) {
		writeFile(t, filepath.Join(dir, folder, name), data)
	}
	return v
}

func TestBrokenEditKeepsTheLastGoodRelease(t *testing.T) {
	dir := t.TempDir()
	v := liveStarter(t, dir, beta)
	var mu sync.Mutex
	var reports []issue.Issues
	s := openLive(t, dir, &live.Options{Interval: -1, Report: func(i issue.Issues) {
		mu.Lock()
		defer mu.Unlock()
		reports = append(reports, i)
	}})
	good := release(t, s, v)
	require.Empty(t, s.Findings())

	file := filepath.Join(dir, beta, "elements", "purpose.yaml")
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	writeFile(t, file, []byte(strings.Replace(string(was), "category_id: purpose", "category_id: purpos", 1)))

	require.Same(t, good, release(t, s, v))
	require.ErrorContains(t, s.Err(), "errors in the source: 2")
	findings := s.Findings()
	require.Equal(t, beta+"/elements/purpose.yaml:3:16", find(t, findings, codes.CategoryUnknown).Position.String())

	writeFile(t, file, []byte(strings.Replace(string(was), "Providing a service", "Giving a service", 1)))
	fixed := release(t, s, v)
	require.Empty(t, s.Findings())
	require.NoError(t, s.Err())
	require.NotEqual(t, good.ContentHash(), fixed.ContentHash())
	e, _ := fixed.Element("purpose.service")
	require.Equal(t, "Giving a service", e.Title.Pick("en"))
	e, _ = good.Element("purpose.service")
	require.Equal(t, "Providing a service", e.Title.Pick("en"), "a release never changes")

	mu.Lock()
	defer mu.Unlock()
	require.Len(t, reports, 2, "one report for the broken edit, one for its fix")
	find(t, reports[0], codes.CategoryUnknown)
	require.Empty(t, reports[1])
}

func TestEditsOfTheSameLengthAreSeen(t *testing.T) {
	dir := t.TempDir()
	v := liveStarter(t, dir, beta)
	s := openLive(t, dir, &live.Options{Interval: -1})
	file := filepath.Join(dir, beta, "categories", "purpose.yaml")
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, word := range []string{"Reason1", "Reason2", "Reason3", "Reason4", "Purpose"} {
		writeFile(t, file, []byte(strings.Replace(string(was), "en: Purpose", "en: "+word, 1)))
		c, _ := release(t, s, v).Category("purpose")
		require.Equal(t, word, c.Name.Pick("en"))
	}
}

func TestStableIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	v := liveStarter(t, dir, stable)
	age(t, filepath.Join(dir, stable), time.Hour)
	s := openLive(t, dir, &live.Options{Interval: -1})
	first := release(t, s, v)

	file := filepath.Join(dir, stable, "categories", "purpose.yaml")
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	writeFile(t, file, []byte(strings.Replace(string(was), "en: Purpose", "en: Reason", 1)))
	require.Same(t, first, release(t, s, v))
	findings := s.Findings()
	require.Len(t, findings, 1)
	require.EqualValues(t, codes.StableChanged, findings[0].Code)
	require.Contains(t, findings[0].FixHint, "datachain schema new draft")

	writeFile(t, file, was)
	require.Same(t, first, release(t, s, v))
	require.Empty(t, s.Findings())
}

func TestAliasConflictIsReportedAndServed(t *testing.T) {
	dir := t.TempDir()
	newer, older := liveStarter(t, dir, beta), liveStarter(t, dir, stable)
	for _, folder := range []string{beta, stable} {
		file := filepath.Join(dir, folder, "schema.yaml")
		was, err := os.ReadFile(file)
		require.NoError(t, err)
		writeFile(t, file, append([]byte("aliases: [v1]\n"), was...))
	}
	s := openLive(t, dir, nil)
	require.Len(t, s.Findings(), 1)
	require.EqualValues(t, codes.AliasConflict, s.Findings()[0].Code)
	ref, err := taxonomy.ParseRef("draft@v1")
	require.NoError(t, err)
	r, err := taxonomy.Open(t.Context(), s, ref)
	require.NoError(t, err)
	require.Equal(t, newer, r.Version())
	require.Equal(t, older, release(t, s, older).Version())
}

func TestRemovedVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "schemas")
	v := liveStarter(t, dir, beta)
	s := openLive(t, dir, &live.Options{Interval: -1})
	good := release(t, s, v)

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "draft")))
	_, err := s.Release(t.Context(), v)
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	liveStarter(t, dir, beta)
	require.Equal(t, good.ContentHash(), release(t, s, v).ContentHash())
	require.Empty(t, s.Findings())
}

func TestChangesAreToldWithoutCalls(t *testing.T) {
	dir := t.TempDir()
	liveStarter(t, dir, beta)
	s := openLive(t, dir, &live.Options{Interval: 5 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	changes := s.Changes(ctx)
	liveStarter(t, dir, stable)
	require.True(t, heard(t, changes))
	cancel()
	for heard(t, changes) { // until the channel is closed
	}
}

// heard waits for a change, and reports whether the channel is still open.
func heard(t *testing.T, changes <-chan struct{}) bool {
	t.Helper()
	select {
	case _, open := <-changes:
		return open
	case <-time.After(time.Minute):
		require.FailNow(t, "No change was reported.")
		return false
	}
}

func TestOpenErrors(t *testing.T) {
	_, err := live.Open(filepath.Join(t.TempDir(), "nowhere"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "nowhere")

	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, nil)
	_, err = live.Open(file, nil)
	require.Error(t, err)
}

func TestClosedStoreServesWhatItRead(t *testing.T) {
	dir := t.TempDir()
	v := liveStarter(t, dir, beta)
	s, err := live.Open(dir, nil)
	require.NoError(t, err)
	good := release(t, s, v)
	require.NoError(t, s.Close())
	require.Same(t, good, release(t, s, v))
	require.Empty(t, s.Findings())
}

func openLive(t *testing.T, dir string, o *live.Options) *live.Store {
	t.Helper()
	s, err := live.Open(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func find(t *testing.T, issues issue.Issues, code issue.Code) issue.Issue {
	t.Helper()
	i := slices.IndexFunc(issues, func(i issue.Issue) bool { return i.Code == code })
	require.GreaterOrEqual(t, i, 0, "no %s among %v", code, issues)
	return issues[i]
}

func release(t *testing.T, s taxonomy.Store, v taxonomy.Version) *taxonomy.Release {
	t.Helper()
	r, err := s.Release(t.Context(), v)
	require.NoError(t, err)
	return r
}

// edit replaces a text in a file.
func edit(t *testing.T, name, old, text string) {
	t.Helper()
	was, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(was), old)
	writeFile(t, name, []byte(strings.Replace(string(was), old, text, 1)))
}

// write replaces a file atomically, as editors do.
func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	temp := filepath.Join(filepath.Dir(name), ".write~")
	require.NoError(t, os.WriteFile(temp, data, 0o644))
	require.NoError(t, os.Rename(temp, name))
}

// sourceDir returns a folder with the source of the content of a clause.
func sourceDir(t *testing.T, c storetest.Content) string {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, c)
	return dir
}

// writeAll makes a folder hold the source of the releases and no other. A
// version is changed at one stroke: its folder is a link to another each time.
func writeAll(t *testing.T, dir string, c storetest.Content) {
	t.Helper()
	old, err := filepath.Glob(filepath.Join(dir, "*", "[0-9]*"))
	require.NoError(t, err)
	keep := make(map[string]bool)
	for i, e := range c.Index.Entries() {
		v := e.ID
		link := filepath.Join(dir, v.Type(), v.Folder())
		keep[link] = true
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
		next := filepath.Join(filepath.Dir(link), ".source-"+rand.Text())
		decompile(t, next, c.Releases[i], e)
		require.NoError(t, os.Symlink(filepath.Base(next), next+"-link"))
		require.NoError(t, os.Rename(next+"-link", link))
	}
	for _, link := range old {
		if !keep[link] {
			require.NoError(t, os.Remove(link))
		}
	}
}

// decompile writes the source that a release could have come from.
func decompile(t *testing.T, dir string, r *taxonomy.Release, e taxonomy.Entry) {
	t.Helper()
	fields := func(v any, without ...string) map[string]any {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		var m map[string]any
		require.NoError(t, json.Unmarshal(text, &m))
		for _, key := range without {
			delete(m, key)
		}
		return m
	}
	put := func(name string, v any) {
		text, err := json.MarshalIndent(v, "", "  ")
		require.NoError(t, err)
		writeFile(t, filepath.Join(dir, name), text)
	}
	schema := fields(r.Manifest(), "id", "status", "content_hash")
	schema["datachain_type"] = r.Type()
	// The others are assigned.
	if declared := slices.DeleteFunc(e.Aliases, func(alias string) bool { return strings.Contains(alias, "@latest") }); len(declared) > 0 {
		schema["aliases"] = declared
	}
	if e.Released != "" {
		schema["released"] = e.Released
	}
	put("schema.json", schema)
	for _, c := range r.Categories() {
		put("categories/"+c.ID+".json", c)
	}
	for _, e := range r.Elements() {
		put("elements/"+e.ID+".json", fields(e, "icon_variants"))
	}
	for _, id := range r.SymbolIDs() {
		svg, _ := r.Symbol(id)
		writeFile(t, filepath.Join(dir, "symbols", id+".svg"), []byte(svg))
	}
}

// TestEvolution serves what evolution.yaml says, as it is edited. While it has errors, the
// last good one stays.
func TestEvolution(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := liveStarter(t, dir, beta)
	s := openLive(t, dir, &live.Options{Interval: -1})
	changes := s.Changes(t.Context())
	known := func() *history.Evolution {
		x, err := s.Index(t.Context())
		require.NoError(t, err)
		e, err := history.Decode(v.Type(), x.EvolutionJSON(v.Type()))
		require.NoError(t, err)
		return e
	}
	require.Nil(t, known())
	id := release(t, s, v).ElementIDs()[0]
	file := filepath.Join(dir, v.Type(), "evolution.yaml")
	line := "renamed:\n  - {kind: element, from: old, to: " + id + ", since: " + v.String() + "}\n"
	writeFile(t, file, []byte(line))
	require.Equal(t, id, known().Renamed[0].To)
	<-changes
	first := known()
	writeFile(t, file, []byte("renamed: [{"))
	require.Equal(t, first, known())
	require.NotEmpty(t, s.Findings())
	require.NoError(t, os.Remove(file))
	require.Nil(t, known())
	require.Empty(t, s.Findings())
}
