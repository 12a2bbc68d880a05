package lsp_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type preview struct {
	URI, HTML, Locale, Note string
	Version                 int
}

func (e *editor) execute(command string, arguments ...any) received {
	e.t.Helper()
	return e.answer(e.request("workspace/executeCommand", object{"command": command, "arguments": arguments}))
}

// preview runs the command, which must succeed.
func (e *editor) preview(arguments ...any) preview {
	e.t.Helper()
	var p preview
	m := e.execute("datachain.preview", arguments...)
	require.Nil(e.t, m.Error)
	require.NoError(e.t, json.Unmarshal(m.Result, &p))
	return p
}

// requested waits for a request or notification of the server.
func (e *editor) requested(method string) json.RawMessage {
	e.t.Helper()
	var params json.RawMessage
	e.await(method, func() bool {
		for i, m := range e.asked {
			if m.Method == method {
				params = m.Params
				e.asked = append(e.asked[:i], e.asked[i+1:]...)
				return true
			}
		}
		return false
	})
	return params
}

func TestResolveCommand(t *testing.T) {
	service := samples(t)
	e := start(t, lsp.New(opened(service), nil), full)
	e.open(chain, valid)
	schema, err := service.OpenFor(t.Context(), []byte(valid))
	require.NoError(t, err)
	_, bundle, err := schema.Resolve(t.Context(), []byte(valid), nil)
	require.NoError(t, err)
	want := string(bundle.AppendJSON(nil))
	for _, argument := range []any{chain, object{"uri": chain}, object{"uri": chain, "show": false, "later": true}} {
		m := e.execute("datachain.resolve", argument)
		require.Nil(t, m.Error)
		var got struct {
			URI, Text string
			Version   int
		}
		require.NoError(t, json.Unmarshal(m.Result, &got))
		assert.Equal(t, []any{chain, 1, want}, []any{got.URI, got.Version, got.Text})
	}
	for i, c := range []struct{ name, text, message string }{
		{"invalid", strings.Replace(edited(t, "purpose.environment", "purpose.enviroment"), "always_on", "allways_on", 1), "The document can't be resolved: it has 2 errors, the first one in line 7: There is no element \"purpose.enviroment\" in sensor@2026-11-15-stable."},
		{"half-typed", valid[:200], "The document can't be resolved: it has 1 error, in line 7: The document is not valid JSON"},
		{"unpublished", edited(t, "sensor@2026-11-15-stable", "sensor@2020-01-01-stable"), "in line 4: There is no schema version sensor@2020-01-01-stable"},
		{"empty", "", "The document can't be resolved: it has 1 error, in line 1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			e.change(chain, i+2, c.text)
			m := e.execute("datachain.resolve", chain)
			require.NotNil(t, m.Error)
			assert.Equal(t, -32803, m.Error.Code)
			assert.Contains(t, m.Error.Message, c.message)
		})
	}
}

// TestResolveShown writes the resolved document beside the thin one, by means of the client.
func TestResolveShown(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	for uri, want := range map[string]string{
		chain:                  "file:///w/chain.resolved.json",
		"file:///w/other.json": "file:///w/other.resolved.json",
	} {
		e.open(uri, valid)
		require.Nil(t, e.execute("datachain.resolve", object{"uri": uri, "show": true}).Error)
		var p struct {
			Edit struct {
				DocumentChanges []struct {
					Kind, URI    string
					Options      struct{ IgnoreIfExists bool }
					TextDocument struct {
						URI     string
						Version *int
					}
					Edits []textEdit
				}
			}
		}
		require.NoError(t, json.Unmarshal(e.requested("workspace/applyEdit"), &p))
		require.Len(t, p.Edit.DocumentChanges, 2)
		create, write := p.Edit.DocumentChanges[0], p.Edit.DocumentChanges[1]
		assert.Equal(t, []any{"create", want, true, want}, []any{create.Kind, create.URI, create.Options.IgnoreIfExists, write.TextDocument.URI})
		assert.Nil(t, write.TextDocument.Version)
		e.open(want, write.Edits[0].NewText)
		assert.Empty(t, e.diagnostics(want, 1))
		assert.Contains(t, write.Edits[0].NewText, "\n  \"schema_snapshot\": {\n")
	}
	simple := start(t, lsp.New(opened(samples(t)), nil), nil)
	simple.open(chain, valid)
	assert.Contains(t, simple.execute("datachain.resolve").Error.Message, "The editor can't create files")
}

// TestPreview renders what is typed, and the last valid text while it is half-typed.
func TestPreview(t *testing.T) {
	e := connect(t, lsp.New(opened(samples(t)), nil))
	e.initialize(object{"capabilities": full, "locale": "fr-CA"})
	e.open(chain, "{")
	p := e.preview(chain)
	assert.Empty(t, p.HTML)
	assert.Contains(t, p.Note, "The document can't be shown yet: it has 1 error, in line 1: ")

	e.change(chain, 2, valid)
	require.Empty(t, e.diagnostics(chain, 2))
	p = e.preview(chain)
	assert.Equal(t, []any{chain, 2, "fr", ""}, []any{p.URI, p.Version, p.Locale, p.Note})
	assert.True(t, strings.HasPrefix(p.HTML, "<!doctype html>"), p.HTML[:40])
	assert.Contains(t, p.HTML, "Air on the market square")
	assert.Contains(t, p.HTML, "Air, bruit et météo")

	// Every prefix shows the last valid page.
	for i, cut := range []int{0, 1, 100, 200, len(valid) - 3} {
		e.change(chain, i+3, valid[:cut])
		p = e.preview(chain)
		assert.Equal(t, 2, p.Version)
		assert.Contains(t, p.HTML, "Air on the market square")
		assert.Contains(t, p.Note, "This is the last valid version. The document can't be shown as it is now: it has ")
	}
	// A page that was shown counts, even if its text was never validated.
	e.change(chain, 19, edited(t, "market square", "bridge"))
	assert.Contains(t, e.preview(chain).HTML, "Air on the bridge")
	e.change(chain, 20, valid[:100])
	assert.Contains(t, e.preview(chain).HTML, "Air on the bridge")
	e.change(chain, 20, edited(t, "market square", "river"))
	p = e.preview(chain)
	assert.Equal(t, []any{20, ""}, []any{p.Version, p.Note})
	assert.Contains(t, p.HTML, "Air on the river")

	// A document that is opened again has no past.
	e.diagnostics(chain, 20)
	e.notify("textDocument/didClose", object{"textDocument": object{"uri": chain}})
	e.open(chain, "{")
	assert.Empty(t, e.preview(chain).HTML)
}

// TestPreviewShown opens the page in a browser, by means of the client.
func TestPreviewShown(t *testing.T) {
	var saved []string
	var fail error
	server := lsp.New(opened(samples(t)), &lsp.Options{SavePage: func(document string, page []byte) (string, error) {
		saved = append(saved, document, string(page))
		return "file:///tmp/page.html", fail
	}})
	e := start(t, server, full)
	assert.Contains(t, e.execute("datachain.preview").Error.Message, "No datachain document is open")
	e.open(chain, valid)
	e.open("file:///w/package.json", "{}")
	require.Empty(t, e.diagnostics(chain, 1))
	m := e.execute("datachain.preview") // the document that changed last
	require.Nil(t, m.Error)
	assert.JSONEq(t, `{"uri": "file:///tmp/page.html", "external": true}`, string(e.requested("window/showDocument")))
	require.Len(t, saved, 2)
	assert.Equal(t, chain, saved[0])
	assert.Contains(t, saved[1], "Air on the market square")

	e.change(chain, 2, valid[:100])
	require.Nil(t, e.execute("datachain.preview", object{"uri": chain, "show": true}).Error)
	assert.Contains(t, string(e.requested("window/showMessage")), "This is the last valid version.")
	e.requested("window/showDocument")

	fail = errors.New("can't save the page: the disk is full")
	m = e.execute("datachain.preview")
	require.NotNil(t, m.Error)
	assert.Equal(t, "Can't save the page: the disk is full.", m.Error.Message)

	simple := start(t, server, nil)
	simple.open(chain, valid)
	assert.Contains(t, simple.execute("datachain.preview").Error.Message, "The editor can't show pages")
}

func TestCommandsRefuse(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	other := "file:///w/package.json"
	e.open(other, "{}")
	huge := "file:///w/huge.datachain.json"
	e.open(huge, strings.Repeat(" ", maxMessage))
	for _, c := range []struct {
		command   string
		arguments []any
		code      int
		message   string
	}{
		{"datachain.unheard", []any{chain}, -32602, "The server has no command datachain.unheard; it has datachain.preview, datachain.resolve and datachain.upgrade."},
		{"datachain.resolve", []any{chain}, -32602, "is not open"},
		{"datachain.resolve", []any{7}, -32602, "must be a URI"},
		{"datachain.resolve", []any{other, other}, -32602, "must be a URI"},
		{"datachain.preview", []any{nil}, -32602, "is not open"},
		{"datachain.preview", []any{other}, -32803, "package.json is not a datachain document"},
		{"datachain.preview", []any{huge}, -32803, "too large"},
	} {
		m := e.execute(c.command, c.arguments...)
		require.NotNil(t, m.Error, c.message)
		assert.Equal(t, c.code, m.Error.Code)
		assert.Contains(t, m.Error.Message, c.message)
	}
}

// TestRequestIDs asks the client twice for the same: each request has an id of its own.
func TestRequestIDs(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	e.open(chain, valid)
	e.execute("datachain.resolve", object{"uri": chain, "show": true})
	e.execute("datachain.resolve", object{"uri": chain, "show": true})
	e.await("two requests", func() bool { return len(e.asked) == 2 })
	assert.Equal(t, e.asked[0].Method, e.asked[1].Method)
	assert.NotEmpty(t, e.asked[0].ID)
	assert.NotEmpty(t, e.asked[1].ID)
	assert.NotEqual(t, string(e.asked[0].ID), string(e.asked[1].ID))
}

// TestUpgradeLens offers to upgrade a document that pins an old version, and edits it.
func TestUpgradeLens(t *testing.T) {
	e := start(t, lsp.New(opened(samples(t)), nil), full)
	lenses := func() string {
		return string(e.ask("textDocument/codeLens", document()))
	}
	const latest = "sensor@2026-11-15-stable"
	require.Contains(t, valid, latest)
	e.open(chain, strings.Replace(valid, latest, "sensor@2026-06-15-stable", 1))
	assert.Contains(t, lenses(), `"title":"Upgrade to `+latest+`","command":"datachain.upgrade"`)

	var r struct {
		Text   string
		Report struct{ From, To string }
	}
	m := e.execute("datachain.upgrade", chain)
	require.Nil(t, m.Error)
	require.NoError(t, json.Unmarshal(m.Result, &r))
	assert.Equal(t, latest, r.Report.To)
	assert.Contains(t, r.Text, latest)

	require.Nil(t, e.execute("datachain.upgrade", object{"uri": chain, "show": true}).Error)
	assert.Contains(t, string(e.requested("workspace/applyEdit")), latest)

	for version, pin := range map[int]string{2: latest, 3: "sensor@latest", 4: "sensor"} {
		e.change(chain, version, strings.Replace(valid, latest, pin, 1))
		assert.NotContains(t, lenses(), "Upgrade", pin)
		assert.Contains(t, e.execute("datachain.upgrade", chain).Error.Message, "newer", pin)
	}
	e.change(chain, 5, strings.Replace(valid, latest, "sensor@2026-01-01-stable", 1))
	assert.NotContains(t, lenses(), "Upgrade", "from a version that is not published")
	e.change(chain, 6, strings.Replace(valid, latest, "sensor@2026-06-15-stable", 1))
	assert.Contains(t, lenses(), `"title":"Upgrade to sensor@2026-11-15-stable"`)
}

func TestCodeLens(t *testing.T) {
	page := func(string, []byte) (string, error) { return "", nil }
	type lens struct {
		Range   span
		Command struct {
			Title, Command string
			Arguments      []any
		}
	}
	for _, c := range []struct {
		name         string
		capabilities object
		options      *lsp.Options
		want         []string
	}{
		{"all", full, &lsp.Options{SavePage: page}, []string{"datachain.preview", "datachain.resolve"}},
		{"no place for pages", full, nil, []string{"datachain.resolve"}},
		{"client without edits", object{"window": full["window"], "textDocument": full["textDocument"]}, &lsp.Options{SavePage: page}, []string{"datachain.preview"}},
		{"client without anything to show", object{"textDocument": full["textDocument"]}, &lsp.Options{SavePage: page}, nil},
		{"client without lenses", object{"window": full["window"], "workspace": full["workspace"]}, &lsp.Options{SavePage: page}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := connect(t, lsp.New(opened(samples(t)), c.options))
			answer := string(e.initialize(object{"capabilities": c.capabilities}))
			assert.Equal(t, c.want != nil, strings.Contains(answer, `"codeLensProvider"`))
			assert.Contains(t, answer, `"executeCommandProvider":{"commands":["datachain.preview","datachain.resolve","datachain.upgrade"]}`)
			if c.want == nil {
				return
			}
			e.open(chain, "\n"+valid)
			var list []lens
			e.into(&list, "textDocument/codeLens", document())
			var got []string
			for _, l := range list {
				got = append(got, l.Command.Command)
				assert.Equal(t, position{1, 0}, l.Range.Start)
				assert.Equal(t, []any{map[string]any{"uri": chain, "show": true}}, l.Command.Arguments)
				assert.Nil(t, e.execute(l.Command.Command, l.Command.Arguments...).Error)
			}
			assert.Equal(t, c.want, got)
		})
	}
}
