package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	examples "github.com/datachain-go/datachain/examples/documents"
)

// editing is a running `datachain lsp` with its editor.
type editing struct {
	t        *testing.T
	in       *io.PipeWriter
	out, log *lockedBuffer
	ended    chan int
}

func startEditing(t *testing.T, dir string, args ...string) *editing {
	t.Helper()
	sys := testSystem(dir)
	in, toServer := io.Pipe()
	e := &editing{t: t, in: toServer, out: new(lockedBuffer), log: new(lockedBuffer), ended: make(chan int, 1)}
	sys.Stdin, sys.Stdout, sys.Stderr = in, e.out, e.log
	go func() { e.ended <- run(t.Context(), append([]string{"lsp"}, args...), sys) }()
	t.Cleanup(func() { _ = toServer.Close() })
	return e
}

func (e *editing) send(body string) {
	e.t.Helper()
	_, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(e.t, err)
}

func (e *editing) sees(part string) {
	e.t.Helper()
	require.Eventually(e.t, func() bool { return strings.Contains(e.out.String(), part) }, 30*time.Second, 5*time.Millisecond, "%s\n%s", e.out, e.log)
}

func (e *editing) initialize(folder string) {
	e.t.Helper()
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"workspaceFolders":[{"uri":%q,"name":"w"}]}}`, fileURI(folder)))
	e.sees(`"id":1`)
	e.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

func (e *editing) open(path, text string) {
	e.t.Helper()
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"languageId":"json","text":%s}}}`, fileURI(path), quoted(e.t, []byte(text))))
}

// fileURI returns the URI of a file.
func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}).String()
}

func (e *editing) end(shutdown bool) int {
	e.t.Helper()
	if shutdown {
		e.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	}
	e.send(`{"jsonrpc":"2.0","method":"exit"}`)
	return <-e.ended
}

const bikesDocument = `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.datachain.json","version":1,"languageId":"json","text":"{\"id\":\"x\",\"schema_version\":\"%s\",\"created_at\":\"2026-06-20T12:00:00Z\",\"elements\":[{\"element_id\":\"nothing\"}]}"}}}`

func TestLSPCommand(t *testing.T) {
	t.Parallel()
	t.Run("samples", func(t *testing.T) {
		e := startEditing(t, t.TempDir())
		e.initialize(t.TempDir())
		e.sees(`"version":"v1.2.3 with schema versions from the built-in sample taxonomies`)
		assert.Equal(t, console.ExitGood, e.end(true))
		assert.Empty(t, e.log.String())
	})
	t.Run("no shutdown", func(t *testing.T) {
		e := startEditing(t, t.TempDir(), "--samples")
		e.initialize(t.TempDir())
		assert.Equal(t, console.ExitFindings, e.end(false))
	})
	t.Run("no such store", func(t *testing.T) {
		e := startEditing(t, t.TempDir(), "--store", "nowhere")
		e.initialize(t.TempDir())
		e.sees("--store nowhere: not a store")
	})
	t.Run("workspace folder, as it is edited", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree/schemas")))
		unused := filepath.Join(dir, "bikes", "2026-09-01-beta", "symbols", "unused.svg")
		require.NoError(t, os.WriteFile(unused, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><path d="M0 0h9v9z"/></svg>`), 0o600))
		e := startEditing(t, t.TempDir())
		e.initialize(dir)
		e.sees("the schema source in " + dir)
		e.send(fmt.Sprintf(bikesDocument, "bikes@2026-12-24-beta"))
		e.sees("There is no schema version bikes@2026-12-24-beta.")
		require.Equal(t, console.ExitGood, run(t.Context(), []string{"schema", "new", "bikes", "--schemas", "."}, quiet(dir)))
		e.sees("There is no element")

		file := fileURI(dir) + "/bikes/2026-09-01-beta/elements/all.yaml"
		e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":1,"languageId":"yaml","text":"- id: x"}}}`, file))
		e.sees("field_missing")
		e.sees("symbol_unused")
		assert.Equal(t, console.ExitGood, e.end(true))
		assert.NotContains(t, e.log.String(), "symbol_unused", "the editor shows it")
	})
	t.Run("store that is published to", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
		publish := []string{"schema", "publish", "schemas", "--store", "dist", "--no-icons"}
		require.Equal(t, console.ExitGood, run(t.Context(), publish, quiet(dir)))
		e := startEditing(t, dir, "--store", "dist", "--base-url", "https://example.org")
		e.initialize(dir)
		e.send(fmt.Sprintf(bikesDocument, "bikes@2026-12-24-beta"))
		e.sees("https://example.org/codes/not_found")
		require.Equal(t, console.ExitGood, run(t.Context(), []string{"schema", "new", "bikes", "--schemas", "schemas"}, quiet(dir)))
		require.Equal(t, console.ExitGood, run(t.Context(), publish, quiet(dir)))
		e.sees("There is no element")
		assert.Equal(t, console.ExitGood, e.end(true))
	})
}

// quoted returns a text as JSON.
func quoted(t *testing.T, text []byte) string {
	t.Helper()
	b, err := json.Marshal(string(text))
	require.NoError(t, err)
	return string(b)
}

// TestLSPPage shows a document as a page, which is removed in the end.
func TestLSPPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../examples/documents/air-station.json")
	require.NoError(t, err)
	e := startEditing(t, t.TempDir(), "--samples")
	e.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"window":{"showDocument":{"support":true}}}}}`)
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.datachain.json","version":1,"languageId":"json","text":%s}}}`, quoted(t, text)))
	e.send(`{"jsonrpc":"2.0","id":3,"method":"workspace/executeCommand","params":{"command":"datachain.preview"}}`)
	e.sees(`"id":3,"jsonrpc":"2.0","result":null`)
	_, rest, shown := strings.Cut(e.out.String(), `"window/showDocument","params":{"external":true,"uri":"`)
	require.True(t, shown, e.out)
	uri, _, _ := strings.Cut(rest, `"`)
	require.True(t, strings.HasPrefix(uri, "file:///"), uri)
	page := filepath.FromSlash(strings.TrimPrefix(uri, "file://"))
	if filepath.Separator == '\\' {
		page = page[1:] // C:\x
	}
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(html), "<!doctype html>")
	assert.Equal(t, console.ExitGood, e.end(true))
	assert.NoFileExists(t, page)
}

// TestLSPWorkspace validates documents by the source of their folder, which can be added later.
func TestLSPWorkspace(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree/schemas")))
	const text = `{"id": "x", "schema_version": "bikes@2026-09-01-beta", "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "unheard"}]}`
	e := startEditing(t, t.TempDir(), "--samples")
	e.initialize(dir)
	e.open(filepath.Join(dir, "50% a.json"), text)
	e.sees("/50%25%20a.json")
	e.sees("There is no schema version bikes@2026-09-01-beta.")
	e.sees("Schema versions come from the built-in sample taxonomies")
	assert.Equal(t, console.ExitGood, e.end(true))

	e = startEditing(t, t.TempDir())
	e.initialize(other)
	e.open(filepath.Join(dir, "50% a.json"), text)
	e.sees("There is no schema version bikes@2026-09-01-beta.")
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":%q,"name":"d"}],"removed":[]}}}`, fileURI(dir)))
	e.sees(`There is no element \"unheard\" in bikes@2026-09-01-beta.`)
	assert.Equal(t, console.ExitGood, e.end(true))
}

// TestLSPProject shows that the project file of a folder names the versions of its
// documents, but nothing outside of its repository.
func TestLSPProject(t *testing.T) {
	t.Parallel()
	const text = `{"id": "x", "schema_version": "bikes@2026-09-01-beta", "created_at": "2026-06-20T12:00:00Z", "elements": [{"element_id": "unheard"}]}`
	for name, c := range map[string]struct{ file, sees, logged string }{
		"inside":        {"schemas: ../taxonomies", `There is no element \"unheard\" in bikes@2026-09-01-beta.`, ""},
		"outside":       {"schemas: ../../elsewhere", "Schema versions come from the built-in sample taxonomies", "outside of the repository"},
		"a URL":         {"store: https://me:secret@datachain.example", "Schema versions come from the built-in sample taxonomies", "https://me:xxxxx@datachain.example"},
		"a broken file": {"stor: x", "Schema versions come from the built-in sample taxonomies", "did you mean store?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, to := range []string{"elsewhere", "repository/taxonomies"} {
				require.NoError(t, os.CopyFS(filepath.Join(dir, to), os.DirFS("testdata/tree/schemas")))
			}
			for file, content := range map[string]string{".git": "", "documents/datachain.yaml": c.file, "documents/below/x.json": ""} {
				file = filepath.Join(dir, "repository", file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
			}
			e := startEditing(t, t.TempDir())
			below := filepath.Join(dir, "repository", "documents", "below")
			e.initialize(below)
			e.open(filepath.Join(below, "x.json"), text)
			e.sees(c.sees)
			assert.Contains(t, e.log.String(), c.logged)
			assert.NotContains(t, e.log.String(), "secret")
			assert.Equal(t, console.ExitGood, e.end(true))
		})
	}
}

// TestLSPLocale shows that documents are shown in the language of the project file.
func TestLSPLocale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "datachain.yaml"), []byte("locale: fr\n"), 0o600))
	sample, ok := examples.Find("air-station.json")
	require.True(t, ok)
	e := startEditing(t, t.TempDir())
	e.initialize(dir)
	file := filepath.Join(dir, "air.json")
	e.open(file, string(sample.Text))
	e.send(`{"jsonrpc":"2.0","id":7,"method":"workspace/executeCommand","params":{"command":"datachain.preview","arguments":["` + fileURI(file) + `"]}}`)
	e.sees(`"locale":"fr"`)
	assert.Equal(t, console.ExitGood, e.end(true))
}

// quiet is a system that nobody reads.
func quiet(dir string) system {
	sys := testSystem(dir)
	sys.Stdout, sys.Stderr = io.Discard, io.Discard
	return sys
}
