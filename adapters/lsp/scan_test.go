package lsp_test

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/release/publish"
)

const workspace = "file:///w/my%20work"

// inWorkspace starts a server with one folder.
func inWorkspace(t testing.TB, files fs.FS, o lsp.Options, capabilities object) *editor {
	t.Helper()
	o.Folder = folders(map[string]*lsp.Folder{workspace: {Files: files}}).Folder
	e := connect(t, lsp.New(opened(samples(t)), &o))
	e.initialize(object{"capabilities": capabilities, "workspaceFolders": []object{{"uri": workspace, "name": "w"}}})
	return e
}

func mapFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

const wrong = `{"id": "x", "schema_version": "sensor@2026-11-15-stable", "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "unheard"}]}`

// watched tells the server about files.
func (e *editor) watched(kind int, names ...string) {
	e.t.Helper()
	changes := []object{}
	for _, name := range names {
		changes = append(changes, object{"uri": workspace + "/" + name, "type": kind})
	}
	e.notify("workspace/didChangeWatchedFiles", object{"changes": changes})
}

// TestWorkspace validates documents that are not open, and follows their changes.
func TestWorkspace(t *testing.T) {
	files := &gate{files: fstest.MapFS{
		"good.datachain.json":    mapFile(valid),
		"wrong.datachain.json":   mapFile(wrong),
		"dir/by content.json":    mapFile(" " + wrong),
		"dir/named.JSON":         mapFile(wrong),
		"dir/broken.json":        mapFile(`{"schema_version": 1, "elements": `),
		"package.json":           mapFile(`{"name": "x"}`),
		"list.json":              mapFile(`[{"schema_version": 1, "elements": []}]`),
		"binary.json":            mapFile("{\x00\"schema_version\": 1, \"elements\": []}"),
		"notes.txt":              mapFile(wrong),
		".hidden.datachain.json": mapFile(wrong),
		".git/x.datachain.json":  mapFile(wrong),
		"node_modules/x.json":    mapFile(wrong),
	}}
	e := inWorkspace(t, files, lsp.Options{}, nil)
	shows := func(name string, count int) {
		t.Helper()
		e.await(fmt.Sprintf("%d findings in %s", count, name), func() bool {
			return len(e.published[workspace+"/"+name]) > 0 && len(e.shown(workspace+"/"+name)) == count
		})
	}
	for _, name := range []string{"wrong.datachain.json", "dir/by%20content.json", "dir/named.JSON"} {
		shows(name, len(wanted(t, samples(t), []byte(wrong), strict)))
		assert.Nil(t, e.received(workspace + "/" + name)[0].Version)
	}
	shows("dir/broken.json", 1)

	// Open documents count as they are in the editor, whatever else changes.
	uri := "file:///w/my work/wrong.datachain.json" // as some clients write it
	e.open(uri, valid)
	assert.Empty(t, e.diagnostics(uri, 1))
	e.watched(2, "wrong.datachain.json")
	files.write("later.datachain.json", "{")
	e.watched(1, "later.datachain.json")
	shows("later.datachain.json", 1)
	for _, p := range e.received(uri) {
		assert.Empty(t, p.Diagnostics)
	}
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
	e.await("the findings of the saved file", func() bool { return len(e.shown(workspace+"/wrong.datachain.json")) > 1 })

	// Files change, and vanish with and without their directory.
	files.write("later.datachain.json", valid)
	e.watched(2, "later.datachain.json")
	shows("later.datachain.json", 0)
	files.remove("dir/by content.json", "dir/named.JSON", "dir/broken.json", "wrong.datachain.json")
	e.watched(3, "dir")
	shows("dir/by%20content.json", 0)
	shows("dir/named.JSON", 0)
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	shows("wrong.datachain.json", 0)

	e.mu.Lock()
	defer e.mu.Unlock()
	for uri := range e.published {
		assert.NotContains(t, []string{"good.datachain.json", "package.json", "list.json", "binary.json", "notes.txt", ".hidden.datachain.json"}, uri[len(workspace)+1:])
	}
	assert.Empty(t, e.asked, "nothing was left out")
}

// TestTaxonomyChanges validates all documents again if the releases change.
func TestTaxonomyChanges(t *testing.T) {
	releases := trail(t)
	store, err := memstore.New()
	require.NoError(t, err)
	c := caseOf(t, "unknown_field", func(c conformanceCase) bool { return len(c.Wanted) > 0 })
	files := fstest.MapFS{}
	for i := range 20 {
		files[fmt.Sprintf("%d.datachain.json", i)] = mapFile(string(c.Document))
	}
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "memory", Changes: store.Changes}, nil
	}
	e := connect(t, lsp.New(open, folders(map[string]*lsp.Folder{workspace: {Files: files}})))
	e.initialize(object{"workspaceFolders": []object{{"uri": workspace, "name": "w"}}})
	all := func(code string) func() bool {
		return func() bool {
			for name := range files {
				if found := e.shown(workspace + "/" + name); len(found) == 0 || found[0].Code != code {
					return false
				}
			}
			return true
		}
	}
	e.await("no version", all("not_found"))
	require.NoError(t, store.Put(publish.Publication{Release: releases[c.Version]}))
	e.await("another verdict", all("unknown_field"))
}

// TestKeystrokeFirst changes an open document while the background run is held back: the
// change is answered before the run ends.
func TestKeystrokeFirst(t *testing.T) {
	files := &gate{files: fstest.MapFS{}}
	for i := range 50 {
		files.files[fmt.Sprintf("%02d.datachain.json", i)] = mapFile(wrong)
	}
	files.hold("25.datachain.json")
	e := inWorkspace(t, files, lsp.Options{}, nil)
	<-files.reached
	e.open(chain, "{}")
	for version := 2; version < 10; version++ {
		e.change(chain, version, valid)
		assert.Empty(t, e.diagnostics(chain, version))
		e.ask("textDocument/completion", at(position{0, 1}))
	}
	assert.Empty(t, e.received(workspace+"/25.datachain.json"))
	close(files.open)
	for name := range files.files {
		e.await("findings in "+name, func() bool { return len(e.shown(workspace+"/"+name)) > 0 })
	}
}

// TestBackgroundWaits shows that nothing is read in the background while an open
// document is being validated.
func TestBackgroundWaits(t *testing.T) {
	files := &counted{FS: fstest.MapFS{"x.datachain.json": mapFile("{")}}
	e := connect(t, lsp.New(opened(must(datachain.New(hanging{}, nil))), folders(map[string]*lsp.Folder{workspace: {Files: files}})))
	e.ask("initialize", object{"workspaceFolders": []object{{"uri": workspace, "name": "w"}}})
	e.open(chain, valid) // waits for the store
	e.notify("initialized", object{})
	for range 100 {
		e.handled()
	}
	assert.Zero(t, files.opened.Load())
	e.change(chain, 2, "{")
	e.diagnostics(chain, 2)
	e.await("findings in a saved file", func() bool { return len(e.shown(workspace+"/x.datachain.json")) > 0 })
	e.change(chain, 3, valid)
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	e.ask("shutdown", nil) // does not wait for the store
}

// BenchmarkWorkspace measures the time from a change of an open document of 20 KB until
// the client has its diagnostics, while 5,000 others are validated in the background, and
// the time until these are validated.
func BenchmarkWorkspace(b *testing.B) {
	files := fstest.MapFS{}
	for i := range 5_000 {
		files[fmt.Sprintf("%02d/%04d.datachain.json", i%50, i)] = mapFile(wrong)
	}
	pull := object{"textDocument": object{"diagnostic": object{}}}
	b.Run("keystroke", func(b *testing.B) {
		e := inWorkspace(b, files, lsp.Options{}, nil)
		texts := []string{large(b, false), large(b, true)}
		e.open(chain, texts[0])
		e.diagnostics(chain, 1)
		b.ReportAllocs()
		for version := 2; b.Loop(); version++ {
			if version%100 == 0 { // the run never ends
				e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
			}
			e.change(chain, version, texts[version%2])
			e.diagnostics(chain, version)
		}
	})
	b.Run("all", func(b *testing.B) {
		e := inWorkspace(b, files, lsp.Options{}, pull)
		b.ReportAllocs()
		for b.Loop() {
			e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
			e.ask("workspace/diagnostic", object{"previousResultIds": []object{}})
		}
	})
}
