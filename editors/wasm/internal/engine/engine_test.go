package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/editors/wasm/internal/engine"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The tests in editors/wasm/test compare the operations with the command.

// host is a host that has the sample releases at hand.
type host struct {
	*engine.Engine
	store taxonomy.Store
}

func newHost(t testing.TB) host {
	t.Helper()
	store, err := published.Store()
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
		Archive     string `json:"archive"`
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

// sent returns a release as servers send it.
func sent(t testing.TB, store taxonomy.Store, id string) []byte {
	t.Helper()
	text, err := encoded(t.Context(), store, id)
	require.NoError(t, err)
	return text
}

func encoded(ctx context.Context, store taxonomy.Store, id string) ([]byte, error) {
	r, err := store.Release(ctx, taxonomy.MustVersion(id))
	if err != nil {
		return nil, err
	}
	return r.MarshalJSON()
}

// call calls an operation, and loads what it needs.
func (h host) call(t testing.TB, operation, options string, document []byte) answer {
	t.Helper()
	a := decode(t, h.Call(operation, []byte(options), document))
	for range 2 {
		if a.Load == nil {
			break
		}
		require.Empty(t, a.Load.Archive, "the index is that of a server")
		require.Nil(t, decode(t, h.Add(a.Load.ID, sent(t, h.store, a.Load.ID))).Error)
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

// TestRules requires that documents are validated by every rule.
func TestRules(t *testing.T) {
	h := newHost(t)
	for _, info := range issue.Codes() {
		e, ok := documents.Invalid(info.Code)
		if !ok || !strings.HasPrefix(info.RaisedBy, "validate") {
			continue
		}
		options, err := json.Marshal(engine.Options{Version: e.Version, Strict: true})
		require.NoError(t, err)
		a := h.call(t, "validate", string(options), e.Text)
		require.Nil(t, a.Error)
		require.Contains(t, string(a.Value), `"code":"`+string(info.Code)+`"`)
	}
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
	release, other := sent(t, h.store, id), sent(t, h.store, "ai@2026-09-01-stable")
	for name, refused := range map[string][]byte{
		"another release": h.Add(id, other),
		"no symbols":      h.Add(id, bytes.Replace(release, []byte(`,"symbols":`), []byte(`,"cymbals":`), 1)),
		"changed":         h.Add(id, bytes.Replace(release, []byte("Medical triage"), []byte("Medical trick"), 1)),
		"not JSON":        h.Add(id, []byte("{")),
		"not listed":      h.Add("ai@2020-01-01-stable", release),
		"not a version":   h.Add("ai", release),
		"nothing":         h.Add(id, nil),
		"index":           h.SetIndex([]byte(`{}`)),
		"no index":        engine.New().Add(id, release),
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
	beta, ok := index.Lookup(taxonomy.MustVersion("ai@2026-11-18-beta").Ref())
	require.True(t, ok)
	text = bytes.Replace(text, []byte(beta.ContentHash.String()), fmt.Appendf(nil, "sha256-%064d", 1), 1)
	require.Nil(t, decode(t, h.SetIndex(text)).Error)
	require.Nil(t, decode(t, h.Call("open", []byte(`{"version":"ai@latest"}`), nil)).Load)
	require.NotNil(t, decode(t, h.Call("open", []byte(`{"version":"ai@latest-beta"}`), nil)).Load)
}

func FuzzCall(f *testing.F) {
	h := newHost(f)
	for _, version := range []string{"ai@2026-11-15-stable", "sensor@2026-11-15-stable"} {
		require.Nil(f, decode(f, h.Add(version, sent(f, h.store, version))).Error)
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
	require.Equal(t, "ai@2026-11-18-beta", got.Report.To)
	require.Contains(t, got.Text, `"schema_version": "ai@2026-11-18-beta"`)

	require.Equal(t, "bad_request", h.call(t, "upgrade", `{}`, text).Error.Code)
	require.Equal(t, "from", h.call(t, "upgrade", `{"to": "ai@latest", "from": "sensor@latest"}`, text).Error.Param)
	broken := h.call(t, "upgrade", `{"to": "ai@latest"}`, []byte("{"))
	require.Nil(t, broken.Error)
	require.Contains(t, string(broken.Value), `"ok":false`)
}
