package lsp_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	schemas  = "file:///w/my%20schemas"
	elements = schemas + "/bikes/2026-09-01-beta/elements/all.yaml"
	contact  = schemas + "/bikes/2026-09-01-beta/categories/contact.yaml"
)

// bikes returns the files of a small source.
func bikes(t testing.TB) fstest.MapFS {
	t.Helper()
	files := make(fstest.MapFS)
	disk := os.DirFS("../../cmd/datachain/testdata/tree/schemas")
	require.NoError(t, fs.WalkDir(disk, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(disk, path)
		files[path] = &fstest.MapFile{Data: text}
		return err
	}))
	require.Contains(t, files, "bikes/2026-09-01-beta/elements/all.yaml")
	return files
}

// author starts a server on a source.
func author(t testing.TB, files fs.FS) *editor {
	t.Helper()
	return start(t, authoring(t, files), object{
		"general":      object{"markdown": object{"parser": "marked"}},
		"workspace":    object{"workspaceEdit": object{"documentChanges": true, "resourceOperations": []string{"rename"}}},
		"textDocument": object{"hover": object{"contentFormat": []string{"markdown"}}},
	})
}

// authoring returns a server of a source.
func authoring(t testing.TB, files fs.FS) *lsp.Server {
	t.Helper()
	tree, err := source.CompileAll(files, nil)
	require.NoError(t, err)
	store, err := memstore.New(tree.Publications()...)
	require.NoError(t, err)
	return lsp.New(func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: must(datachain.New(store, nil)), Origin: "a source", Source: &lsp.Source{Root: schemas, Files: files}}, nil
	}, nil)
}

// shown returns the last diagnostics of a file, or nil if there never were any.
func (e *editor) shown(uri string) []diagnostic {
	list := e.published[uri]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1].Diagnostics
}

// TestLint shows the findings of `schema lint` while a file is edited, in all files.
func TestLint(t *testing.T) {
	files := bikes(t)
	path := "bikes/2026-09-01-beta/elements/all.yaml"
	good := string(files[path].Data)
	bad := strings.Replace(good, "category_id: contact", "category_id: contcat", 1)
	require.NotEqual(t, good, bad)
	e := author(t, files)
	e.open(elements, good)
	clean := e.diagnostics(elements, 1)
	e.change(elements, 2, bad)
	got := e.diagnostics(elements, 2)

	edited := bikes(t)
	edited[path] = &fstest.MapFile{Data: []byte(bad)}
	tree, err := source.CompileAll(edited, nil)
	require.NoError(t, err)
	want := map[string][]issue.Issue{}
	for _, i := range tree.Issues() {
		want[schemas+"/"+i.Position.File] = append(want[schemas+"/"+i.Position.File], i)
	}
	require.NotEmpty(t, want[elements])
	for uri, issues := range want {
		e.await("findings in "+uri, func() bool { return len(e.shown(uri)) == len(issues) })
		for k, d := range e.shown(uri) {
			assert.Equal(t, []any{string(issues[k].Code), issues[k].Message, issues[k].FixHint}, []any{d.Code, d.Data.Message, d.Data.FixHint})
			assert.Equal(t, max(issues[k].Position.Line-1, 0), d.Range.Start.Line)
		}
	}
	assert.Equal(t, "category_unknown", got[0].Code)

	// Closing without saving is as if it had never been edited.
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": elements}})
	e.await("the findings of the saved file", func() bool { return len(e.shown(elements)) == len(clean) })
}

// TestUnsaved opens files that are not saved yet: they are linted as if they were, and gone
// when they are closed.
func TestUnsaved(t *testing.T) {
	for name, c := range map[string]struct{ file, text, code string }{
		"evolution": {"bikes/evolution.yaml", "gone: []\n", "field_unknown"},
		"element": {
			"bikes/2026-09-01-beta/elements/new.yaml",
			"- {id: data.new, category_id: dta, symbol_id: dot, title: {en: New, fr: Neuf}, description: {en: New., fr: Neuf.}}\n", "category_unknown",
		},
		"directory": {"bikes/2026-10-01-beta/schema.yaml", "colour: red\n", "field_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			e := author(t, bikes(t))
			uri := schemas + "/" + c.file
			e.open(uri, c.text)
			e.await(c.code, func() bool {
				return slices.ContainsFunc(e.shown(uri), func(d diagnostic) bool { return d.Code == c.code })
			})
			e.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
			e.await("no findings", func() bool { return len(e.shown(uri)) == 0 })
		})
	}
}

func TestDefinition(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	e.open(elements, text)
	asked := func(uri, text, part string) []location {
		var list []location
		e.into(&list, "textDocument/definition", object{"textDocument": object{"uri": uri}, "position": place(t, text, part)})
		return list
	}
	found := asked(elements, text, "contact\n  symbol_id")
	require.Len(t, found, 1)
	assert.Equal(t, contact, found[0].URI)

	doc := `{"schema_version": "bikes@2026-09-01-beta", "subchain_instances": [{"id": "s"}],
"elements": [{"element_id": "contact.office", "subchain_instance_id": "s", "variables": [{"id": "address"}]}]}`
	e.open(chain, doc)
	found = asked(chain, doc, "contact.office")
	require.Len(t, found, 1)
	assert.Equal(t, elements, found[0].URI)
	assert.Equal(t, "contact.office", text[offsetOf(text, found[0].Range.Start):offsetOf(text, found[0].Range.End)])
	found = asked(chain, doc, "address")
	require.Len(t, found, 1)
	assert.Contains(t, []string{elements, contact}, found[0].URI)
	found = asked(chain, doc, `"s", "variables"`)
	require.Len(t, found, 1)
	assert.Equal(t, chain, found[0].URI)
	assert.Equal(t, 0, found[0].Range.Start.Line)
	assert.Empty(t, asked(chain, doc, `"elements"`))
}

func TestReferencesAndRename(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	e.open(elements, text)
	at := object{"textDocument": object{"uri": elements}, "position": place(t, text, "contact\n  symbol_id")}
	var refs []location
	e.into(&refs, "textDocument/references", object{"textDocument": at["textDocument"], "position": at["position"], "context": object{"includeDeclaration": true}})
	var uris []string
	for _, r := range refs {
		uris = append(uris, r.URI)
	}
	assert.Contains(t, uris, contact)
	assert.Contains(t, uris, elements)
	assert.Contains(t, uris, schemas+"/bikes/2026-09-01-beta/schema.yaml")

	var prepared span
	e.into(&prepared, "textDocument/prepareRename", at)
	assert.Equal(t, "contact", text[offsetOf(text, prepared.Start):offsetOf(text, prepared.End)])

	// After the rename the source compiles as before.
	edited := bikes(t)
	e.renamed(t, edited, at, "helpdesk")
	tree, err := source.CompileAll(edited, nil)
	require.NoError(t, err)
	for _, v := range tree.Versions {
		if v.Version.String() == "bikes@2026-09-01-beta" {
			require.NotNil(t, v.Release, v.Issues)
			_, ok := v.Release.Category("helpdesk")
			assert.True(t, ok)
		}
	}
	// A symbol is renamed with its file.
	edited = bikes(t)
	e.renamed(t, edited, object{"textDocument": at["textDocument"], "position": place(t, text, "dot\n")}, "point")
	assert.Contains(t, edited, "bikes/2026-09-01-beta/symbols/point.svg")

	for _, name := range []string{"not an id", "data"} {
		m := e.answer(e.request("textDocument/rename", object{"textDocument": at["textDocument"], "position": at["position"], "newName": name}))
		require.NotNil(t, m.Error)
		assert.Equal(t, -32803, m.Error.Code)
	}
}

// renamed renames an id and makes the edits in files.
func (e *editor) renamed(t *testing.T, files fstest.MapFS, at object, name string) {
	t.Helper()
	var edit struct {
		DocumentChanges []struct {
			TextDocument   struct{ URI string }
			Edits          []textEdit
			Kind           string
			OldURI, NewURI string
		}
	}
	e.into(&edit, "textDocument/rename", object{"textDocument": at["textDocument"], "position": at["position"], "newName": name})
	require.NotEmpty(t, edit.DocumentChanges)
	path := func(uri string) string {
		file, ok := strings.CutPrefix(uri, schemas+"/")
		require.True(t, ok, uri)
		return file
	}
	for _, c := range edit.DocumentChanges {
		if c.Kind == "rename" {
			files[path(c.NewURI)] = files[path(c.OldURI)]
			delete(files, path(c.OldURI))
			continue
		}
		file := path(c.TextDocument.URI)
		text := string(files[file].Data)
		// Offsets in the files count bytes, positions UTF-16 units.
		lines := strings.SplitAfter(text, "\n")
		slices.SortFunc(c.Edits, func(a, b textEdit) int {
			return (b.Range.Start.Line-a.Range.Start.Line)*10_000 + b.Range.Start.Character - a.Range.Start.Character
		})
		for _, ed := range c.Edits {
			line := []rune(lines[ed.Range.Start.Line])
			lines[ed.Range.Start.Line] = string(line[:ed.Range.Start.Character]) + ed.NewText + string(line[ed.Range.End.Character:])
		}
		files[file] = &fstest.MapFile{Data: []byte(strings.Join(lines, ""))}
	}
}

// TestSourceOutline lists what a file of the source defines.
func TestSourceOutline(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	text := string(files["bikes/2026-09-01-beta/categories/contact.yaml"].Data)
	e.open(contact, text)
	var flat []symbol
	e.into(&flat, "textDocument/documentSymbol", object{"textDocument": object{"uri": contact}})
	var names []string
	for _, s := range flat {
		names = append(names, s.ContainerName+"/"+s.Name)
	}
	require.NotEmpty(t, names)
	assert.Equal(t, "/Contact", names[0])
	assert.Contains(t, names, "Contact/Address")
}

// TestWithoutSource: what needs a source is not advertised without one.
func TestWithoutSource(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	var result struct {
		Capabilities map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(e.initialize(object{}), &result))
	assert.NotContains(t, result.Capabilities, "renameProvider")
	assert.NotContains(t, result.Capabilities, "referencesProvider")
	e.open(chain, valid)
	assert.JSONEq(t, "null", string(e.ask("textDocument/references", at(position{0, 0}))))
}
