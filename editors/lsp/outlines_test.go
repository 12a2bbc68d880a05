package lsp_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/editors/lsp"
)

// counted is a file system that counts how often files are opened.
type counted struct {
	fs.FS
	opened atomic.Int64
}

func (c *counted) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	return c.FS.Open(name)
}

// TestOutlineIsKept shows that requests do not read the source again, and that they see
// every change of it.
func TestOutlineIsKept(t *testing.T) {
	const contactFile, elementsFile = "bikes/2026-09-01-beta/categories/contact.yaml", "bikes/2026-09-01-beta/elements/all.yaml"
	files := &gate{files: bikes(t)}
	text, category := string(files.files[elementsFile].Data), string(files.files[contactFile].Data)
	count := &counted{FS: files}
	changes := make(chan struct{})
	store, err := memstore.New()
	require.NoError(t, err)
	open := func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{
			Service: must(datachain.New(store, nil)), Origin: "a source", Source: &lsp.Source{Root: schemas, Files: count},
			Changes: func(context.Context) <-chan struct{} { return changes },
		}, nil
	}
	e := start(t, lsp.New(open, nil), object{"textDocument": object{"hover": object{"contentFormat": []string{"markdown"}}}})
	e.open(elements, text)
	e.diagnostics(elements, 1)
	hovered := func() string {
		return string(e.ask("textDocument/hover", object{"textDocument": object{"uri": elements}, "position": place(t, text, "contact\n  symbol_id")}))
	}
	require.Contains(t, hovered(), "**Contact**")

	before := count.opened.Load()
	for range 3 {
		hovered()
	}
	assert.LessOrEqual(t, count.opened.Load()-before, int64(3), "only the file of the definition is read")

	named := func(name string) string { return strings.Replace(category, "{en: Contact", "{en: "+name, 1) }
	e.open(contact, named("First"))
	assert.Contains(t, hovered(), "First", "a file is opened")
	e.change(contact, 2, named("Second"))
	assert.Contains(t, hovered(), "Second", "a text is changed")
	e.change(contact, 3, "name: [")
	assert.NotContains(t, hovered(), "Second", "a text can't be parsed")
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": contact}})
	assert.Contains(t, hovered(), "**Contact**", "a file is closed")
	files.write(contactFile, named("Third"))
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": contact, "type": 2}}})
	assert.Contains(t, hovered(), "Third", "a file was saved")
	files.write(contactFile, named("Fourth"))
	e.notify("workspace/didChangeWatchedFiles", object{"changes": []object{}})
	assert.Contains(t, hovered(), "Fourth", "files were saved")
	files.write(contactFile, named("Fifth"))
	changes <- struct{}{}
	changes <- struct{}{} // the first one was handled
	assert.Contains(t, hovered(), "Fifth", "the releases have changed")
}

// bigSource returns a source of 10,000 elements in files of 20.
func bigSource() fstest.MapFS {
	const dir = "big/2026-01-01-beta/"
	files := fstest.MapFS{}
	add := func(name, text string) { files[dir+name] = &fstest.MapFile{Data: []byte(text)} }
	add("schema.yaml", "locales: [en]\ntitle: {en: Big}\ndescription: {en: Big}\ndatachain_type: {id: big, name: {en: Big}, categories: [c]}\n")
	add("categories/c.yaml", "id: c\nname: {en: Category}\ndescription: {en: All elements.}\nshape: circle\nvariables:\n  - {id: place, label: {en: Place}}\n")
	add("symbols/dot.svg", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="9"/></svg>`)
	for file := range 500 {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "- id: c.element_%03d_%02d\n  category_id: c\n  symbol_id: dot\n  title: {en: Element %d of many}\n  description: {en: \"What it means, at {{place}}.\"}\n", file, i, i)
		}
		add(fmt.Sprintf("elements/%03d.yaml", file), b.String())
	}
	return files
}

// BenchmarkSourceCompletion measures the completion of a symbol and a variable in a
// source of 10,000 elements: again, and after a change of the file, while the source
// is linted.
func BenchmarkSourceCompletion(b *testing.B) {
	files := bigSource()
	e := author(b, files)
	uri := schemas + "/big/2026-01-01-beta/elements/000.yaml"
	text := string(files["big/2026-01-01-beta/elements/000.yaml"].Data)
	e.open(uri, text)
	e.diagnostics(uri, 1)
	for name, part := range map[string]string{"symbol": "dot\n", "variable": "place}}"} {
		at := object{"textDocument": object{"uri": uri}, "position": place(b, text, part)}
		e.ask("textDocument/completion", at)
		b.Run(name+"/again", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.ask("textDocument/completion", at)
			}
		})
		b.Run(name+"/changed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.next++
				e.change(uri, e.next, text+strings.Repeat(" ", e.next%2)+"\n")
				e.ask("textDocument/completion", at)
			}
		})
	}
}
