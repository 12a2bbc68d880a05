package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/web/wasm/internal/engine"
)

// The tests in web/wasm/test compare the operations with the command.

// host is a host that has the sample releases at hand.
type host struct {
	*engine.Engine
	store taxonomy.Store
}

func newHost(t testing.TB) host {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	text, err := json.Marshal(index)
	require.NoError(t, err)
	h := host{engine.New(), store}
	require.Nil(t, decode(t, h.SetIndex(text)).Error)
	return h
}

type answer struct {
	Value json.RawMessage `json:"value"`
	Load  *struct {
		ID          string `json:"id"`
		ContentHash string `json:"content_hash"`
		Path        string `json:"path"`
	} `json:"load"`
	Error *struct {
		Code, Message, Param string
		Known                []string
	} `json:"error"`
}

func decode(t testing.TB, text []byte) answer {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal(text, &a), "%s", text)
	return a
}

// parts returns a release as a store of files has it.
func (h host) parts(t testing.TB, id string) ([]byte, map[string]string) {
	t.Helper()
	r, err := h.store.Release(t.Context(), taxonomy.MustVersion(id))
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = r.WriteTo(&b)
	require.NoError(t, err)
	symbols := map[string]string{}
	for _, symbol := range r.SymbolIDs() {
		symbols[symbol], _ = r.Symbol(symbol)
	}
	return b.Bytes(), symbols
}

// call calls an operation, and loads what it needs.
func (h host) call(t testing.TB, operation, options string, document []byte) answer {
	t.Helper()
	a := decode(t, h.Call(operation, []byte(options), document))
	for range 2 {
		if a.Load == nil {
			break
		}
		require.Contains(t, a.Load.Path, a.Load.ContentHash)
		release, symbols := h.parts(t, a.Load.ID)
		require.Nil(t, decode(t, h.Add(a.Load.ID, engine.Parts{Release: release, Symbols: symbols})).Error)
		a = decode(t, h.Call(operation, []byte(options), document))
	}
	require.Nil(t, a.Load)
	return a
}

func TestOperations(t *testing.T) {
	h := newHost(t)
	doc, ok := documents.Find("benefits.json")
	require.True(t, ok)
	for operation, want := range map[string]string{
		"validate": `"ok":true`, "fix": `"fixed":[]`, "resolve": `"document":"{`, "render": `"html":"\u003c!doctype html`,
	} {
		a := h.call(t, operation, `{}`, doc.Text)
		require.Nil(t, a.Error)
		require.Contains(t, strings.ReplaceAll(string(a.Value), "<", `\u003c`), want, operation)
	}
	require.Contains(t, string(h.call(t, "search", `{"version":"ai@latest","query":"hospital"}`, nil).Value), "purpose.triage")
	require.Contains(t, string(h.call(t, "icon", `{"version":"ai@latest","element_id":"purpose.triage","variant":"dark"}`, nil).Value), "<svg")
	require.Contains(t, string(h.call(t, "open", `{"version":"ai@latest"}`, nil).Value), `"content_hash"`)
}

func TestFailures(t *testing.T) {
	h := newHost(t)
	for _, c := range []struct{ operation, options, document, code string }{
		{"nothing", `{}`, "", "bad_request"},
		{"search", `{"limit":"many"}`, "", "bad_request"},
		{"search", `{`, "", "bad_request"},
		{"search", `{"version":"ai@lates"}`, "", "not_found"},
		{"icon", `{"version":"ai@latest","element_id":"purpose.triag"}`, "", "not_found"},
		{"resolve", `{}`, `{`, "bad_request"},
		{"resolve", `{}`, `{}`, "bad_request"},
		{"render", `{"locale":"!"}`, `{}`, "bad_request"},
	} {
		a := h.call(t, c.operation, c.options, []byte(c.document))
		require.NotNil(t, a.Error, "%v: %s", c, a.Value)
		require.Equal(t, c.code, a.Error.Code, "%v", c)
		require.NotEmpty(t, a.Error.Message)
	}
	a := h.call(t, "search", `{"version":"ai@lates"}`, nil)
	require.Equal(t, "version", a.Error.Param)
	require.Contains(t, a.Error.Known, "ai@latest")

	// JSON that can't be read is a finding, as it is for the command.
	require.Contains(t, string(h.call(t, "validate", `{}`, []byte(`{"id": 1, "id": 2}`)).Value), `"ok":false`)
}

// TestHostileHosts adds what is not what the index names.
func TestHostileHosts(t *testing.T) {
	h := newHost(t)
	const id = "ai@2026-11-15-stable"
	release, symbols := h.parts(t, id)
	other, otherSymbols := h.parts(t, "ai@2026-09-01-stable")
	for name, refused := range map[string][]byte{
		"another release": h.Add(id, engine.Parts{Release: other, Symbols: otherSymbols}),
		"no symbols":      h.Add(id, engine.Parts{Release: release}),
		"changed":         h.Add(id, engine.Parts{Release: bytes.Replace(release, []byte("Medical triage"), []byte("Medical trick"), 1), Symbols: symbols}),
		"not JSON":        h.Add(id, engine.Parts{Release: []byte("{"), Symbols: symbols}),
		"not listed":      h.Add("ai@2020-01-01-stable", engine.Parts{Release: release, Symbols: symbols}),
		"not a version":   h.Add("ai", engine.Parts{Release: release, Symbols: symbols}),
		"another pack":    h.Add(id, engine.Parts{Release: release, Symbols: symbols, Pack: []byte("pack")}),
		"index":           h.SetIndex([]byte(`{}`)),
		"no index":        engine.New().Add(id, engine.Parts{Release: release, Symbols: symbols}),
	} {
		a := decode(t, refused)
		require.NotNil(t, a.Error, name)
		require.Equal(t, "upstream_error", a.Error.Code, name)
	}
	require.NotNil(t, decode(t, h.Call("open", []byte(`{"version":"ai@latest"}`), nil)).Load, "nothing was added")
	require.NotNil(t, decode(t, engine.New().Call("open", []byte(`{"version":"ai@latest"}`), nil)).Error)
}

// TestNewIndex replaces the index: what it still names is kept.
func TestNewIndex(t *testing.T) {
	h := newHost(t)
	h.call(t, "open", `{"version":"ai@latest"}`, nil)
	h.call(t, "open", `{"version":"ai@latest-beta"}`, nil)
	index, err := h.store.Index(t.Context())
	require.NoError(t, err)
	text, err := json.Marshal(index)
	require.NoError(t, err)
	beta, ok := index.Lookup(taxonomy.MustVersion("ai@2026-12-15-beta").Ref())
	require.True(t, ok)
	text = bytes.Replace(text, []byte(beta.ContentHash.String()), fmt.Appendf(nil, "sha256-%064d", 1), 1)
	require.Nil(t, decode(t, h.SetIndex(text)).Error)
	require.Nil(t, decode(t, h.Call("open", []byte(`{"version":"ai@latest"}`), nil)).Load)
	require.NotNil(t, decode(t, h.Call("open", []byte(`{"version":"ai@latest-beta"}`), nil)).Load)
}

func FuzzCall(f *testing.F) {
	h := newHost(f)
	for _, version := range []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"} {
		release, symbols := h.parts(f, version)
		require.Nil(f, decode(f, h.Add(version, engine.Parts{Release: release, Symbols: symbols})).Error)
	}
	for _, example := range documents.Valid() {
		f.Add("validate", []byte(`{"strict":true}`), example.Text)
	}
	f.Add("search", []byte(`{"version":"ai@latest","query":"x","limit":-1}`), []byte(nil))
	f.Add("icon", []byte(`{"version":"ai@latest","element_id":"","variant":"\ud800"}`), []byte("\xff"))
	f.Fuzz(func(t *testing.T, operation string, options, document []byte) {
		a := decode(t, h.Call(operation, options, document))
		if a.Error != nil {
			require.NotEqual(t, "internal_error", a.Error.Code, a.Error.Message)
		}
	})
}

// An operation that needs a release asks for it.
func Example() {
	e := engine.New()
	e.SetIndex([]byte(`{"versions":[{"id":"ai@2026-09-01-stable","status":"stable","content_hash":"sha256-` + strings.Repeat("1", 64) + `","aliases":["ai@latest"]}]}`))
	answer := e.Call("open", []byte(`{"version":"ai@latest"}`), nil)
	fmt.Println(string(answer[:38]) + "…")
	// Output: {"load":{"id":"ai@2026-09-01-stable","…
}

// TestUpgrade moves a document, and loads the version that it pins and the new one.
func TestUpgrade(t *testing.T) {
	h := newHost(t)
	doc, ok := documents.Find("benefits.json")
	require.True(t, ok)
	text := doc.Text
	a := h.call(t, "upgrade", `{"to": "ai@latest-beta"}`, text)
	require.Nil(t, a.Error)
	var got struct {
		Text   string
		Report struct {
			From, To string
			Changed  bool
		}
	}
	require.NoError(t, json.Unmarshal(a.Value, &got))
	require.Equal(t, "ai@2026-11-15-stable", got.Report.From)
	require.Equal(t, "ai@2026-12-15-beta", got.Report.To)
	require.Contains(t, got.Text, `"schema_version": "ai@2026-12-15-beta"`)

	require.Equal(t, "bad_request", h.call(t, "upgrade", `{}`, text).Error.Code)
	require.Equal(t, "from", h.call(t, "upgrade", `{"to": "ai@latest", "from": "sensor@latest"}`, text).Error.Param)
	broken := h.call(t, "upgrade", `{"to": "ai@latest"}`, []byte("{"))
	require.Nil(t, broken.Error)
	require.Contains(t, string(broken.Value), `"ok":false`)
}
