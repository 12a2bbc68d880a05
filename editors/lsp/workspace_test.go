package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/editors/lsp"
)

// sourceReleases returns the releases of a source.
func sourceReleases(t testing.TB, root string, files fstest.MapFS) *lsp.Releases {
	t.Helper()
	tree, err := source.CompileAll(files, nil)
	require.NoError(t, err)
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: root, Source: &lsp.Source{Root: root, Files: files}}
}

// folders returns options with folders that are opened once.
func folders(list map[string]*lsp.Folder) *lsp.Options {
	return &lsp.Options{Folder: func(_ context.Context, uri string) (*lsp.Folder, error) {
		if f := list[uri]; f != nil {
			return f, nil
		}
		return nil, io.ErrNoProgress
	}}
}

// pinned is a document that pins a version and places an unknown element.
func pinned(version string) string {
	return fmt.Sprintf(`{"id": "x", "schema_version": %q, "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "unheard"}]}`, version)
}

// TestFolderLocale shows documents in the language of their folder, unless the settings of the
// editor name another.
func TestFolderLocale(t *testing.T) {
	for name, c := range map[string]struct {
		folder, settings, want string
	}{
		"the editor's":   {"", "", "Air, noise and weather"},
		"the folder's":   {"fr", "", "Air, bruit et météo"},
		"the settings'":  {"fr", "es", "Aire, ruido y tiempo"},
		"unknown folder": {"pt-PT", "", "Air, noise and weather"},
	} {
		t.Run(name, func(t *testing.T) {
			e := connect(t, lsp.New(opened(samples(t)), folders(map[string]*lsp.Folder{"file:///w": {Locale: c.folder}})))
			e.initialize(object{
				"capabilities": full, "locale": "en", "initializationOptions": object{"locale": c.settings},
				"workspaceFolders": []object{{"uri": "file:///w", "name": "w"}},
			})
			const uri = "file:///w/air.json"
			e.open(uri, valid)
			var h struct{ Contents struct{ Value string } }
			e.into(&h, "textDocument/hover", object{"textDocument": object{"uri": uri}, "position": place(t, valid, "purpose.environment")})
			assert.Contains(t, h.Contents.Value, c.want)
		})
	}
}

// TestFolders validates documents by the releases of their folder, while folders come and
// go.
func TestFolders(t *testing.T) {
	list := map[string]*lsp.Folder{
		"file:///w/bikes":       {Releases: sourceReleases(t, "file:///w/bikes", bikes(t))},
		"file:///w/bikes/inner": {},
		"file:///w/plain":       {},
	}
	e := connect(t, lsp.New(opened(samples(t)), folders(list)))
	var result struct {
		Capabilities struct {
			Workspace struct {
				WorkspaceFolders struct{ Supported, ChangeNotifications bool }
			}
		}
	}
	require.NoError(t, json.Unmarshal(e.initialize(object{"workspaceFolders": []object{
		{"uri": "file:///w/plain", "name": "p"}, {"uri": "file:///w/bikes", "name": "b"}, {"uri": "file:///w/bikes/inner", "name": "i"}, {"uri": "file:///w/broken", "name": "x"},
	}}), &result))
	assert.True(t, result.Capabilities.Workspace.WorkspaceFolders.Supported)
	assert.True(t, result.Capabilities.Workspace.WorkspaceFolders.ChangeNotifications)
	e.logged("schema versions of file:///w/bikes come from file:///w/bikes")
	e.logged("folder file:///w/broken: " + io.ErrNoProgress.Error())

	const known, unknown = "INSTANCE_ELEMENT_UNKNOWN", "not_found"
	bikesDoc, sensorDoc := pinned("bikes@2026-09-01-beta"), pinned("sensor@2026-11-15-stable")
	version := map[string]int{}
	judged := func(uri, text string) string {
		if version[uri]++; version[uri] == 1 {
			e.open(uri, text)
		} else {
			e.change(uri, version[uri], text)
		}
		found := e.diagnostics(uri, version[uri])
		require.NotEmpty(t, found)
		return found[0].Code
	}
	inBikes, inPlain, inInner := "file:///w/bikes/a%20b.datachain.json", "file:///w/plain/x.datachain.json", "file:///w/bikes/inner/x.datachain.json"
	assert.Equal(t, known, judged(inBikes, bikesDoc))
	assert.Equal(t, unknown, judged(inPlain, bikesDoc))
	assert.Equal(t, unknown, judged(inInner, bikesDoc), "the inner folder counts")
	assert.Equal(t, unknown, judged(inBikes, sensorDoc))
	assert.Equal(t, known, judged(inPlain, sensorDoc))
	assert.Equal(t, known, judged("untitled:Untitled-1", sensorDoc))

	// The source of the folder is linted, and requests use it.
	file := "file:///w/bikes/bikes/2026-09-01-beta/elements/all.yaml"
	e.open(file, "- id: x")
	assert.NotEmpty(t, e.diagnostics(file, 1))

	// Without the folder, the common releases count, and its source is forgotten.
	e.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"removed": []object{{"uri": "file:///w/bikes/", "name": "b"}}, "added": []object{}}})
	e.await("another verdict", func() bool { return len(e.shown(inBikes)) > 0 && e.shown(inBikes)[0].Code == known })
	e.await("no findings in the source", func() bool { return len(e.shown(file)) == 0 })
	assert.Equal(t, unknown, judged(inBikes, bikesDoc))
	e.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{{"uri": "file:///w/bikes", "name": "b"}}, "removed": []object{}}})
	e.await("the first verdict", func() bool { return e.shown(inBikes)[0].Code == known })
	e.await("findings in the source", func() bool { return len(e.shown(file)) > 0 })
}

// TestTwoSources edits two sources: what is done in one concerns neither the other nor
// its documents.
func TestTwoSources(t *testing.T) {
	const file = "/bikes/2026-09-01-beta/elements/all.yaml"
	text := string(bikes(t)[file[1:]].Data)
	list := map[string]*lsp.Folder{}
	for _, uri := range []string{"file:///w/one", "file:///w/two"} {
		list[uri] = &lsp.Folder{Releases: sourceReleases(t, uri, bikes(t))}
	}
	e := connect(t, lsp.New(opened(samples(t)), folders(list)))
	e.initialize(object{"capabilities": full, "workspaceFolders": []object{{"uri": "file:///w/one", "name": "1"}, {"uri": "file:///w/two", "name": "2"}}})
	e.open("file:///w/one"+file, strings.Replace(text, "category_id: contact", "category_id: contcat", 1))
	e.open("file:///w/two"+file, text)
	require.NotEmpty(t, e.diagnostics("file:///w/one"+file, 1))
	for _, d := range e.diagnostics("file:///w/two"+file, 1) {
		assert.NotEqual(t, "category_unknown", d.Code)
	}
	var found []location
	e.into(&found, "textDocument/definition", object{"textDocument": object{"uri": "file:///w/two" + file}, "position": place(t, text, "contact\n  symbol_id")})
	require.Len(t, found, 1)
	assert.Equal(t, "file:///w/two/bikes/2026-09-01-beta/categories/contact.yaml", found[0].URI)
	doc := strings.Replace(pinned("bikes@2026-09-01-beta"), "unheard", "contact.office", 1)
	e.open("file:///w/two/x.datachain.json", doc)
	e.into(&found, "textDocument/definition", object{"textDocument": object{"uri": "file:///w/two/x.datachain.json"}, "position": place(t, doc, "contact.office")})
	require.Len(t, found, 1)
	assert.Equal(t, "file:///w/two"+file, found[0].URI)
}
