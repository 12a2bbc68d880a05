package lsp_test

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/editors/lsp"
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
	disk := os.DirFS("../../cmd/internal/command/testdata/tree/schemas")
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
